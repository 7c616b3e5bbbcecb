#!/usr/bin/env bash
# Tests the test cluster: testbed/run_tests.sh [unit|build|api|scale|real]... (default: all).
# Builds what is missing first. With PARLEY_FAULTS=all also what takes long. A tier that cannot run here is skipped with a sentence, and with
# CI=true that is a failure.
set -euo pipefail
cd "$(dirname "$0")/tests"

[ $# -gt 0 ] || set -- unit build api scale real
for tier in "$@"; do
    [ -f "${tier}_test.py" ] || {
        echo "run_tests: no tier is called '$tier'; there are unit, build, api, scale and real" >&2
        exit 2
    }
done

# Without root, the tests report what is missing.
[ "$(id -u)" -ne 0 ] || ../../tools/setup.sh cluster
status=0
for tier in "$@"; do
    echo "== testbed $tier"
    python3 -B -m unittest "${tier}_test" || status=1
done
exit $status
