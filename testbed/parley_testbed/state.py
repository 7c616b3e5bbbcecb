"""What is known of a cluster, in files: written before anything is started or changed.

A cluster is a folder: `cluster.json` says what it is made of, `processes/` holds a file for each
process. Whoever finds the folder can take the cluster down, also after everything was killed.
"""

import json
import os
import shutil

from . import paths
from .errors import TestbedError
from .lock import locked, try_lock

STARTING, UP, STOPPING = "starting", "up", "stopping"
LOCK_TIMEOUT_S = 60


def write_json(path, value):
    """Atomic: the file has the old content or the new one, whenever we are killed."""
    temporary = f"{path}.part-{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1, sort_keys=True)
        file.write("\n")
    os.replace(temporary, path)


def read_json(path):
    """The value, or None if there is no such file; a damaged one is an error."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise TestbedError(f"{path} is damaged ({error}); end the processes that it names by hand, "
                           "then remove its folder") from None


class Cluster:
    """A cluster's folder. `data` is what cluster.json holds; `save` writes it."""

    def __init__(self, root, name):
        self.root, self.name = root, paths.check_name(name)
        self.folder = os.path.join(root, name)
        self.data = {}

    def exists(self):
        return os.path.isdir(self.folder)

    def load(self):
        """Reads cluster.json; a folder without one is a cluster whose making was cut short."""
        self.data = read_json(self.path("cluster.json")) or {"phase": STARTING, "name": self.name}
        return self

    def create(self, **facts):
        for folder in ("", "processes", "pki", "logs"):
            os.makedirs(self.path(folder), mode=0o700, exist_ok=True)
        self.data = {"name": self.name, "phase": STARTING, "boot": boot_id(), **facts}
        self.save()

    def save(self, **changes):
        self.data.update(changes)
        write_json(self.path("cluster.json"), self.data)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def log(self, name):
        return self.path("logs", f"{name}.log")

    def pki(self, name):
        return self.path("pki", name)

    def port(self, name):
        return self.data["ports"][name]

    @property
    def phase(self):
        return self.data.get("phase", STARTING)

    @property
    def kubeconfig(self):
        return self.path("kubeconfig")

    @property
    def lock_path(self):
        return os.path.join(self.root, f"{self.name}.lock")

    def lock(self, timeout_s=LOCK_TIMEOUT_S):
        return locked(self.lock_path, timeout_s, f"cluster {self.name}")

    def is_busy(self):
        """Whether a testbed is at work on it now."""
        if not os.path.exists(self.lock_path):
            return False
        file = try_lock(self.lock_path)
        if file is None:
            return True
        file.close()
        return False

    def remove(self):
        """Forgets the cluster. The lock goes last, so that nobody sees half a folder."""
        shutil.rmtree(self.folder)
        if os.path.exists(self.lock_path):
            os.remove(self.lock_path)


def clusters_in(root):
    if not os.path.isdir(root):
        return []
    names = [n for n in sorted(os.listdir(root)) if os.path.isdir(os.path.join(root, n))]
    return [Cluster(root, name).load() for name in names if not name.endswith(".failed")]


def running(root, name):
    """The cluster of that name, which must be up."""
    cluster = Cluster(root, name)
    if not cluster.exists():
        known = ", ".join(c.name for c in clusters_in(root)) or "none"
        raise TestbedError(f'no cluster is called "{name}" (there are: {known}); start it with: '
                           f"testbed/testbed up --name {name}")
    cluster.load()
    if cluster.phase != UP:
        raise TestbedError(f'cluster "{name}" is not up (it is {cluster.phase}); clean it with: '
                           f"testbed/testbed down --name {name}")
    return cluster


def boot_id():
    """Tells this run of the machine from others: after a restart, process numbers mean nothing."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()
