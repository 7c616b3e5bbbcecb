#!/usr/bin/env bash
# The same run gives the same digest from every build, and on CPUs without FMA and AVX2. The program
# runs from the presets dev and release; world_digest, which makes the same run without coroutines,
# from these and from g++ 12, which has no program. Builds what it compares.
# Usage: tools/compare_digests.sh
set -euo pipefail
cd "$(dirname "$0")/.."

scenarios=(mixed failing-node)
seed=7 rounds=200
older_cpu=GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2

tools/build.sh dev parley world_digest
tools/build.sh release parley world_digest
tools/build.sh gcc12 world_digest

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

by_program() {  # PROGRAM SCENARIO, under the environment it is called with.
  local run
  run=$(mktemp -d -p "$folder")/run
  "$1" simulate --scenario "$2" --seed $seed --rounds $rounds --event-dir "$run" \
    >"$run.log" 2>&1 || { cat "$run.log" >&2; return 1; }
  "$1" digest "$run" | cut -d' ' -f1
  rm -rf "$run"
}

by_world() {  # PROGRAM SCENARIO
  "$1" "$2" $seed $rounds
}

failed=0 first="" compared=0
row() {  # SCENARIO BUILD CPU FUNCTION PROGRAM
  local digest=""
  # A program that cannot run at all must not count as agreeing.
  [ -x "$5" ] || { echo "compare_digests: there is no $5" >&2; failed=1; return; }
  if [ "$3" = this ]; then digest=$("$4" "$5" "$1") || digest=failed
  else digest=$(export "${older_cpu?}"; "$4" "$5" "$1") || digest=failed; fi
  [ -n "$first" ] || first=$digest
  local verdict=same
  if [ "$digest" != "$first" ] || [ ${#digest} -ne 64 ]; then verdict=DIFFERENT; failed=1; fi
  compared=$((compared + 1))
  printf '%-13s %-22s %-13s %-10s %s\n' "$1" "$2" "$3" "$verdict" "$digest"
}

printf '%-13s %-22s %-13s %-10s %s\n' scenario build CPU "" digest
for scenario in "${scenarios[@]}"; do
  first=""
  for cpu in this no-FMA-AVX2; do
    row "$scenario" "parley dev" $cpu by_program build/parley
    row "$scenario" "parley release" $cpu by_program build/release/parley
    row "$scenario" "world_digest dev" $cpu by_world build/dev/tests/world_digest
    row "$scenario" "world_digest release" $cpu by_world build/release/tests/world_digest
    row "$scenario" "world_digest gcc12" $cpu by_world build/gcc12/tests/world_digest
  done
done
if [ $failed -ne 0 ]; then
  echo "compare_digests: some builds differ, see above" >&2
  exit 1
fi
echo "compare_digests: $compared runs, one digest per scenario"
