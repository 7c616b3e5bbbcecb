#!/usr/bin/env bash
# Asserts with readelf that a release program is hardened: tools/check_hardening.sh [PROGRAM]
# It looks for no IBT or SHSTK note: the start-up objects of Debian 12 lack it.
set -uo pipefail

program=${1:-build/release/parley}
[ -f "$program" ] || { echo "hardening: there is no $program; build the preset release" >&2; exit 2; }

header=$(readelf -hW "$program") || exit 2
segments=$(readelf -lW "$program")
dynamic=$(readelf -dW "$program")
symbols=$(readelf -sW --dyn-syms "$program")

failed=0
expect() {  # NAME, TEXT, EXTENDED REGULAR EXPRESSION
    if grep -qE "$3" <<<"$2"; then
        echo "hardening: $1: yes"
    else
        echo "hardening: $1: NO (no match for '$3' in readelf's output for $program)" >&2
        failed=1
    fi
}

expect "position-independent file" "$header" 'Type: +DYN'
expect "position-independent executable" "$dynamic" 'FLAGS_1.*PIE'
expect "relocations read-only" "$segments" 'GNU_RELRO'
expect "bound at start (full RELRO)" "$dynamic" '\(FLAGS(_1)?\).*NOW'
expect "stack not executable" "$segments" 'GNU_STACK +([^ ]+ +){5}RW +'
expect "stack canary" "$symbols" '__stack_chk_fail'
expect "fortified calls" "$symbols" ' __[a-z]+_chk(@|$)'
exit $failed
