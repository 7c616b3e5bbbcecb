#!/usr/bin/env bash
# Runs the tests of a built preset; prints what fails, and the closing lines:
# tools/ctest.sh PRESET [CTEST ARGUMENTS...]
set -uo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
# One more than there are cores: some tests wait for most of their time.
arguments=(--test-dir "build/$preset" --output-on-failure --no-tests=error --no-label-summary
           --parallel "$(($(nproc) + 1))" "$@")

export TSAN_OPTIONS="suppressions=$PWD/tools/tsan.supp${TSAN_OPTIONS:+ $TSAN_OPTIONS}"

if [ -t 1 ]; then
    exec ctest "${arguments[@]}" --progress
fi
# Without a terminal, the lines of passed tests only serve as progress.
ctest "${arguments[@]}" 2>&1 | tools/tell.py test
exit "${PIPESTATUS[0]}"
