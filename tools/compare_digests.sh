#!/usr/bin/env bash
# The same run gives the same digest from every build, and on CPUs without FMA and AVX2.
# Usage: tools/compare_digests.sh PROGRAM...   (default: those of the presets dev, release, asan)
set -euo pipefail
cd "$(dirname "$0")/.."
programs=("$@")
if [ ${#programs[@]} -eq 0 ]; then
  for each in build/parley build/release/parley build/asan/parley; do
    [ -x "$each" ] && programs+=("$each")
  done
fi
[ ${#programs[@]} -gt 0 ] || { echo "compare_digests: no program is built; run make build" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
number=0 first="" failed=0
check() {  # check NAME COMMAND...
  local name=$1; shift
  number=$((number + 1))
  "$@" simulate --scenario mixed --seed 7 --rounds 200 --event-dir "$folder/$number" >/dev/null 2>&1
  local digest
  digest=$("$@" digest "$folder/$number" | cut -d' ' -f1)
  [ -n "$first" ] || first=$digest
  if [ "$digest" = "$first" ]; then echo "same       $digest  $name"
  else echo "DIFFERENT  $digest  $name"; failed=1; fi
}
for program in "${programs[@]}"; do
  check "$program" "$program"
  check "$program without FMA and AVX2" env GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2 "$program"
done
exit $failed
