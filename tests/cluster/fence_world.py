"""What the tests of the fence act on: objects of a cluster without kubelets, and requests about them."""

MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
JSON_PATCH = "application/json-patch+json"
APPLY = "application/apply-patch+yaml"
DECISION = "0123456789abcdef0123456789abcdef"
QUARANTINE = "parley.dev/quarantine"
COST = "controller.kubernetes.io/pod-deletion-cost"
SPACES = {"shop": {"parley.dev/act": "allowed"}, "other": {}}


def mark(changes, kind="migrate", expires="2030-01-01T00:00:00Z"):
    return {"parley.dev/decision": DECISION, "parley.dev/expires": expires, "parley.dev/kind": kind,
            "parley.dev/changes": changes}


UNMARK = {key: None for key in mark("")}


def space(name, labels):
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def node(name, *taints, labels=None):
    room = {"cpu": "8", "memory": "16Gi", "pods": "110"}  # Kubernetes 1.36 resizes nothing beyond it.
    return {"apiVersion": "v1", "kind": "Node", "status": {"allocatable": room, "capacity": room},
            "metadata": {"name": name, "labels": {"zone": "a", **(labels or {})}, "annotations": {"team": "blue"}},
            "spec": {"taints": list(taints)}}


def container(name="main"):
    return {"name": name, "image": "none", "resources": {
        "requests": {"cpu": "400m", "memory": "100Mi"}, "limits": {"cpu": "1", "memory": "200Mi"}}}


def pod(name, space="shop", node="worker", **spec):
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": space, "labels": {"app": "web"}, "annotations": {
                "team": "blue", "parley.dev/opt-out": "false"}},
            "spec": {"nodeName": node, "containers": [container(), {"name": "free", "image": "none"}], **spec}}


def template(**spec):
    return {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [container()], **spec}}


def workload(kind, name, replicas, space="shop"):
    return {"apiVersion": "apps/v1", "kind": kind,
            "metadata": {"name": name, "namespace": space, "annotations": {"team": "blue"}},
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": "web"}}, "template": template()}}


def job(name, space="shop", suspend=None, annotations=None, pod=None, **meta):
    spec = {"template": template(restartPolicy="Never", **(pod or {}))}
    if suspend is not None:
        spec["suspend"] = suspend
    return {"apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": name, "namespace": space, "annotations": annotations or {}, **meta}, "spec": spec}


def quota(name="parley-batch-cap", space="shop", hard=None, **spec):
    """As order_objects.cc writes it, unless something else is said."""
    return {"apiVersion": "v1", "kind": "ResourceQuota",
            "metadata": {"name": name, "namespace": space, "labels": {"app.kubernetes.io/managed-by": "parley"},
                         "annotations": mark("", "resource_cap")},
            "spec": {"hard": hard or {"count/jobs.batch": "10"}, **spec}}


def scoped(*classes):
    return {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": list(classes)}]}


def config(name, space="parley-system", **more):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": space, **more},
            "data": {"mode": "admit"}}


def lease(name, space="parley-system", holder="test_1_2", **more):
    spec = {"leaseTransitions": 1, "renewTime": "2030-01-01T00:00:00.000000Z"}
    if holder:
        spec.update(holderIdentity=holder, leaseDurationSeconds=15, acquireTime="2030-01-01T00:00:00.000000Z")
    return {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
            "metadata": {"name": name, "namespace": space, **more}, "spec": spec}


def event(name, space="shop", controller="parley.dev/parley"):
    return {"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": name, "namespace": space},
            "eventTime": "2030-01-01T00:00:00.000000Z", "reportingController": controller,
            "reportingInstance": "parley-1", "action": "Evict", "reason": "Migrate", "type": "Normal", "note": "x",
            "regarding": {"kind": "Pod", "namespace": space, "name": "web-1", "apiVersion": "v1"}}


def webhook(name="parley-queue", **more):
    """As hook_object.cc writes it."""
    spaces = {"matchLabels": {"parley.dev/admission": "allowed"}, "matchExpressions": [
        {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["kube-system", "parley-system"]}]}
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
            "metadata": {"name": name, "labels": {"app.kubernetes.io/managed-by": "parley"}},
            "webhooks": [{"name": "queue.parley.dev", "clientConfig": {"url": "https://127.0.0.1:9443/admit"},
                          "rules": [{"apiGroups": ["batch"], "apiVersions": ["v1"], "operations": ["CREATE"],
                                     "resources": ["jobs"], "scope": "Namespaced"}],
                          "failurePolicy": "Ignore", "matchPolicy": "Equivalent", "reinvocationPolicy": "IfNeeded",
                          "sideEffects": "None", "timeoutSeconds": 2, "admissionReviewVersions": ["v1"],
                          "namespaceSelector": spaces, **more}]}


FOREIGN = {"key": "gpu", "value": "yes", "effect": "NoSchedule"}
SECOND = {"key": "team", "value": "blue", "effect": "PreferNoSchedule"}


def objects():
    """All that is attacked, and what is changed as it may be."""
    held = mark("suspend: 0 > 1", "admission")
    lowered = {k: v for k, v in held.items() if k != "parley.dev/changes"}
    return [
        node("worker", FOREIGN, SECOND), node("bare"), node("gone"),
        node("control", labels={"node-role.kubernetes.io/control-plane": ""}),
        *[pod("web-1", s) for s in ("shop", "other", "kube-system", "parley-system")],
        pod("web-2"), pod("web-3", initContainers=[{**container("side"), "restartPolicy": "Always"}]),
        *[workload(kind, "web", 4, s) for kind in ("Deployment", "StatefulSet")
          for s in ("shop", "other", "kube-system")],
        workload("Deployment", "asleep", 0),
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "web", "namespace": "shop"},
         "spec": {"selector": {"matchLabels": {"app": "web"}}, "template": template()}},
        job("runs"), job("theirs", suspend=True), job("held", suspend=True, annotations=held),
        job("held-too", suspend=True, annotations=held), job("held-there", "other", suspend=True, annotations=held),
        job("lowered", annotations=lowered),
        {**webhook("theirs"), "webhooks": []}, quota("theirs"), config("settings"), config("parley-ledger", "other"),
        lease("boss"),
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": "shop"}}]


NODES = "/api/v1/nodes/"
SHOP = "/api/v1/namespaces/shop/"
HOME = "/api/v1/namespaces/parley-system/"
APPS = "/apis/apps/v1/namespaces/{}/"
JOBS = "/apis/batch/v1/namespaces/{}/jobs"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/{}/leases"
HOOKS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"
EVENTS = "/apis/events.k8s.io/v1/namespaces/{}/events"


def pods(space="shop", name="web-1"):
    return f"/api/v1/namespaces/{space}/pods/{name}"


PLACES = {"Namespace": "/api/v1/namespaces", "Node": "/api/v1/nodes", "Pod": "/api/v1/namespaces/{}/pods",
          "ConfigMap": "/api/v1/namespaces/{}/configmaps", "ServiceAccount": "/api/v1/namespaces/{}/serviceaccounts",
          "ResourceQuota": "/api/v1/namespaces/{}/resourcequotas", "MutatingWebhookConfiguration": HOOKS,
          "Job": JOBS, "Lease": LEASES,
          **{kind: APPS + kind.lower() + "s" for kind in ("Deployment", "StatefulSet", "DaemonSet")}}


def create(client, *objects):
    """In this order; a tenth of the time that kubectl takes."""
    for each in objects:
        code, answer = client.send("POST", PLACES[each["kind"]].format(each["metadata"].get("namespace")), each)
        if code not in (201, 409):
            raise AssertionError(f"creating {each['kind']} {each['metadata']['name']}: {answer.get('message')}")


class Seen:
    """Requests that rest on what somebody with every right reads of their object just before."""

    def __init__(self, client):
        self.client = client

    def read(self, path):
        code, found = self.client.send("GET", path)
        if code != 200:
            raise AssertionError(f"reading {path}: {found.get('message')}")
        return found

    def same(self, path):
        """uid and resourceVersion, as change.cc names them."""
        meta = self.read(path)["metadata"]
        return {"uid": meta["uid"], "resourceVersion": meta["resourceVersion"]}

    def annotate(self, path, annotations):
        return "PATCH", path, {"metadata": {**self.same(path), "annotations": annotations}}, MERGE

    def taint(self, name, effect):
        """Ours is taken from where it stands and added at the end; None lifts it."""
        seen = self.read(NODES + name)
        taints = seen["spec"].get("taints")
        ops = [{"op": "replace", "path": "/metadata/resourceVersion", "value": seen["metadata"]["resourceVersion"]}]
        ours = [i for i, t in enumerate(taints or []) if t["key"] == QUARANTINE]
        ops += [{"op": "remove", "path": f"/spec/taints/{i}"} for i in reversed(ours)]
        if effect:
            new = {"key": QUARANTINE, "effect": effect}
            ops.append({"op": "add", "path": "/spec/taints/-", "value": new} if taints is not None
                       else {"op": "add", "path": "/spec/taints", "value": [new]})
        return "PATCH", NODES + name, ops, JSON_PATCH

    def scale(self, path, replicas):
        meta = self.read(path)["metadata"]
        return "PUT", path + "/scale", {
            "apiVersion": "autoscaling/v1", "kind": "Scale",
            "metadata": {"name": meta["name"], "namespace": meta["namespace"], **self.same(path)},
            "spec": {"replicas": replicas}}, "application/json"

    def evict(self, path, **options):
        meta = self.read(path)["metadata"]
        body = {"apiVersion": "policy/v1", "kind": "Eviction",
                "metadata": {"name": meta["name"], "namespace": meta["namespace"],
                             "annotations": {"parley.dev/decision": DECISION}},
                "deleteOptions": {"preconditions": self.same(path), **options}}
        return "POST", path + "/eviction", body, "application/json"

    def resize(self, path, requests=None, limits=None, name="main"):
        amounts = {k: v for k, v in (("requests", requests), ("limits", limits)) if v}
        return "PATCH", path + "/resize", {
            "metadata": self.same(path), "spec": {"containers": [{"name": name, "resources": amounts}]}}, STRATEGIC

    def replace(self, path, body):
        meta = {**body["metadata"], "resourceVersion": self.same(path)["resourceVersion"]}
        return "PUT", path, {**body, "metadata": meta}, "application/json"

    def remove(self, path):
        return "DELETE", path, {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": self.same(path)}, \
            "application/json"
