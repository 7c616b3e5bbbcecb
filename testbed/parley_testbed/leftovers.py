"""Finds what belongs to no cluster that is up: what a `down` should not have left."""

import glob
import os
import re
import subprocess

from . import cgroups, network, process, slots, state


def live_folders(root):
    """Folders of clusters that are up or being worked on, wherever they are kept."""
    roots = {root} | {os.path.dirname(owner) for owner in slots.claimed().values() if owner}
    return {c.folder for r in roots for c in state.clusters_in(r)
            if c.phase == state.UP or c.is_busy()}


def find(root):
    """(kind, what) of each thing that is left."""
    live = live_folders(root)
    taken = slots.claimed()
    slots_live = slots.taken_by_others() | {int(file[-2:]) for file, owner in taken.items()
                                            if owner in live}
    found = [("process", text) for text in marked_processes(live)]
    found += [("mount", point) for point in mounts(root, live)]
    found += [("link", name) for name in links(os.listdir("/sys/class/net"), slots_live)]
    found += [("cgroup", path) for path in cgroups.all_of_testbed()
              if slot_in_cgroup(path) not in slots_live]
    found += [("slot", path) for path, owner in taken.items() if owner not in live]
    found += [("state", c.folder) for c in state.clusters_in(root) if c.folder not in live]
    return found


def marked_processes(live):
    """Processes that a testbed started, by the mark in their environment."""
    found, mark = [], process.MARK.encode() + b"="
    for folder in glob.glob("/proc/[0-9]*"):
        try:
            with open(f"{folder}/environ", "rb") as file:
                values = [v for v in file.read().split(b"\0") if v.startswith(mark)]
            with open(f"{folder}/comm", encoding="utf-8", errors="replace") as file:
                name = file.read().strip()
        except OSError:
            continue  # It ended while we looked, or is another user's.
        owner = values[0][len(mark):].decode(errors="replace") if values else None
        if owner and owner not in live:
            found.append(f"{os.path.basename(folder)} {name} of {owner}")
    return found


def mounts(root, live):
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        points = network.mounts_below(root, file.read())
    return [p for p in points if not any(p.startswith(folder + "/") for folder in live)]


def links(names, slots_live):
    """Bridges and links with a name of ours whose slot no live cluster has."""
    found = []
    for name in sorted(names):
        match = re.fullmatch(r"parley-br(\d\d)|parley(\d\d)[a-z]", name)
        if match and int(match.group(1) or match.group(2)) not in slots_live:
            found.append(name)
    return found


def slot_in_cgroup(path):
    return int(os.path.basename(path).split("-")[1])


SYSCTLS = ("vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
           "kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes", "kernel/hostname",
           "net/ipv4/ip_forward", "net/ipv4/conf/all/rp_filter", "net/ipv4/conf/all/forwarding",
           "net/ipv4/conf/all/route_localnet", "net/bridge/bridge-nf-call-iptables",
           "net/netfilter/nf_conntrack_max")
FOLDERS = ("/var/lib/kubelet", "/var/lib/cni", "/var/lib/containerd", "/var/log/pods",
           "/var/log/containers", "/run/containerd", "/run/netns", "/opt/cni", "/opt/containerd",
           "/usr/libexec/kubernetes", "/etc/cni", "/etc/kubernetes")


def machine(root):
    """{part of the machine: set of texts}, for a comparison before `up` and after `down`.

    Notes also which slots belong to clusters elsewhere than under that root: they may come and go.
    """
    others = slots.taken_by_others() | {int(file[-2:]) for file, owner in slots.claimed().items()
                                        if not (owner or "").startswith(root + "/")}
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        mounted = {" ".join(line.split()[3:5]) for line in file}
    return {"slots of others": {str(slot) for slot in others}, "mounts": mounted,
            "network": addresses(), "firewall": firewall(),
            "network namespaces": network_namespaces(),
            "cgroups": {f"{c.path}/{n}" for c in cgroups.controllers()
                        for n in os.listdir(c.path) if os.path.isdir(f"{c.path}/{n}")},
            "sysctls": {f"{name}={value_of(name)}" for name in SYSCTLS},
            "folders": {f"{f}: {entries(f)}" for f in FOLDERS},
            "temporary": {n for n in os.listdir("/tmp") if "containerd" in n}}


def entries(folder):
    return len(os.listdir(folder)) if os.path.isdir(folder) else "absent"


def value_of(name):
    try:
        with open(f"/proc/sys/{name}", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return "absent"


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=30,
                              check=False).stdout
    except FileNotFoundError:
        return ""


def addresses():
    return {line.strip() for kind in ("link", "address", "route")
            for line in output_of("ip", "-o", "-4" if kind != "link" else "-0", kind).splitlines()
            if "valid_lft" not in line or "forever" in line}


def firewall():
    """Rules and chains, without the times and counters in their listing."""
    text = output_of("iptables-save") + output_of("nft", "list", "ruleset")
    return {re.sub(r"\[\d+:\d+\]", "", line) for line in text.splitlines()
            if not line.startswith("#")}


def network_namespaces():
    """Each with the cgroup of a process in it, which names the node if it is one's."""
    found = {}
    for path in glob.glob("/proc/[0-9]*/ns/net"):
        try:
            with open(path.replace("ns/net", "cgroup"), encoding="utf-8") as file:
                node = re.search(r"parley-\d\d-", file.read())
            found.setdefault(os.readlink(path), node.group() if node else "")
        except OSError:
            pass  # It ended while we looked.
    return {f"{name} {node}" for name, node in found.items()}


def differences(before, after):
    """What is there afterwards and was not before, and the other way round, in plain lines."""
    lines = []
    for part in sorted(set(before) - {"slots of others"}):
        lines += [f"{part}: new: {text}" for text in sorted(after[part] - before[part])]
        lines += [f"{part}: gone: {text}" for text in sorted(before[part] - after[part])]
    others = [names_of(int(slot)) for slot in before["slots of others"] | after["slots of others"]]
    return [line for line in lines if not any(re.search(names, line) for names in others)]


def names_of(slot):
    """A pattern for what is named after a slot: links, cgroups and addresses."""
    return (rf"parley-br{slot:02}\b|parley{slot:02}[a-z]\b|parley-{slot:02}-"
            rf"|\b10\.191\.{slot}\.|\b10\.{192 + slot}\.|\b10\.{96 + slot}\.")
