#!/usr/bin/env bash
# What CMake calls a compiler by: tools/compile.sh COMPILER ARGUMENT...
# The same file is compiled once by ccache, whatever folder a checkout or a preset builds in.
# A precompiled header holds the folder it was made in, so that nothing compiled with it would be
# found again elsewhere. ccache takes the sum beside it instead: of all that went into it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS=pch_defines,time_macros

case "$*" in
    *-emit-pch*) ;;
    *) exec ccache "${@/#"$PWD/"/}" ;;  # Behind -Xclang it would not look for folders.
esac

output= depends= previous=
for argument in "$@"; do
    case $previous in
        -o) output=$argument ;;
        -MF) depends=$argument ;;
    esac
    previous=$argument
done
rm -f "$output.sum"
ccache "$@"
mapfile -t files < <(sed -e '1s/^[^:]*://' -e 's/\\$//' "$depends" | xargs -n 1)
{ printf '%s\n' "${@//"$root"/}" && "$1" --version && cat -- "${files[@]}"; } |
    sha256sum >"$output.sum"
