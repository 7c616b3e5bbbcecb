"""The first process of a real node, inside its namespaces: testbed starts it, nobody else.

Usage: node_init.py FILE. Makes the namespaces look like a machine, starts containerd, kubelet and
node-exporter, starts them again when they end, and reaps what loses its parent. If it is killed,
the kernel kills everything in the node: a power cut.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time

# What kubelet sets on the machine, and the values it wants. It finds files of ours that hold them,
# so the machine's own stay as they are, however the node ends.
SYSCTLS = {"vm/overcommit_memory": 1, "vm/panic_on_oom": 0, "kernel/panic": 10,
           "kernel/panic_on_oops": 1, "kernel/keys/root_maxkeys": 1000000,
           "kernel/keys/root_maxbytes": 25000000}
TIMEOUT_S = 30


def say(text):
    print(f"node: {text}", flush=True)


def run(*command, timeout_s=TIMEOUT_S):
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
    if done.returncode != 0:
        output = (done.stderr or done.stdout).strip()
        raise SystemExit(f"node: {' '.join(command)} failed: {output}")


def mount(*arguments):
    run("mount", *arguments)


def wait_for(path):
    deadline = time.monotonic() + TIMEOUT_S
    while not os.path.exists(path):
        if time.monotonic() > deadline:
            raise SystemExit(f"node: {path} did not appear within {TIMEOUT_S} s")
        time.sleep(0.01)


def make_file_system(settings):
    """Own /sys, cgroups, /run, /var/lib and /var/log; the rest is the machine's."""
    mount("-t", "sysfs", "sysfs", "/sys")
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", "/sys/fs/cgroup")
    for controller in settings["controllers"]:
        os.makedirs(controller["path"], exist_ok=True)
        mount("-t", "cgroup", "-o", controller["options"], "cgroup", controller["path"])
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run")
    for folder in ("/run/node", "/run/bin", "/run/lock", "/run/sysctl"):
        os.makedirs(folder)
    mount("--bind", settings["folder"], "/run/node")
    # Programs are bound one by one: the folder that they are in may be hidden next.
    for name, path in settings["programs"].items():
        with open(f"/run/bin/{name}", "wb"):
            pass
        mount("--bind", path, f"/run/bin/{name}")
    mount("--bind", "/run/node/lib", "/var/lib")
    mount("--bind", "/run/node/log", "/var/log")
    for name, value in SYSCTLS.items():
        if not os.path.exists(f"/proc/sys/{name}"):
            continue
        copy = "/run/sysctl/" + name.replace("/", ".")
        with open(copy, "w", encoding="ascii") as file:
            file.write(f"{value}\n")
        mount("--bind", copy, f"/proc/sys/{name}")


def make_network(settings):
    run("ip", "link", "set", "lo", "up")
    wait_for("/sys/class/net/eth0")
    run("ip", "address", "add", f"{settings['address']}/24", "dev", "eth0")
    run("ip", "link", "set", "eth0", "up")
    run("ip", "route", "add", "default", "via", settings["gateway"])
    for other in settings["others"]:
        run("ip", "route", "add", other["pods"], "via", other["address"])
    with open("/proc/sys/net/ipv4/ip_forward", "w", encoding="ascii") as file:
        file.write("1\n")


def commands(settings):
    return {
        "containerd": ["containerd", "--config", "/run/node/containerd.toml"],
        "kubelet": ["/run/bin/kubelet", "--config=/run/node/kubelet.json",
                    "--kubeconfig=/run/node/kubeconfig", f"--node-ip={settings['address']}",
                    "--root-dir=/var/lib/kubelet",
                    f"--node-labels=testbed.parley/zone={settings['zone']}"],
        "node-exporter": ["prometheus-node-exporter", "--web.listen-address=:9100",
                          "--log.level=warn"],
    }


class Children:
    """Programs that run as long as the node does."""

    def __init__(self, programs):
        self.programs, self.running = programs, {}

    def start(self, name):
        environment = {**os.environ, "TMPDIR": "/run/node/tmp",
                       "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        with open(f"/run/node/{name}.log", "ab") as log:
            child = subprocess.Popen(self.programs[name], stdin=subprocess.DEVNULL, stdout=log,
                                     stderr=log, env=environment, cwd="/")
        child.returncode = 0  # The loop below waits for it, not Popen.
        self.running[child.pid] = name
        say(f"started {name} as {child.pid}")

    def watch(self):
        """Reaps for ever; a program that ended is started again after a second."""
        while True:
            pid, status = os.wait()
            if name := self.running.pop(pid, None):
                say(f"{name} ended with status {status}; starting it again")
                time.sleep(1)
                self.start(name)


def wait_socket(path):
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                return probe.connect(path)
            except OSError:
                pass
        if time.monotonic() > deadline:
            raise SystemExit(f"node: nobody listens on {path} after {TIMEOUT_S} s; see "
                             "containerd.log")
        time.sleep(0.02)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    # A first process gets no default action for signals; the end must come when it is asked for.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    socket.sethostname(settings["name"])
    make_file_system(settings)
    make_network(settings)
    children = Children(commands(settings))
    children.start("containerd")
    wait_socket("/run/containerd/containerd.sock")
    # Imported at the first start; after a power cut containerd has them still.
    for image in settings["images"]:
        run("ctr", "--namespace", "k8s.io", "images", "import", f"/run/node/{image}", timeout_s=120)
    children.start("kubelet")
    children.start("node-exporter")
    say("complete")
    children.watch()


if __name__ == "__main__":
    main()
