"""The cgroups of real nodes: one in each controller of v1, so that usage is each node's own."""

import os
import time
from dataclasses import dataclass

from .errors import TestbedError

PREFIX = "parley-"


@dataclass(frozen=True)
class Controller:
    path: str     # Where it is mounted.
    options: str  # With which it is mounted again inside a node, such as `cpu,cpuacct`.


def parse_controllers(mountinfo):
    """The mounted controllers of cgroup v1."""
    found = {}
    for line in mountinfo.splitlines():
        before, after = line.split(" - ", 1)
        kind, _, options = after.split()[:3]
        if kind != "cgroup":
            continue
        names = [o for o in options.split(",") if o not in ("rw", "ro", "xattr", "clone_children",
                                                            "seclabel")
                 and not o.startswith("release_agent=")]
        if names and names[0].startswith("name="):
            names = ["none", *names]
        path = before.split()[4]
        found.setdefault(",".join(names), Controller(path, ",".join(names)))
    return list(found.values())


def controllers():
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        return parse_controllers(file.read())


def name_of(slot, node_name):
    return f"{PREFIX}{slot:02}-{node_name}"


def create(name):
    """Makes the cgroup everywhere; returns the files through which a process joins it."""
    joins = []
    for controller in controllers():
        folder = os.path.join(controller.path, name)
        os.makedirs(folder, exist_ok=True)
        if "cpuset" in controller.options.split(","):
            # A cpuset starts empty, and then nothing can join.
            for file in ("cpuset.cpus", "cpuset.mems"):
                with open(os.path.join(controller.path, file), encoding="ascii") as source:
                    value = source.read()
                with open(os.path.join(folder, file), "w", encoding="ascii") as target:
                    target.write(value)
        joins.append(os.path.join(folder, "cgroup.procs"))
    return joins


def folders_of(name):
    return [f for c in controllers() if os.path.isdir(f := os.path.join(c.path, name))]


def processes_in(folder):
    found = set()
    for place, _, _ in os.walk(folder):
        try:
            with open(os.path.join(place, "cgroup.procs"), encoding="ascii") as file:
                found.update(map(int, file.read().split()))
        except (FileNotFoundError, OSError):
            pass  # It went away while we looked.
    return found


def wait_empty(name, timeout_s=20.0):
    """Waits until no process is left in it, as after its namespace's first process was killed."""
    deadline = time.monotonic() + timeout_s
    while rest := set().union(*map(processes_in, folders_of(name))):
        if time.monotonic() > deadline:
            raise TestbedError(f"processes {sorted(rest)} are still in cgroup {name} after "
                               f"{timeout_s:.0f} s; the kernel holds them, look at /proc/PID/stack")
        time.sleep(0.02)


def remove(name, timeout_s=20.0):
    """Removes the cgroup and all under it; they can be busy for a moment after the last process."""
    deadline = time.monotonic() + timeout_s
    while folders := folders_of(name):
        for folder in folders:
            for place, _, _ in os.walk(folder, topdown=False):
                try:
                    os.rmdir(place)
                except OSError:
                    pass  # Busy: tried again below, and an error at the end.
        if time.monotonic() > deadline:
            raise TestbedError(f"cgroup {folders[0]} cannot be removed; look at what is in its "
                               "cgroup.procs")
        if folders_of(name):
            time.sleep(0.05)


def all_of_testbed():
    """Cgroups that have a name of ours, of whatever cluster."""
    found = []
    for controller in controllers():
        for name in sorted(os.listdir(controller.path)):
            parts = name.removeprefix(PREFIX).split("-")
            if name.startswith(PREFIX) and parts[0].isdigit() and len(parts) == 3:
                found.append(os.path.join(controller.path, name))
    return found
