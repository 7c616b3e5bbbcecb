#!/usr/bin/env bash
# What must hold before an issue is called resolved, `make check-all`: tools/check_all.sh [STAGE...]
# It takes hours. Every stage runs, whatever the others did; with names, only those stages. A stage
# that passed on exactly this tree is not run again, so that a run cut short can be taken up.
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/stage.sh

fuzz_seconds=300
failed=()
export PARLEY_FAULTS=all  # What `make test` has in short is had in full.

# Where the stages that passed on this tree are noted; nowhere if something is not committed.
# The table of mutants is written by a stage, so it does not count as part of the tree.
passed_dir() {
    local table=':(exclude)docs/mutation.md'
    [ -z "$(git status --porcelain -- . "$table")" ] || return 0
    echo "build/check_all/$(git ls-files --stage -- . "$table" | sha256sum | cut -c1-16)"
}
passed=$(passed_dir)
wanted=("$@")

is_wanted() {
    local name
    [ ${#wanted[@]} -gt 0 ] || return 0
    for name in "${wanted[@]}"; do
        [ "$name" != "$1" ] || return 0
    done
    return 1
}

gate() {  # NAME, COMMAND...: a stage without a budget that is remembered if it fails.
    is_wanted "$1" || return 0
    if [ -n "$passed" ] && [ -f "$passed/$1" ]; then
        echo "== $1: passed on this tree already, $(cat "$passed/$1")"
        return 0
    fi
    if ! stage "$1" - "${@:2}"; then
        failed+=("$1")
    elif [ -n "$passed" ] && [ "$passed" = "$(passed_dir)" ]; then
        mkdir -p "$passed" && date -u +'%F %H:%M UTC' >"$passed/$1"
    fi
}

# Calls a script that is part of this gate; its absence is a failure, not a pass.
require() {
    [ -f "$1" ] || { echo "check-all: there is no $1" >&2; return 1; }
    "$@"
}

run_preset() {  # PRESET, CTEST ARGUMENTS...
    tools/build.sh "$1" && tools/ctest.sh "$@"
}

# What these try is what the program answers, over hundreds of calls: stage `release` has them. Under
# a sanitizer they are two thirds of the time, and what they run is run by other tests too.
answers='answers_program|brains_program|demand_program|examples|golden|planted|readme'
answers+='|tuner_densities|xgboost_versions'

run_sanitizer() {
    PARLEY_FAULTS= run_preset "$1" -E "^($answers)_test\$"
}

# Five minutes shared evenly by the fuzz targets, at least 10 s each.
run_fuzzing() {
    tools/build.sh fuzz all_fuzz || return 1
    local targets
    mapfile -t targets < <(find build/fuzz/fuzz -maxdepth 1 -type f -executable -name '*_fuzz')
    [ ${#targets[@]} -gt 0 ] || { echo "fuzz: no *_fuzz program was built" >&2; return 1; }
    local seconds=$((fuzz_seconds / ${#targets[@]}))
    [ $seconds -ge 10 ] || seconds=10
    for target in "${targets[@]}"; do
        local name
        name=$(basename "$target")
        local new=build/fuzz/corpus/$name seeds=fuzz/corpus/${name%_fuzz}
        mkdir -p "$new"
        [ -d "$seeds" ] || seeds=
        "$target" -max_total_time=$seconds -timeout=10 -artifact_prefix="$new/" \
            "$new" ${seeds:+"$seeds"} >"$new.log" 2>&1 ||
            { tail -n 60 "$new.log"; echo "fuzz: $name failed; its input is in $new" >&2; return 1; }
        echo "fuzz: $name, $seconds s: $(grep -oE '^Done .*' "$new.log")"
    done
}

# Twice the viewers of `make bench`: a table to look at, and a failure if a viewer misses a message.
run_viewers() {
    tools/build.sh release stream_fanout stream_clients viewers_round &&
        python3 bench/stream_figures.py build/release --clients=1000 --stalled=100 --pairs=3
}

# What `make test` has of the page, at its full length.
run_browser() {
    tools/build.sh dev parley make_run && tools/web_tests.sh --browser
}

stages='check run asan tsan release viewers hardening digests howto browser cluster fuzzing mutation'
for name in "$@"; do
    [[ " $stages " == *" $name "* ]] ||
        { echo "check-all: there is no stage '$name'; the stages are $stages" >&2; exit 2; }
done

gate check tools/check.sh
gate run tools/build.sh run parley
gate asan run_sanitizer asan
gate tsan run_sanitizer tsan
gate release run_preset release
gate viewers run_viewers
gate hardening tools/check_hardening.sh
gate digests require tools/compare_digests.sh
gate howto python3 -B tests/howto/agent_test.py build/howto --whole
gate browser run_browser
gate cluster tools/cluster_tests.sh --all
gate fuzzing run_fuzzing
gate mutation require tools/mutate.py

if [ ${#failed[@]} -gt 0 ]; then
    printf 'check-all: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
[ $# -gt 0 ] || echo "check-all: all is well"
