#!/usr/bin/env bash
# Writes go.mod and go.sum of the modules from which the test cluster is built:
# testbed/go/pin.sh [MODULE...]. Only needed to change a version; building never changes them.
set -euo pipefail
cd "$(dirname "$0")"

go_version=1.26.0
kubernetes_all=(kube-apiserver kube-controller-manager kube-scheduler kubelet kubectl)

# Starts a go.mod for our module $1; the rest are the programs that it builds.
begin() {
    local module=$1 program
    shift
    mkdir -p "$module"
    rm -f "$module/go.sum"
    {
        printf 'module parley/testbed/%s\n\ngo %s\n\ntool (\n' "$module" "$go_version"
        for program in "$@"; do printf '\t%s\n' "$program"; done
        printf ')\n\n'
    } >"$module/go.mod"
}

# What the tests of dependencies need is not to be had for all of them, hence -e; a package that
# is missing for a program stops its build.
settle() {
    (cd "$1" && go mod tidy -e 2>tidy.log) || { cat "$1/tidy.log" >&2; exit 1; }
    rm -f "$1/tidy.log"
    echo "pinned $1: $(grep -c . "$1/go.sum") sums"
}

# The go.mod of Kubernetes points its staging modules at local folders, which other modules do not
# see; each is also published by itself, as v0.MINOR.PATCH.
kubernetes() {
    local module=$1 version=$2 staging=v0.${2#v1.} source
    shift 2
    begin "$module" "${@/#/k8s.io/kubernetes/cmd/}"
    source=$(go mod download -json "k8s.io/kubernetes@$version" | sed -nE 's/.*"GoMod": "(.*)".*/\1/p')
    {
        printf 'require k8s.io/kubernetes %s\n\nreplace (\n' "$version"
        sed -nE "s|^\t(k8s.io/[a-z0-9-]+) => \./staging/.*|\t\1 => \1 $staging|p" "$source"
        printf ')\n'
    } >>"$module/go.mod"
    settle "$module"
}

plain() {
    local module=$1 require=$2 version=$3
    shift 3
    begin "$module" "$@"
    printf 'require %s %s\n' "$require" "$version" >>"$module/go.mod"
    settle "$module"
}

pin() {
    case $1 in
        kubernetes-1.34) kubernetes "$1" v1.34.4 kube-apiserver ;;
        kubernetes-1.35) kubernetes "$1" v1.35.4 "${kubernetes_all[@]}" ;;
        kubernetes-1.36) kubernetes "$1" v1.36.3 kube-apiserver ;;
        kwok) plain "$1" sigs.k8s.io/kwok v0.8.0 sigs.k8s.io/kwok/cmd/kwok ;;
        metrics-server)
            plain "$1" sigs.k8s.io/metrics-server v0.9.0 \
                sigs.k8s.io/metrics-server/cmd/metrics-server
            ;;
        etcd)
            begin etcd go.etcd.io/etcd/etcdctl/v3 go.etcd.io/etcd/etcdutl/v3
            for part in server etcdctl etcdutl; do
                printf 'require go.etcd.io/etcd/%s/v3 v3.6.16\n' "$part" >>etcd/go.mod
            done
            settle etcd
            ;;
        *)
            echo "pin: no module is called '$1'" >&2
            exit 2
            ;;
    esac
}

[ $# -gt 0 ] || set -- etcd kubernetes-1.35 kubernetes-1.34 kubernetes-1.36 kwok metrics-server
for module in "$@"; do pin "$module"; done
