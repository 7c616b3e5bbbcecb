#!/usr/bin/env bash
# Builds the page into src/web/page, or into another folder: web/build.sh [FOLDER]
# The same sources give the same bytes; CMake embeds the result.
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../src/web/page}")
cd "$(dirname "$0")"
./install.sh
npm run --silent build -- --logLevel warn --outDir "$folder"
