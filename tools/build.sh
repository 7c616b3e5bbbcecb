#!/usr/bin/env bash
# Configures a preset of CMakePresets.json if needed and builds targets of it, quietly unless
# something is wrong: tools/build.sh PRESET [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
folder=build/$preset

# Ninja itself notices a changed CMakeLists.txt, but not a changed preset.
if [ ! -f "$folder/build.ninja" ] || [ CMakePresets.json -nt "$folder/configured" ]; then
    mkdir -p "$folder"
    if ! cmake --preset "$preset" >"$folder/configure.log" 2>&1; then
        cat "$folder/configure.log" >&2
        echo "build: configuring $folder failed, see above; 'make setup' installs what is needed" >&2
        exit 1
    fi
    touch "$folder/configured"
fi

if [ -t 1 ]; then  # A terminal gets Ninja's one line of progress.
    exec ninja -C "$folder" "$@"
fi
# Otherwise its output is passed on, with its progress every 15 s.
ninja -C "$folder" "$@" 2>&1 | tools/tell.py build
