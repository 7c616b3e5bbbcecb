"""Builds programs into the user's cache: once, one at a time, never half."""

import glob
import os
import shutil
import subprocess
import sys
import time

from . import parts, paths
from .errors import TestbedError, tail_of
from .lock import locked

BUILD_TIMEOUT_S = 3600
# What kwok needs beside its program; it refuses to start without stages.
KWOK_STAGES = ("node/fast", "node/heartbeat-with-lease", "pod/fast")


def missing_of(programs):
    missing = [p for p in programs if not os.access(parts.path_of(p), os.X_OK)]
    if any(p.name == "kwok" for p in programs) and not os.path.isdir(stages_folder()):
        missing += [p for p in programs if p.name == "kwok" and p not in missing]
    return missing


def stages_folder():
    return os.path.join(parts.folder_of("kwok"), "stages")


def go_command():
    """The path of go, or None: then only what is built already can be used."""
    return shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")


def build(programs, say=lambda text: print(text, file=sys.stderr, flush=True)):
    """Builds those of the programs that are not there. Returns how many were built."""
    if not missing_of(programs):
        return 0
    go = go_command()
    if go is None:
        names = ", ".join(p.name for p in missing_of(programs))
        raise TestbedError(f"Go is not installed, and {names} must be built; install Go 1.26.4 or "
                           "newer and put it on the PATH")
    lock = os.path.join(paths.cache_root(), "build.lock")
    waiting = lambda: say("testbed: another build is at work; waiting for it")
    with locked(lock, BUILD_TIMEOUT_S, "the build", waiting) as held:
        missing = missing_of(programs)  # The one that was at work may have built them.
        begin = time.monotonic()
        for number, program in enumerate(missing, 1):
            say(f"testbed: building {parts.full_name(program)} ({number} of {len(missing)})")
            took = build_one(go, program, held)
            size = os.stat(parts.path_of(program)).st_size / 1e6
            say(f"testbed: built {parts.full_name(program)} in {took:.0f} s, {size:.0f} MB")
        if missing:
            say(f"testbed: built {len(missing)} programs in {time.monotonic() - begin:.0f} s")
        return len(missing)


def linker_flags(module):
    """Without the version set here, clients see v0.0.0."""
    version = parts.version_of(module)
    if not version:
        return "-s -w"
    major, minor, _ = version.lstrip("v").split(".")
    values = {"gitVersion": version, "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
    home = "k8s.io/component-base/version"
    return " ".join(["-s -w"] + [f"-X {home}.{k}={v}" for k, v in values.items()])


def environment():
    """Static programs of exactly the pinned modules, by the Go that is there."""
    flags = os.environ.get("GOFLAGS", "").split()
    return {**os.environ, "CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off",
            "GOFLAGS": " ".join([f for f in flags if not f.startswith("-mod=")]
                                + ["-mod=readonly", "-buildvcs=false"])}


def build_one(go, program, held):
    """Builds to a name of its own and renames it, so that no half program is ever found.

    Go holds the lock too: if we are killed, the next build begins when it has ended.
    """
    begin, target = time.monotonic(), parts.path_of(program)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    for stale in glob.glob(glob.escape(target) + ".part-*"):
        os.remove(stale)  # Left by a build that was killed: we hold the lock.
    temporary, log = f"{target}.part-{os.getpid()}", f"{target}.log"
    command = [go, "build", "-trimpath", "-ldflags", linker_flags(program.module), "-o", temporary,
               program.package]
    with open(log, "wb") as output:
        try:
            done = subprocess.run(command, cwd=os.path.join(paths.GO_MODULES, program.module),
                                  env=environment(), stdout=output, stderr=output,
                                  pass_fds=[held.fileno()], timeout=BUILD_TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            raise TestbedError(f"building {program.name} took over {BUILD_TIMEOUT_S} s; "
                               f"its output is in {log}") from None
    if done.returncode != 0:
        raise TestbedError(f"go could not build {program.name}; if it could not fetch a module, "
                           f"look at GOPROXY. The end of {log}:\n{tail_of(log)}")
    if program.name == "kwok":
        copy_stages(go)
    os.rename(temporary, target)
    os.remove(log)
    return time.monotonic() - begin


def copy_stages(go):
    """Keeps kwok's stages beside it, so that running it needs neither Go nor its module."""
    done = subprocess.run([go, "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kwok"],
                          cwd=os.path.join(paths.GO_MODULES, "kwok"), env=environment(),
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise TestbedError(f"go could not find the module of kwok: {done.stderr.strip()}")
    temporary = f"{stages_folder()}.part"
    shutil.rmtree(temporary, ignore_errors=True)
    os.makedirs(temporary)
    for stage in KWOK_STAGES:
        home = os.path.join(done.stdout.strip(), "kustomize/stage", stage)
        for path in glob.glob(os.path.join(home, "*.yaml")):
            name = os.path.basename(path)
            if name != "kustomization.yaml":
                copy = os.path.join(temporary, f"{stage.replace('/', '-')}-{name}")
                shutil.copyfile(path, copy)
    shutil.rmtree(stages_folder(), ignore_errors=True)
    os.rename(temporary, stages_folder())
