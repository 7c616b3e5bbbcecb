#!/usr/bin/env bash
# The compiler launcher that CMake calls: tools/compile.sh COMPILER ARGUMENT...
# With it, ccache compiles equal files once, whatever folder a checkout or a preset builds in.
# A precompiled header contains the folder it was made in, so that nothing compiled with it would be
# found again elsewhere. So ccache uses the checksum beside it, over everything that went into it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS=pch_defines,time_macros

case "$*" in
    *-emit-pch*) ;;
    *) exec ccache "${@/#"$PWD/"/}" ;;  # ccache does not look for folders behind -Xclang.
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
