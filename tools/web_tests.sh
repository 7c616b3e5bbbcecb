#!/usr/bin/env bash
# The tests of the page, `make test`'s third part: types, logic, the committed build, and a browser
# against the real binary: tools/web_tests.sh [--browser | FILE OF tests/browser...]
# With an argument only the browser, with all its tests or with those of some files. PARLEY_FAULTS=all
# in the environment has them at their full length.
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/stage.sh

# A machine without Node or Chromium skips this tier; CI may not.
missing=
command -v "${CHROMIUM:-/usr/bin/chromium}" >/dev/null || missing="a browser is needed: apt-get install chromium"
why=$(web/install.sh 2>&1)
case $? in
    0) ;;
    3) missing=${why#web: } ;;
    *)
        echo "web: the packages of web/package-lock.json could not be installed: $why" >&2
        exit 1
        ;;
esac
if [ -n "$missing" ]; then
    echo "web: the tests of the page are left out: $missing"
    [ "${CI:-}" != true ] || { echo "web: in CI they must run" >&2; exit 1; }
    exit 0
fi

# The committed src/web/page is what the sources build.
same_build() {
    local built status=0
    built=$(mktemp -d)
    if ! web/build.sh "$built" || ! diff -rq "$built" src/web/page; then
        echo "web: src/web/page is not what web/ gives; 'web/build.sh' writes it, commit both" >&2
        status=1
    fi
    rm -rf "$built"
    return $status
}

# The committed types of the API are what the OpenAPI document gives.
same_types() {
    local made status=0
    made=$(mktemp --suffix .d.ts)
    if ! web/types.sh "$made" || ! cmp "$made" web/src/api/schema.d.ts; then
        echo "web: web/src/api/schema.d.ts is not what web/openapi.json gives; 'web/types.sh' writes it" >&2
        status=1
    fi
    rm -f "$made"
    return $status
}

# The size of the page and its fonts, as sent.
page_size() {
    local bytes=0 file
    while read -r file; do
        bytes=$((bytes + $(gzip -9c "$file" | wc -c)))
    done < <(find src/web/page -type f)
    echo "web: the page is $((bytes / 1024)) KB compressed, fonts included"
    [ "$bytes" -le 204800 ] || { echo "web: 200 KB is the most" >&2; return 1; }
}

in_browser() {
    # The limit is for all tests of a file together, and only for what hangs.
    PARLEY=$PWD/build/parley MAKE_RUN=$PWD/build/dev/tests/make_run \
        node --test --test-concurrency=2 --test-timeout=1800000 --test-reporter=./tests/browser/reporter.mjs "$@" 2>&1 |
        tools/tell.py browser
}

status=0
if [ $# -eq 0 ]; then
    stage "web, types of the API" - same_types || status=1
    stage "web, types" - npm --prefix web run --silent check -- --output human || status=1
    stage "web, logic" - npm --prefix web run --silent test -- --reporter=dot || status=1
    stage "web, build" - same_build || status=1
    stage "web, size" - page_size || status=1
    set -- --browser
fi
[ "$1" != --browser ] || set -- tests/browser/*.test.mjs
stage "web, browser" - in_browser "$@" || status=1
exit $status
