#!/usr/bin/env bash
# The tests against a real Kubernetes, `make test`'s second half: tools/cluster_tests.sh [--all]
# Builds the cluster's programs first if they are not there. --all: what takes longer too, which the
# tests mark with @long.
#
# They wait far more than they compute, so two lanes run in parallel, each on its own clusters.
# The output of a test is kept and shown in one piece when it is over.
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
long=
if [ "${1:-}" = --all ]; then
    tiers=(unit build api scale real)
    long="doubt hostile"
    export PARLEY_FAULTS=all
fi

said=$(mktemp -d)
mkdir "$said/now"  # A file for each running test.
heartbeat=
trap '[ -z "$heartbeat" ] || kill "$heartbeat"; rm -rf "$said"' EXIT

# Without a terminal, says every 15 s which tests are running.
if [ ! -t 1 ]; then
    while sleep 15 >/dev/null 2>&1; do  # Otherwise it would keep our output open after the end.
        echo "cluster: $SECONDS s so far, now$(find "$said/now" -type f -printf ' %f')"
    done &
    heartbeat=$!
fi

# apart NAME COMMAND...: a stage whose output comes in one piece. What a shell starts in the
# background ignores Ctrl-C, and so would the programs that the tests interrupt.
apart() {
    local name=$1 status=0
    shift
    touch "$said/now/$name"
    stage "cluster, $name" - env --default-signal=INT "$@" >"$said/$name" 2>&1 || status=1
    rm "$said/now/$name"
    flock "$said" cat "$said/$name"
    return $status
}

# lane NAME...: one test after the other.
lane() {
    local test status=0
    for test in "$@"; do
        apart "$test" python3 -B "tests/cluster/${test}_test.py" build/parley || status=1
    done
    return $status
}

# on VERSION NAME...: a lane on another Kubernetes than the testbed's default.
on() {
    local version=$1 test status=0
    shift
    for test in "$@"; do
        PARLEY_KUBERNETES=$version PARLEY_FAULTS='' apart "$test, Kubernetes $version" \
            python3 -B "tests/cluster/${test}_test.py" build/parley || status=1
    done
    return $status
}

# both LANE LANE: runs two lanes in parallel; each is a command in one word.
both() {
    local first status=0
    $1 &
    first=$!
    $2 || status=1
    wait "$first" || status=1
    return $status
}

status=0
# The testbed's own tests compare the whole machine before and after, so only clusters without real
# nodes, which create no interfaces or cgroups, may run at the same time.
both "apart testbed testbed/run_tests.sh ${tiers[*]}" "lane churn faults identity pending fence webhook dry_run first_hour stops kills $long" || status=1
both "lane exercise usage_faults others" "lane live rbac act provider ${long:+three_nodes}" || status=1
if [ -n "$long" ]; then
    # In opposite order: what first_hour types names ports, which two of it could not have at once.
    both "on 1.34 first_hour dry_run fence webhook kills others act" \
        "on 1.36 act others kills webhook fence dry_run first_hour" || status=1
fi
exit $status
