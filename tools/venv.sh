#!/usr/bin/env bash
# Makes a Python environment of packages from PyPI, for tests and benches against the real peers:
# tools/venv.sh NAME prints its folder. tools/venv/NAME.txt lists the packages with versions.
set -euo pipefail
cd "$(dirname "$0")/.."

list=tools/venv/$1.txt
folder=$PWD/build/venv/$1
[ -f "$list" ] || { echo "venv: there is no $list" >&2; exit 2; }
mkdir -p "${folder%/*}"
exec 9>"$folder.lock"  # Tests that run in parallel may want the same one.
flock 9
if ! cmp -s "$list" "$folder/installed.txt"; then
    rm -rf "$folder"
    python3 -m venv "$folder" >&2
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$list" >&2 ||
        { echo "venv: PyPI did not give what $list names; see above" >&2; exit 1; }
    cp "$list" "$folder/installed.txt"
fi
echo "$folder"
