#!/usr/bin/env bash
# Installs what building and testing the page needs, from the lock file: web/install.sh
# Does nothing, quickly, if this lock file was installed already.
set -euo pipefail
cd "$(dirname "$0")"

command -v node >/dev/null && command -v npm >/dev/null || {
    echo "web: building the page needs Node 20.19 or newer and npm; the built page in src/web/page needs neither" >&2
    exit 3
}
node -e 'const [a, b] = process.versions.node.split(".").map(Number);
         process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' || {
    echo "web: building the page needs Node 20.19 or newer, and this is $(node --version)" >&2
    exit 3
}

want=$(cat package-lock.json .npmrc | sha256sum | cut -d' ' -f1)-$(node -p process.versions.modules)
stamp=node_modules/.installed-from
[ "$(cat $stamp 2>/dev/null || true)" = "$want" ] && exit 0
# Not `npm ci`: it refuses a lock file without the optional packages of other systems, which a
# registry may not have. Versions and checksums are still those of the lock file.
npm install --silent --no-save --ignore-scripts
echo "$want" >$stamp
