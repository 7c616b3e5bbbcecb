"""The command line of the test cluster."""

import argparse
import json
import os
import re
import signal
import sys

from . import (build, faults, info, leftovers, lifecycle, nodes, parts, paths, process, state)
from .errors import TestbedError

DEFAULT_NODES = {"api": 0, "scale": 100, "real": 3}


def parser():
    top = argparse.ArgumentParser(prog="testbed", description="A real Kubernetes on this machine, "
                                  "for tests and for people. docs/testbed.md says more.")
    top.add_argument("--dir", default=None, help="folder of all clusters (default: "
                     "${XDG_STATE_HOME:-~/.local/state}/parley/testbed)")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add_life_commands(commands)
    add_fault_commands(commands)
    return top


def named(commands, name, about, **defaults):
    command = commands.add_parser(name, help=about, description=about)
    command.add_argument("--name", default="testbed", help="name of the cluster (default: testbed)")
    command.set_defaults(**defaults)
    return command


def add_life_commands(commands):
    command = commands.add_parser("build", help="build programs that are not in the cache yet")
    command.add_argument("part", nargs="*", help="a profile, a module, a program (default: all)")
    command.set_defaults(run=run_build)
    command = named(commands, "up", "start a cluster and wait until it is ready", run=run_up)
    command.add_argument("--profile", choices=("api", "scale", "real"), default="api")
    command.add_argument("--kubernetes", choices=parts.MINORS, default=parts.MINOR)
    command.add_argument("--nodes", type=int, help="how many (default: scale 100, real 3)")
    command.add_argument("--pods", type=int, help="how many, in scale (default: 1000)")
    command.add_argument("--apiserver-flag", action="append", default=[], metavar="NAME=VALUE",
                         help="for the API server, such as feature-gates=A=true; may be repeated")
    add_output(command)
    command = named(commands, "down", "take a cluster down, leaving nothing of it", run=run_down)
    command.add_argument("--all", action="store_true", help="all clusters, also broken ones")
    command = commands.add_parser("list", help="list the clusters")
    command.set_defaults(run=run_list)
    add_output(command)
    command = named(commands, "status", "show a cluster and its processes", run=run_status)
    add_output(command)
    command = commands.add_parser("leftovers", help="list what belongs to no cluster that is up")
    command.set_defaults(run=run_leftovers)
    add_output(command)


def add_output(command):
    command.add_argument("-o", dest="output", choices=("text", "json"), default="text")


def add_fault_commands(commands):
    command = named(commands, "node", "cut the power or the network of a real node", run=run_node)
    command.add_argument("action", choices=("kill", "start", "partition", "heal"))
    command.add_argument("node")
    command = named(commands, "apiserver", "kill or start the API server", run=run_part)
    command.add_argument("action", choices=("kill", "start"))
    command = named(commands, "etcd", "kill or start etcd, save it, put it back", run=run_etcd)
    command.add_argument("action", choices=("kill", "start", "snapshot", "restore"))
    command.add_argument("file", nargs="?", help="of the snapshot")
    command.add_argument("--bump-revision", action="store_true",
                         help="restore with revisions that only go forward")
    command = named(commands, "image", "give an image to all real nodes", run=run_image)
    command.add_argument("action", choices=("import",))
    command.add_argument("tar")
    command = named(commands, "kubectl", "run kubectl on a cluster: testbed kubectl -- get nodes",
                    run=run_kubectl)
    command.add_argument("arguments", nargs=argparse.REMAINDER)


def run_build(_, options):
    build.build(parts.selected(options.part))


def run_up(root, options):
    if options.profile != "api" and options.kubernetes != parts.MINOR:
        raise TestbedError(f"only the api profile runs {options.kubernetes}; the others run "
                           f"{parts.MINOR}")
    if options.nodes is None:
        options.nodes = DEFAULT_NODES[options.profile]
    if options.pods is None:
        options.pods = 1000 if options.profile == "scale" else 0
    if options.nodes < 0 or options.pods < 0 or (options.pods and options.profile != "scale"):
        raise TestbedError("--nodes and --pods are counts, and --pods is for the scale profile")
    if not all(re.fullmatch(r"[a-z][a-z0-9-]*=.+", flag) for flag in options.apiserver_flag):
        raise TestbedError("--apiserver-flag is NAME=VALUE, without dashes in front")
    if options.profile == "scale" and options.nodes == 0 and options.pods:
        raise TestbedError("pods need nodes; give --nodes as well")
    if options.profile == "real":
        nodes.check_machine()  # Before a build of minutes that would be of no use.
    build.build(parts.needed_by(options.profile, options.kubernetes))
    cluster = lifecycle.up(root, options)
    if options.output == "json":
        print(json.dumps(info.describe(cluster), indent=1))
    else:
        print(info.summary(cluster))


def run_down(root, options):
    names = [c.name for c in state.clusters_in(root)] if options.all else [options.name]
    for name in names:
        if lifecycle.down(root, name):
            print(f"cluster {name} is down")
        elif not options.all:
            print(f"there is no cluster {name}")


def run_list(root, options):
    values = [info.describe(c) for c in state.clusters_in(root)]
    if options.output == "json":
        print(json.dumps(values, indent=1))
    elif values:
        rows = [("NAME", "PROFILE", "PHASE", "KUBERNETES", "SERVER")]
        print(info.table(rows + [tuple(v[k] or "-" for k in ("name", "profile", "phase",
                                                             "kubernetes", "server"))
                                 for v in values]))
    else:
        print("no clusters")


def run_status(root, options):
    cluster = state.Cluster(root, options.name)
    if not cluster.exists():
        raise TestbedError(f'no cluster is called "{options.name}"')
    value = info.describe(cluster.load())
    if options.output == "json":
        print(json.dumps(value, indent=1))
    else:
        print(f"cluster {cluster.name}: {cluster.phase}, profile {value['profile']}")
        print(info.table([("PROCESS", "PID", "STATE")]
                         + [(p.name, p.pid, "alive" if process.is_alive(p) else "dead")
                            for p in process.all_recorded(cluster)]))
    return 1 if value["dead"] or cluster.phase != state.UP else 0


def run_leftovers(root, options):
    found = leftovers.find(root)
    if options.output == "json":
        print(json.dumps([{"kind": kind, "what": what} for kind, what in found], indent=1))
    elif found:
        print(info.table([("KIND", "WHAT")] + found))
    else:
        print("nothing is left")
    return 1 if found else 0


def run_node(root, options):
    cluster = state.running(root, options.name)
    with cluster.lock():
        faults.node(cluster, options.action, options.node)


def run_part(root, options):
    cluster = state.running(root, options.name)
    with cluster.lock():
        {"kill": faults.kill, "start": faults.start}[options.action](cluster, options.command)


def run_etcd(root, options):
    if options.action in ("kill", "start"):
        return run_part(root, options)
    if not options.file:
        raise TestbedError(f"etcd {options.action} needs the name of a file")
    cluster = state.running(root, options.name)
    with cluster.lock():
        if options.action == "snapshot":
            faults.snapshot(cluster, options.file)
        else:
            faults.restore(cluster, options.file, options.bump_revision)
    return 0


def run_image(root, options):
    cluster = state.running(root, options.name)
    with cluster.lock():
        nodes.import_image(cluster, options.tar)


def run_kubectl(root, options):
    cluster = state.running(root, options.name)
    arguments = options.arguments[1:] if options.arguments[:1] == ["--"] else options.arguments
    kubectl = parts.find("kubectl")
    os.execv(kubectl, [kubectl, f"--kubeconfig={cluster.kubeconfig}", *arguments])


def interrupt(*_):
    raise KeyboardInterrupt


def main(arguments=None):
    options = parser().parse_args(arguments)
    # Being asked to end is the same as Ctrl-C: what was begun is taken back.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    root = os.path.abspath(options.dir) if options.dir else paths.state_root()
    try:
        return options.run(root, options) or 0
    except TestbedError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"error: {error.filename or root}: {error.strerror or error}; look at its "
              "permissions and at the space on its disk", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("testbed: stopped", file=sys.stderr)
        return 130
