#!/usr/bin/env bash
# Installs by apt what one purpose needs on Debian 12: tools/setup.sh [run|test|check|bench|cluster].
# Does nothing, quickly, when everything is installed.
set -euo pipefail

# What the demo needs to build and run. GoogleTest is included because one configured build
# directory serves `make run` and `make test`, and it is small.
run_packages=(
    make cmake ninja-build clang-19 mold ccache python3
    libboost1.81-dev libboost-url1.81-dev libssl-dev zlib1g-dev libsimdjson-dev libyaml-cpp-dev
    libcli11-dev libsqlite3-dev libzstd-dev libexpected-dev libxgboost-dev
    libgtest-dev prometheus-cpp-dev
)
# The terminal tests run in tmux, those of the page in Chromium; the sanitizers need their runtime.
test_packages=(python3-venv tmux g++ libclang-rt-19-dev clang-format-19 chromium)
# The release build that check-all inspects includes the benchmarks.
check_packages=(git clang-tidy-19 libbenchmark-dev rapidjson-dev)
# What the test cluster runs besides what it builds. It also needs Go, newer than in Debian.
cluster_packages=(
    python3 openssl iproute2 util-linux mount containerd runc containernetworking-plugins
    prometheus prometheus-node-exporter busybox-static
)

purpose=${1:-run}
case $purpose in
    run) packages=("${run_packages[@]}") ;;
    test) packages=("${run_packages[@]}" "${test_packages[@]}") ;;
    check) packages=("${run_packages[@]}" "${test_packages[@]}" "${check_packages[@]}") ;;
    bench) packages=("${run_packages[@]}" python3-venv libbenchmark-dev rapidjson-dev openssl strace) ;;
    cluster) packages=("${cluster_packages[@]}") ;;
    *)
        echo "setup: unknown purpose '$purpose'; use run, test, check, bench or cluster" >&2
        exit 2
        ;;
esac

stop() {
    echo "setup: $1" >&2
    exit 1
}

# Prints those of its arguments that are not installed.
missing_of() {
    local installed
    # dpkg-query complains about unknown names, which are what we look for.
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
    for package in "$@"; do
        grep -qxF "installed $package" <<<"$installed" || echo "$package"
    done
}

by_hand="Install the equivalents of these by hand, then build with 'cmake --preset dev' and
'cmake --build build/dev': ${packages[*]}"

command -v dpkg-query >/dev/null || stop "this is not a Debian system. $by_hand"
mapfile -t missing < <(missing_of "${packages[@]}")
[ ${#missing[@]} -gt 0 ] || exit 0

system=$(. /etc/os-release && echo "${ID:-unknown} ${VERSION_ID:-}")
[ "$system" = "debian 12" ] || stop "it knows the packages of Debian 12, and this is $system. $by_hand"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
        stop "neither root nor sudo. Ask an administrator for: apt-get install ${missing[*]}"
    as_root=(sudo)
fi

apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
        -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@"
}

# Package lists that are missing or over a day old may name files that the archive no longer has.
lists_are_fresh() {
    # The lists carry the archive's dates; apt writes to partial/ whenever it updates them.
    compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null &&
        [ -n "$(find /var/lib/apt/lists/partial -maxdepth 0 -mtime -1 2>/dev/null)" ]
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The test cluster starts containerd and Prometheus itself, with settings of its own: installing
# them must not start them as services of the machine.
if [ "$purpose" = cluster ] && [ ! -e /usr/sbin/policy-rc.d ]; then
    trap 'rm -f "$log"; "${as_root[@]}" rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee /usr/sbin/policy-rc.d >/dev/null
    "${as_root[@]}" chmod 755 /usr/sbin/policy-rc.d
fi
install_missing() {
    apt install --no-install-recommends "${missing[@]}" >>"$log" 2>&1
}

echo "setup: installing ${missing[*]}"
updated=no
if ! lists_are_fresh; then
    apt update >>"$log" 2>&1 || true  # If something is missing now, installing will report it.
    updated=yes
fi
if ! install_missing && { [ $updated = yes ] || ! apt update >>"$log" 2>&1 || ! install_missing; }; then
    cat "$log" >&2
    stop "apt could not install ${missing[*]}. Its output is above: look for a network that does
not reach the Debian archive, a source that is missing from /etc/apt, or another apt at work."
fi
echo "setup: installed ${#missing[@]} packages and what they need in $SECONDS s"
