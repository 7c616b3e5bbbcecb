"""What the API server, the objects and the records say of actions that were killed again and again, for kills_test.py.
Everything here is a function of what is given, so that falsified evidence can be put before it."""

import concurrent.futures
import glob
import json
import os
import subprocess

OURS = "parley.dev/"
COST = "controller.kubernetes.io/pod-deletion-cost"
JUDGED = ("nodes", "pods", "deployments", "jobs", "resourcequotas", "configmaps")
KNOWN = {"applied", "found_done", "unknown", "moot"}  # Fates of a step that say: it may have been done.


def wished(event):
    """The resourceVersion that a change was sent for; None: it names none."""
    body = event.get("requestObject") or {}
    if isinstance(body, list):
        return next((op["value"] for op in body if op["path"] == "/metadata/resourceVersion"), None)
    if body.get("kind") == "Eviction":
        return body.get("deleteOptions", {}).get("preconditions", {}).get("resourceVersion")
    return body.get("metadata", {}).get("resourceVersion")


def evicts(event):
    return event["objectRef"].get("subresource") == "eviction"


def took_effect(event):
    """Whether the API server changed something: an eviction, an end, an answer in another version than was sent for."""
    if event["responseStatus"]["code"] // 100 != 2:
        return False
    if evicts(event) or event["verb"] == "delete":
        return True
    return (event.get("responseObject") or {}).get("metadata", {}).get("resourceVersion") != wished(event)


def place(event):
    """What a change is about, with the part of it that is changed."""
    about = event["objectRef"]
    names = [about.get(key, "") for key in ("namespace", "resource", "name", "subresource")]
    if not names[2]:
        names[2] = event["requestObject"]["metadata"]["name"]  # It is created.
    return "/".join(name for name in names if name)


def decision_of(event):
    """The decision that its id names; None: it names none."""
    parts = event["auditID"].split("-")
    return parts[1] if len(parts) > 2 and parts[0] == "parley" else None


def marks_of(item):
    return {k: v for k, v in (item["metadata"].get("annotations") or {}).items() if k.startswith(OURS)}


class Log:
    """The audit log, read from where it was read to."""

    def __init__(self, path):
        self.path, self.at = path, 0

    def more(self):
        """Changes in earnest by Parley of what it may change, since the last call."""
        with open(self.path, "rb") as file:
            file.seek(self.at)
            read = file.read()
        read = read[:read.rfind(b"\n") + 1]
        self.at += len(read)
        events = [json.loads(line) for line in read.splitlines() if line.startswith(b"{") and line.endswith(b"}")]
        return [e for e in events if e["stage"] == "ResponseComplete" and "dryRun" not in e["requestURI"]
                and e["objectRef"]["resource"] in JUDGED and not place(e).endswith("/configmaps/parley-ledger")]


def said(event):
    return (f"{event['requestReceivedTimestamp']} {event['auditID']} {event['verb']} {place(event)} "
            f"{event['responseStatus']['code']} {json.dumps(event.get('requestObject'))[:300]}")


def wish_of(event):
    """What a change asks for, without the version that it was sent for."""
    body = event.get("requestObject")
    if isinstance(body, list):
        return json.dumps([op for op in body if op["path"] != "/metadata/resourceVersion"])
    if isinstance(body, dict) and isinstance(body.get("metadata"), dict):
        body = {**body, "metadata": {k: v for k, v in body["metadata"].items() if k not in ("uid", "resourceVersion")}}
    return json.dumps(body, sort_keys=True)


def twice(events):
    """What was done twice: a step with two effects on the same object, a pod that was evicted twice, a Job that was
    resumed twice. Whoever gives back anew counts his steps anew, so that there the same must have been asked for."""
    groups = {}
    for event in filter(took_effect, events):
        if not event["auditID"].endswith("-renew"):
            same = wish_of(event) if "-undo-" in event["auditID"] else ""
            groups.setdefault((event["auditID"], place(event), same), []).append(event)
        if evicts(event):
            pod = event["requestObject"]["deleteOptions"]["preconditions"]["uid"]
            groups.setdefault(("evicted", pod), []).append(event)
        if event["objectRef"]["resource"] == "jobs" and "suspend" in event["requestObject"].get("spec", {}):
            groups.setdefault(("resumed", place(event)), []).append(event)
    return [f"done twice: {' '.join(name[:2])}: " + "; ".join(map(said, group))
            for name, group in groups.items() if len(group) > 1]


def decided_again(events):
    """Nodes that two decisions of the same kind marked: in one scene each is one."""
    found = {}
    for event in filter(took_effect, events):
        body = event.get("requestObject")
        marks = marks_of(body) if isinstance(body, dict) and body.get("metadata") else {}
        if marks.get(OURS + "decision") and event["objectRef"]["resource"] == "nodes":
            where = (marks.get(OURS + "kind"), place(event))
            found.setdefault(where, set()).add(marks[OURS + "decision"])
    return [f"decided again: {where} by {sorted(ids)}" for where, ids in found.items() if len(ids) > 1]


def bare_changes(nodes, works, pods, template, replicas):
    """What is ours and has no mark that says so."""
    found = []
    for node in nodes:
        ours = [t["key"] for t in node["spec"].get("taints", []) if t["key"].startswith(OURS)]
        if ours and "taint" not in marks_of(node).get(OURS + "changes", ""):
            found.append(f"without a mark: {node['metadata']['name']} has {ours}, marks {marks_of(node)}")
    for work in works:
        if work["metadata"]["name"] != "web" or work["spec"]["replicas"] == replicas:
            continue
        if "replicas" not in marks_of(work).get(OURS + "changes", ""):
            found.append(f"without a mark: {work['metadata']['namespace']} has {work['spec']['replicas']} replicas, "
                         f"marks {marks_of(work)}")
    for pod in pods:
        changes = marks_of(pod).get(OURS + "changes", "")
        name = f"without a mark: {pod['metadata']['namespace']}/{pod['metadata']['name']}"
        asks = pod["spec"]["containers"][0]["resources"]
        if asks != template and not changes:
            found.append(f"{name} asks for {asks}, marks {marks_of(pod)}")
        cost = (pod["metadata"].get("annotations") or {}).get(COST)
        if cost is not None and "deletion_cost" not in changes:
            found.append(f"{name} has deletion cost {cost}, marks {marks_of(pod)}")
    return found


def unmarked(events, template, replicas):
    """Effects on what does not carry the mark of their decision, and versions of objects that are ours in part and do
    not say so."""
    found, marks = [], {}  # Object -> the decision on it.
    for event in filter(took_effect, events):
        about, shown = event["objectRef"], event.get("responseObject") or {}
        where = f"{about['resource']}/{about.get('namespace', '')}/{about.get('name', '')}"
        decision = decision_of(event)
        if about["resource"] in ("nodes", "pods", "deployments") and not evicts(event):
            if shown.get("kind") == "Scale":
                if "-undo-" not in event["auditID"] and marks.get(where, decision) != decision:
                    found.append(f"under another mark ({marks[where]}): {said(event)}")
                continue
            now = marks_of(shown).get(OURS + "decision")
            marks[where] = now
            judged = {"nodes": ([shown], [], []), "pods": ([], [], [shown]), "deployments": ([], [shown], [])}
            found += [f"{each}: {said(event)}"
                      for each in bare_changes(*judged[about["resource"]], template, replicas)]
            puts = "-undo-" not in event["auditID"] and not event["auditID"].endswith("-renew")
            if puts and now not in (decision, None):
                found.append(f"under another mark ({now}): {said(event)}")
    return found


def recorded(folders, program=None):
    """Decision -> step -> fates, of all records together. With a program the files of runs whose process was killed are
    derived anew before, which takes a second each."""
    found = {}
    if program is not None:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda folder: subprocess.run([program, "why", folder], capture_output=True, timeout=600,
                                                        check=False), folders))
    for folder in folders:
        for path in glob.glob(os.path.join(folder, "events.jsonl")):
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    if not line.endswith("}\n"):
                        continue
                    event = json.loads(line)
                    if event["kind"] != "execution":
                        continue
                    steps = found.setdefault(event["data"]["id"], {})
                    for i, step in enumerate(event["data"].get("steps", [])):
                        steps.setdefault(i, set()).add(step.get("fate"))
    return found


def unrecorded(events, records, in_flight=()):
    """Effects that stand in no record as done. Of those in flight it is enough that they were decided."""
    found = []
    for event in filter(took_effect, events):
        decision = decision_of(event)
        known = records.get(decision)
        if known is None:
            found.append(f"in no record: {said(event)}")
            continue
        step = event["auditID"].split("-")[2]
        fates = known.get(int(step), set()) if step.isdigit() else KNOWN
        if not fates & KNOWN and event["auditID"] not in in_flight:
            found.append(f"in no record as done ({sorted(map(str, fates))}): {said(event)}")
    return found


def switched_twice(switched):
    """Steps of a decision that switched a machine twice."""
    return [f"switched twice: {each}" for each in set(switched) if switched.count(each) > 1]


def nobodys(marked, open_text):
    """Marks of actions that the ledger does not have: nobody will give that back by himself. `marked` is a list of
    names and marks, `open_text` what the ledger says of open actions."""
    kinds = {each.split()[0].split(":")[0] for each in open_text.split(";") if each.strip()}
    return [f"nobody's: {name} has {marks}, open is '{open_text}'" for name, marks in marked
            if marks.get(OURS + "kind") not in kinds]


def bare(item):
    """An object without what the API server counts and what the test itself changes."""
    meta = {k: v for k, v in item["metadata"].items() if k not in ("resourceVersion", "managedFields", "generation")}
    meta["annotations"] = meta.get("annotations") or {}
    spec = {k: v for k, v in item.get("spec", {}).items() if k != "unschedulable"}
    if "taints" in spec:  # Of a cordon, which is the test's own.
        spec["taints"] = [t for t in spec["taints"] if t["key"] != "node.kubernetes.io/unschedulable"]
    return {"metadata": meta, "spec": {k: v for k, v in spec.items() if v != []}}
