"""What is built: modules, their programs and the key under which the cache keeps them."""

import hashlib
import os
import re
from dataclasses import dataclass

from . import paths
from .errors import TestbedError

MINORS = ("1.34", "1.35", "1.36")
MINOR = "1.35"  # The one of which everything is built; of the others only the API server.


@dataclass(frozen=True)
class Program:
    name: str
    package: str
    module: str  # A folder under testbed/go.


KUBERNETES = ("kube-apiserver", "kubectl", "kube-controller-manager", "kube-scheduler", "kubelet")
PROGRAMS = [
    Program("etcd", ".", "etcd"),
    Program("etcdctl", "go.etcd.io/etcd/etcdctl/v3", "etcd"),
    Program("etcdutl", "go.etcd.io/etcd/etcdutl/v3", "etcd"),
    *[Program(name, f"k8s.io/kubernetes/cmd/{name}", f"kubernetes-{MINOR}") for name in KUBERNETES],
    *[Program("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", f"kubernetes-{minor}")
      for minor in MINORS if minor != MINOR],
    Program("kwok", "sigs.k8s.io/kwok/cmd/kwok", "kwok"),
    Program("metrics-server", "sigs.k8s.io/metrics-server/cmd/metrics-server", "metrics-server"),
    Program("pause", ".", "pause"),
]

API = ["etcd/etcd", "etcd/etcdctl", "etcd/etcdutl", f"kubernetes-{MINOR}/kubectl"]
CONTROL = [f"kubernetes-{MINOR}/{n}" for n in ("kube-controller-manager", "kube-scheduler")]
NEEDS = {
    "api": API,
    "scale": API + CONTROL + ["kwok/kwok"],
    "real": API + CONTROL + [f"kubernetes-{MINOR}/kubelet", "metrics-server/metrics-server",
                             "pause/pause"],
}


def full_name(program):
    return f"{program.module}/{program.name}"


def needed_by(profile, minor=MINOR):
    """The programs of a profile, in the order in which to build them."""
    names = {f"kubernetes-{minor}/kube-apiserver", *NEEDS[profile]}
    return [p for p in PROGRAMS if full_name(p) in names]


def selected(words):
    """The programs that words name: a profile, a module, a program, `all`, or MODULE/PROGRAM."""
    chosen = []
    for word in words or ["all"]:
        if word in NEEDS:
            found = needed_by(word)
        else:
            found = [p for p in PROGRAMS if word in ("all", p.name, p.module, full_name(p))]
        if not found:
            known = sorted({*NEEDS, *(p.module for p in PROGRAMS), *(p.name for p in PROGRAMS)})
            raise TestbedError(f'no part is called "{word}"; there are all, {", ".join(known)}')
        chosen += found
    return [p for p in PROGRAMS if p in chosen]


def key_of(contents):
    """The key of a module: a hash over its files, by name, and so over every pinned version."""
    digest = hashlib.sha256()
    for name in sorted(contents):
        digest.update(f"{name}\0{len(contents[name])}\0".encode() + contents[name])
    return digest.hexdigest()[:12]


def files_of(module):
    folder, contents = os.path.join(paths.GO_MODULES, module), {}
    for name in sorted(os.listdir(folder)):
        if name in ("go.mod", "go.sum") or name.endswith(".go"):
            with open(os.path.join(folder, name), "rb") as file:
                contents[name] = file.read()
    return contents


def folder_of(module):
    """Where the cache keeps what is built of a module."""
    return os.path.join(paths.cache_root(), f"{module}-{key_of(files_of(module))}")


def path_of(program):
    return os.path.join(folder_of(program.module), "bin", program.name)


def find(name, module=None):
    """The path of a built program; says how to build it if it is not there."""
    for program in PROGRAMS:
        if program.name == name and module in (None, program.module):
            path = path_of(program)
            if not os.access(path, os.X_OK):
                raise TestbedError(f"{name} is not built; run: testbed/testbed build "
                                   f"{full_name(program)}")
            return path
    raise TestbedError(f'no program is called "{name}"')


def version_of(module):
    """The version of Kubernetes that a module pins, such as v1.35.4; empty for other modules."""
    text = files_of(module)["go.mod"].decode()
    match = re.search(r"^\s*(?:require )?k8s\.io/kubernetes (v\S+)", text, re.M)
    return match.group(1) if match else ""
