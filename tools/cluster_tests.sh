#!/usr/bin/env bash
# The tests against a real Kubernetes, `make test`'s second half: tools/cluster_tests.sh [--all]
# Builds the cluster's programs first if they are not there. --all: what takes longer too.
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/stage.sh

# A machine that cannot run a cluster skips this tier; CI may not.
missing=
[ "$(id -u)" -eq 0 ] || missing="starting nodes needs root"
command -v go >/dev/null || [ -x /usr/local/go/bin/go ] ||
    missing="building Kubernetes needs Go 1.26 or newer"
if [ -n "$missing" ]; then
    echo "cluster: the tests against a real Kubernetes are left out: $missing"
    [ "${CI:-}" != true ] || { echo "cluster: in CI they must run" >&2; exit 1; }
    exit 0
fi

tiers=(unit api real)
if [ "${1:-}" = --all ]; then
    tiers=(unit build api scale real)
    export PARLEY_FAULTS=all
fi

status=0
stage "cluster, testbed" - testbed/run_tests.sh "${tiers[@]}" || status=1
for test in live rbac exercise faults usage_faults identity pending churn; do
    stage "cluster, $test" - python3 -B "tests/cluster/${test}_test.py" build/parley || status=1
done
exit $status
