#!/usr/bin/env bash
# The gate besides the tests, `make check`: tools/check.sh [-f]
# With -f it only formats, in place. A stage that fails does not keep the next from running.
set -uo pipefail
cd "$(dirname "$0")/.."
. tools/stage.sh

# Under ASan a file with Beast takes 43 s to compile: `make check-all` has these.
asan_without='/(http|kube_watch|kube_exercise|prometheus|observation|pipeline|app_live)_test$'
tidied_at_most=20

# Without a list of files the stages below would check nothing and pass.
git rev-parse --git-dir >/dev/null ||
    { echo "check: git cannot read this repository, see 'git status'" >&2; exit 2; }

sources() {
    git ls-files --cached --others --exclude-standard -- '*.h' '*.cc' | while read -r file; do
        [ ! -f "$file" ] || echo "$file"  # A file deleted but not yet committed is listed too.
    done
}

check_format() {
    sources | xargs -r -P "$(nproc)" -n 20 clang-format-19 --dry-run -Werror ||
        { echo "format: 'tools/check.sh -f' formats in place" >&2; return 1; }
}

# The commit to compare with: where we left origin/main, or the commit before.
base_commit() {
    local base
    base=$(git merge-base HEAD origin/main 2>/dev/null)
    if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD 2>/dev/null)" ]; then
        base=$(git rev-parse --verify --quiet 'HEAD~1')
    fi
    # Without an earlier commit everything is new: git's name for the empty tree.
    echo "${base:-4b825dc642cb6eb9a060e54bf8d69288fbee4904}"
}

# The changed .cc files, and those beside a changed header, that the build compiles.
changed_sources() {
    local compiled
    compiled=$(sed -nE 's/^ *"file": "(.*)",?$/\1/p' build/dev/compile_commands.json)
    { git diff --name-only --diff-filter=d "$(base_commit)" -- '*.h' '*.cc'
      git ls-files --others --exclude-standard -- '*.h' '*.cc'; } |
        sed -E 's/^(.*)\.h$/\1.cc\n\1_test.cc/' | sort -u | while read -r file; do
        if grep -qxF "$PWD/$file" <<<"$compiled"; then echo "$file"; fi
    done
}

run_clang_tidy() {
    local files
    mapfile -t files < <(changed_sources)
    [ ${#files[@]} -gt 0 ] || { echo "clang-tidy: no source file changed"; return 0; }
    local headers  # It reads what the compiler reads, including precompiled headers.
    mapfile -t headers < <(ninja -C build/dev -t targets all | sed -nE 's/^(.*\.pch): .*/\1/p')
    tools/build.sh dev "${headers[@]}" || return 1
    printf '%s\n' "${files[@]:0:tidied_at_most}" |
        xargs -P "$(nproc)" -n 1 clang-tidy-19 -p build/dev --quiet 2> >(grep -vE \
            '^[0-9]+ warnings? (and [0-9]+ errors? )?generated|^Suppressed |^Use -header-filter' >&2)
    local status=$?
    if [ ${#files[@]} -gt $tidied_at_most ]; then
        echo "clang-tidy: looked at $tidied_at_most of ${#files[@]} changed files, not at:" \
            "${files[@]:tidied_at_most}"
    fi
    return $status
}

# Builds and runs the test programs of src/ under address and undefined behaviour sanitizers.
run_sanitized() {
    tools/build.sh asan build.ninja || return 1  # Only configures.
    local tests
    mapfile -t tests < <(ninja -C build/asan -t targets all |
        sed -nE 's|^(src/([a-z_/]*/)?[a-z0-9_]+_test): CXX_EXECUTABLE_LINKER.*|\1|p' |
        grep -vE "$asan_without")
    tools/build.sh asan "${tests[@]}" || return 1
    local status=0
    printf '%s\n' "${tests[@]/#/build/asan/}" |
        UBSAN_OPTIONS=print_stacktrace=1 xargs -P "$(nproc)" -n 1 bash -c '
        output=$(timeout 300 "$0" --gtest_brief=1 2>&1) ||
            { echo "asan: $0 failed:"; echo "$output"; exit 1; }' || status=1
    [ $status -ne 0 ] || echo "asan: ${#tests[@]} test programs are clean"
    return $status
}

run_second_compiler() {
    tools/build.sh gcc12 && tools/ctest.sh gcc12
}

case ${1:-} in
    '') ;;
    -f)
        sources | xargs -r clang-format-19 -i
        exit
        ;;
    format | tidy | clang-tidy | asan | gcc12) only=$1 ;;
    *)
        echo "check: unknown argument '$1'; use -f to format, or one of format, tidy, clang-tidy," \
            "asan, gcc12 to run that stage alone" >&2
        exit 2
        ;;
esac

failed=()
gate() {  # Like stage, unless only another one is wanted; remembers what failed.
    if [ "${only:-$1}" = "$1" ]; then
        stage "$@" || failed+=("$1")
    fi
}

gate format 20 check_format
gate tidy 5 python3 tools/tidy.py
[ -f build/dev/compile_commands.json ] || tools/build.sh dev build.ninja
gate clang-tidy 300 run_clang_tidy
gate asan 600 run_sanitized
gate gcc12 300 run_second_compiler

if [ ${#failed[@]} -gt 0 ]; then
    echo "check: failed: ${failed[*]}; 'tools/check.sh ${failed[0]}' repeats the first alone" >&2
    exit 1
fi
echo "check: all is well"
