#!/usr/bin/env bash
# What must hold before an issue is called resolved, `make check-all`. It takes long.
# Every stage runs, whatever the others did.
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/stage.sh

fuzz_seconds=300
failed=()

gate() {  # NAME, COMMAND...: a stage without a budget that is remembered if it fails.
    stage "$1" - "${@:2}" || failed+=("$1")
}

# Calls a script that is part of this gate; its absence is a failure, not a pass.
require() {
    [ -f "$1" ] || { echo "check-all: there is no $1" >&2; return 1; }
    "$@"
}

run_preset() {
    tools/build.sh "$1" && tools/ctest.sh "$1"
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

gate "check" tools/check.sh
gate "asan, all" run_preset asan
gate "tsan, all" run_preset tsan
gate "release" run_preset release
gate "viewers, 1,000" run_viewers
gate "hardening" tools/check_hardening.sh
gate "digests" require tools/compare_digests.sh
gate "cluster, all" tools/cluster_tests.sh --all
gate "fuzzing" run_fuzzing
gate "mutation" require tools/mutate.py

if [ ${#failed[@]} -gt 0 ]; then
    printf 'check-all: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
echo "check-all: all is well"
