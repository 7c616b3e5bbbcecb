#!/usr/bin/env bash
# Takes the pictures of README and docs/dashboard.md from the real page: web/pictures.sh [FOLDER]
# Needs build/parley, build/dev/tests/make_run and Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
web/install.sh
node web/pictures.mjs "${1:-docs/pictures}"
