"""Starts programs and ends them. A process is its number and its start time, never a name.

The child itself writes its record before it becomes the program, and holds the cluster's lock
until then. So there is no moment at which a kill of the testbed leaves a process unknown.
"""

import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass

from . import state
from .errors import TestbedError, tail_of

MARK = "PARLEY_TESTBED_CLUSTER"  # In the environment of everything that is started.


@dataclass(frozen=True)
class Process:
    name: str
    pid: int
    start: int  # In clock ticks since the machine started.
    boot: str


def stat_of(pid):
    """(state, start time) of a process, or None if there is none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return parse_stat(file.read())
    except (FileNotFoundError, ProcessLookupError):
        return None


def parse_stat(text):
    """The name is in parentheses and may itself hold any character: count from its end."""
    fields = text[text.rindex(")") + 2:].split()
    return fields[0], int(fields[19])


def is_alive(process):
    """A killed process stays a zombie until its parent looks; that counts as dead."""
    if process.boot != state.boot_id():
        return False
    found = stat_of(process.pid)
    return found is not None and found[0] not in "ZX" and found[1] == process.start


def record_path(cluster, name):
    return cluster.path("processes", f"{name}.json")


def recorded(cluster, name):
    value = state.read_json(record_path(cluster, name))
    return value and Process(name, value["pid"], value["start"], value["boot"])


def all_recorded(cluster):
    try:
        files = sorted(os.listdir(cluster.path("processes")))
    except FileNotFoundError:
        return []
    names = [f.removesuffix(".json") for f in files if f.endswith(".json")]
    return [recorded(cluster, name) for name in names]


def without_proxies(environment):
    """Addresses of the cluster are on this machine; a proxy would look for them in vain."""
    return {name: value for name, value in environment.items()
            if not name.lower().endswith("_proxy")}


def start(cluster, name, command, cgroups=()):
    """Starts a program that outlives us; its output goes to logs/NAME.log."""
    boot, path = state.boot_id(), record_path(cluster, name)

    def become():
        for procs in cgroups:
            with open(procs, "w", encoding="ascii") as file:
                file.write("0")
        pid = os.getpid()
        state.write_json(path, {"pid": pid, "start": stat_of(pid)[1], "boot": boot,
                                "command": command})

    previous = recorded(cluster, name)
    if previous and is_alive(previous):
        raise TestbedError(f"{name} of cluster {cluster.name} runs already, as {previous.pid}")
    environment = {**without_proxies(os.environ), MARK: cluster.folder}
    with open(cluster.log(name), "ab") as log:
        try:
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                     env=environment, cwd=cluster.folder, start_new_session=True,
                                     preexec_fn=become)
        except OSError as error:
            raise TestbedError(f"cannot start {command[0]}: {error.strerror}") from None
        except subprocess.SubprocessError as error:
            raise TestbedError(f"cannot prepare the process of {name}: {error}") from None
    # Popen would complain of a child that it did not wait for; this one is meant to stay.
    child.returncode = 0
    return recorded(cluster, name)


def send(process, number):
    """Sends a signal to exactly this process. Returns a descriptor to wait on, or None."""
    try:
        handle = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return None
    # The handle is taken first: what is checked now is what gets the signal.
    if not is_alive(process):
        os.close(handle)
        return None
    try:
        signal.pidfd_send_signal(handle, number)
    except ProcessLookupError:
        os.close(handle)
        return None
    return handle


def stop(processes, grace_s=0.0, timeout_s=20.0):
    """Ends them, by SIGTERM if they have a grace and then by SIGKILL; waits for the end."""
    processes = [p for p in processes if p]
    rest = [p for p in processes if is_alive(p)]
    if grace_s > 0:
        wait_gone([send(p, signal.SIGTERM) for p in rest], grace_s)
        rest = [p for p in rest if is_alive(p)]
    wait_gone([send(p, signal.SIGKILL) for p in rest], timeout_s)
    reap(processes)
    for process in rest:
        if is_alive(process):
            raise TestbedError(f"process {process.pid} ({process.name}) did not end within "
                               f"{timeout_s:.0f} s of SIGKILL; the kernel holds it, look at "
                               f"/proc/{process.pid}/stack")


def wait_gone(handles, timeout_s):
    deadline, open_handles = time.monotonic() + timeout_s, [h for h in handles if h is not None]
    poller = select.poll()
    for handle in open_handles:
        poller.register(handle, select.POLLIN)
    waiting = set(open_handles)
    while waiting and (left := deadline - time.monotonic()) > 0:
        for handle, _ in poller.poll(left * 1000):
            poller.unregister(handle)
            waiting.discard(handle)
    for handle in open_handles:
        os.close(handle)


def reap(processes):
    """Takes leave of those that were children of ours; of an earlier testbed's, the kernel does."""
    for process in processes:
        try:
            os.waitpid(process.pid, os.WNOHANG)
        except ChildProcessError:
            pass


def wait_until(check, timeout_s, what, log=None, process=None, pause_max_s=0.25):
    """Calls check until it gives something; a dead process or a time-out is an error."""
    deadline, pause = time.monotonic() + timeout_s, 0.02
    while True:
        if value := check():
            return value
        ended = process is not None and not is_alive(process)
        if ended or time.monotonic() > deadline:
            why = "ended" if ended else f"was not ready within {timeout_s:.0f} s"
            end = f"; the end of {log}:\n{tail_of(log)}" if log else ""
            raise TestbedError(f"{what} {why}{end}")
        time.sleep(pause)
        pause = min(pause * 1.3, pause_max_s)
