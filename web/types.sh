#!/usr/bin/env bash
# Makes the types of the API from the OpenAPI document: web/types.sh [FILE]
set -euo pipefail
file=$(realpath -m "${1:-$(dirname "$0")/src/api/schema.d.ts}")
cd "$(dirname "$0")"
./install.sh
npx --no-install openapi-typescript openapi.json --root-types=false -o "$file" >/dev/null 2>&1
