#!/usr/bin/env bash
# Runs one stage and says how long it took: tools/stage.sh NAME BUDGET_S|- COMMAND...
# Sourced, it provides the function `stage`, which does the same for functions. A stage over its budget
# is reported, not failed: a slow machine is not a fault of the code.

stage() {
    local name=$1 budget=$2 begin=${EPOCHREALTIME/[.,]/} status=0 took_ms line
    shift 2
    "$@" || status=$?
    took_ms=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
    line="== $name: $((took_ms / 1000)).$((took_ms % 1000 / 100)) s"
    if [ "$budget" != - ]; then
        line+=" of $budget s"
        [ "$took_ms" -le $((budget * 1000)) ] || line+=", OVER BUDGET"
    fi
    [ "$status" -eq 0 ] || line+=", FAILED (exit $status)"
    echo "$line"
    return "$status"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    stage "$@"
fi
