"""What the account of mode act tries beyond mode act, and what it must be allowed to do: tables of the
tests of the fence. An entry is a name, a request of what is seen, and what the API server says to it."""

from fence_world import (APPLY, APPS, COST, EVENTS, FOREIGN, HOME, HOOKS, JOBS, JSON_PATCH, LEASES, MERGE, NODES,
                         QUARANTINE, SECOND, SHOP, STRATEGIC, UNMARK, config, event, job, lease, mark, node, pod, pods,
                         quota, scoped, space, webhook, workload)

PLAIN = "application/json"
NOT_OURS = "is nothing that Parley does"
UNLABELLED = "does not carry the label"
BARRED = "is never acted in"
META = "no label, and of the annotations"
OWNED = "finalizers and ownerReferences"
TAINTS = "another's taint"
QUARANTINED = "stands once, without a value"
OF_A_NODE = "of a Node only the taint"
CONTROL = "Node of the control plane"
EVICTION = "an eviction names uid"
REPLICAS = "at most twice what they were"
AMOUNTS = "from half to twice"
SPEC = "the spec is not Parley's"
HELD = "only one that Parley holds"
HOME_ONLY = "is none of parley-ledger"
WEBHOOK = "a webhook is asked about new Jobs"
QUOTA = "is scoped to the PriorityClass"
WORKER, WEB = NODES + "worker", pods()
DEPLOYMENT = APPS.format("shop") + "deployments/web"
OWNER = [{"apiVersion": "v1", "kind": "ConfigMap", "name": "x", "uid": "00000000-0000-0000-0000-000000000001"}]


def merge(path, body):
    return "PATCH", path, body, MERGE


def meta(path, **fields):
    return merge(path, {"metadata": fields})


def ops(path, *steps):
    return "PATCH", path, [dict(zip(("op", "path", "value"), step)) for step in steps], JSON_PATCH


def post(path, body):
    return "POST", path, body, PLAIN


def delete(path):
    return "DELETE", path, None, PLAIN


def uncapped(**spec):
    return post(SHOP + "resourcequotas", quota(**spec))


ON_NODES = [
    ("adds a foreign taint", ops(WORKER, ("add", "/spec/taints/-", {"key": "x", "effect": "NoSchedule"})), TAINTS),
    ("removes a foreign taint", ops(WORKER, ("remove", "/spec/taints/0")), TAINTS),
    ("changes a foreign taint", ops(WORKER, ("replace", "/spec/taints/0/effect", "NoExecute")), TAINTS),
    ("reorders foreign taints", ops(WORKER, ("replace", "/spec/taints", [SECOND, FOREIGN])), TAINTS),
    ("wipes taints by a merge patch", merge(WORKER, {"spec": {"taints": None}}), TAINTS),
    ("replaces taints by ours", merge(WORKER, {"spec": {"taints": [{"key": QUARANTINE, "effect": "NoSchedule"}]}}),
     TAINTS),
    ("wipes taints by server-side apply",
     ("PATCH", WORKER + "?fieldManager=parley&force=true",
      {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "worker"},
       "spec": {"taints": [{"key": QUARANTINE, "effect": "NoSchedule"}]}}, APPLY), TAINTS),
    ("evicts by our taint", ops(WORKER, ("add", "/spec/taints/-", {"key": QUARANTINE, "effect": "NoExecute"})),
     QUARANTINED),
    ("has our taint twice", ops(WORKER, ("add", "/spec/taints/-", {"key": QUARANTINE, "effect": "NoSchedule"}),
                                ("add", "/spec/taints/-", {"key": QUARANTINE, "effect": "PreferNoSchedule"})),
     QUARANTINED),
    ("gives our taint a value",
     ops(WORKER, ("add", "/spec/taints/-", {"key": QUARANTINE, "value": "x", "effect": "NoSchedule"})), QUARANTINED),
    ("cordons", merge(WORKER, {"spec": {"unschedulable": True}}), OF_A_NODE),
    ("cordons, by a dry run", merge(WORKER + "?dryRun=All", {"spec": {"unschedulable": True}}), OF_A_NODE),
    ("sets a provider's id", merge(WORKER, {"spec": {"providerID": "kind://x"}}), OF_A_NODE),
    ("sets a pod network", merge(WORKER, {"spec": {"podCIDR": "10.9.0.0/24", "podCIDRs": ["10.9.0.0/24"]}}), OF_A_NODE),
    ("labels a node", meta(WORKER, labels={"x": "y"}), META),
    ("takes a node's label away", meta(WORKER, labels={"zone": None}), META),
    ("gives a node a label of ours", meta(WORKER, labels={"parley.dev/decision": "x"}), META),
    ("annotates a node as somebody else", meta(WORKER, annotations={"x": "y"}), META),
    ("changes another's annotation", meta(WORKER, annotations={"team": "red"}), META),
    ("takes another's annotation away", meta(WORKER, annotations={"team": None}), META),
    ("writes an annotation of ours that no mark has", meta(WORKER, annotations={"parley.dev/act": "allowed"}), META),
    ("gives a node a deletion cost", meta(WORKER, annotations={COST: "-1"}), META),
    ("gives a node an owner", meta(WORKER, ownerReferences=OWNER), OWNED),
    ("gives a node a finalizer", meta(WORKER, finalizers=["x.example/y"]), OWNED),
    ("quarantines the control plane",
     ops(NODES + "control", ("add", "/spec/taints/-", {"key": QUARANTINE, "effect": "NoSchedule"})), CONTROL),
    ("marks the control plane", meta(NODES + "control", annotations=mark("")), CONTROL),
    ("deletes a node", delete(NODES + "gone"), NOT_OURS),
    ("deletes all nodes", delete("/api/v1/nodes"), NOT_OURS),
    ("creates a node", post("/api/v1/nodes", node("mine")), NOT_OURS),
    ("writes a node's status", merge(WORKER + "/status", {"status": {"phase": "Running"}}), NOT_OURS),
    ("goes to a kubelet", ("GET", WORKER + "/proxy/pods", None, PLAIN), NOT_OURS),
]

ON_PODS = [
    ("deletes a pod", delete(WEB), NOT_OURS),
    ("deletes all pods", delete(SHOP + "pods"), NOT_OURS),
    ("creates a pod", post(SHOP + "pods", pod("mine")), NOT_OURS),
    ("binds a pod", post(WEB + "/binding", {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "web-1"},
                                            "target": {"kind": "Node", "name": "bare"}}), NOT_OURS),
    ("runs a command in a pod", ("POST", WEB + "/exec?command=ls&container=main", None, PLAIN), NOT_OURS),
    ("adds a container to a pod",
     ("PATCH", WEB + "/ephemeralcontainers",
      {"spec": {"ephemeralContainers": [{"name": "e", "image": "none"}]}}, STRATEGIC), NOT_OURS),
    ("writes a pod's status", merge(WEB + "/status", {"status": {"phase": "Failed"}}), NOT_OURS),
    ("changes an image", ops(WEB, ("replace", "/spec/containers/0/image", "mine")), SPEC),
    ("ends a pod by a deadline", merge(WEB, {"spec": {"activeDeadlineSeconds": 1}}), SPEC),
    ("adds a toleration", ops(WEB, ("add", "/spec/tolerations/-", {"operator": "Exists"})), SPEC),
    ("labels a pod out of its service", meta(WEB, labels={"app": "x"}), META),
    ("annotates a pod as somebody else", meta(WEB, annotations={"x": "y"}), META),
    ("takes an opt-out away", meta(WEB, annotations={"parley.dev/opt-out": None}), META),
    ("ends a pause", meta(WEB, annotations={"parley.dev/pause-until": "2020-01-01T00:00:00Z"}), META),
    ("gives a pod a finalizer", meta(WEB, finalizers=["x.example/y"]), OWNED),
    ("gives a pod an owner", meta(WEB, ownerReferences=OWNER), OWNED),
    ("marks a pod where it may not", meta(pods("other"), annotations=mark("")), UNLABELLED),
    ("gives a pod a cost where it may not", meta(pods("other"), annotations={COST: "-1"}), UNLABELLED),
    ("marks a pod of kube-system", meta(pods("kube-system"), annotations=mark("")), BARRED),
    ("evicts where it may not", lambda s: s.evict(pods("other")), UNLABELLED),
    ("evicts from kube-system, which is labelled", lambda s: s.evict(pods("kube-system")), BARRED),
    ("evicts from its own home, which is labelled", lambda s: s.evict(pods("parley-system")), BARRED),
    ("evicts whatever has the name",
     lambda s: s.evict(WEB, preconditions={"resourceVersion": s.same(WEB)["resourceVersion"]}), EVICTION),
    ("evicts whatever it looks like", lambda s: s.evict(WEB, preconditions={"uid": s.same(WEB)["uid"]}), EVICTION),
    ("evicts without a precondition", lambda s: s.evict(WEB, preconditions=None), EVICTION),
    ("kills instead of evicting", lambda s: s.evict(WEB, gracePeriodSeconds=0), EVICTION),
    ("evicts with propagation", lambda s: s.evict(WEB, propagationPolicy="Foreground"), EVICTION),
    ("throttles below half", lambda s: s.resize(WEB, limits={"cpu": "490m"}, requests={"cpu": "400m"}), AMOUNTS),
    ("asks for less than half of the CPU", lambda s: s.resize(WEB, {"cpu": "190m"}), AMOUNTS),
    ("asks for less than half of the memory", lambda s: s.resize(WEB, {"memory": "49Mi"}), AMOUNTS),
    ("asks for more than twice the CPU", lambda s: s.resize(WEB, {"cpu": "810m"}), AMOUNTS),
    ("raises a limit above twice", lambda s: s.resize(WEB, limits={"memory": "401Mi"}), AMOUNTS),
    ("limits what was free", lambda s: s.resize(WEB, limits={"cpu": "1"}, name="free"), AMOUNTS),
    ("requests where nothing was", lambda s: s.resize(WEB, {"cpu": "1m"}, name="free"), AMOUNTS),
    ("resizes a sidecar",
     ("PATCH", pods(name="web-3") + "/resize",
      {"spec": {"initContainers": [{"name": "side", "resources": {"limits": {"cpu": "900m"}}}]}}, STRATEGIC),
     "a resize is of CPU and memory of containers"),
    ("resizes where it may not", lambda s: s.resize(pods("other"), limits={"cpu": "900m"}), UNLABELLED),
    ("resizes in kube-system", lambda s: s.resize(pods("kube-system"), limits={"cpu": "900m"}), BARRED),
]

ON_WORKLOADS = [
    ("scales to nothing", lambda s: s.scale(DEPLOYMENT, 0), REPLICAS),
    ("scales above twice", lambda s: s.scale(DEPLOYMENT, 9), REPLICAS),
    ("wakes what sleeps", lambda s: s.scale(APPS.format("shop") + "deployments/asleep", 1), REPLICAS),
    ("scales a StatefulSet above twice", lambda s: s.scale(APPS.format("shop") + "statefulsets/web", 90), REPLICAS),
    ("scales to nothing by a patch", merge(DEPLOYMENT + "/scale", {"spec": {"replicas": 0}}), REPLICAS),
    ("scales where it may not", lambda s: s.scale(APPS.format("other") + "deployments/web", 5), UNLABELLED),
    ("scales in kube-system", lambda s: s.scale(APPS.format("kube-system") + "deployments/web", 5), BARRED),
    ("scales past /scale", merge(DEPLOYMENT, {"spec": {"replicas": 5}}), SPEC),
    ("restarts a Deployment",
     merge(DEPLOYMENT, {"spec": {"template": {"metadata": {"annotations": {"parley.dev/decision": "x"}}}}}), SPEC),
    ("pauses a Deployment", merge(DEPLOYMENT, {"spec": {"paused": True}}), SPEC),
    ("changes a template of a StatefulSet",
     merge(APPS.format("shop") + "statefulsets/web", {"spec": {"template": {"spec": {"priorityClassName": "x"}}}}),
     SPEC),
    ("labels a Deployment", meta(DEPLOYMENT, labels={"x": "y"}), META),
    ("annotates a Deployment as somebody else", meta(DEPLOYMENT, annotations={"team": "red"}), META),
    ("marks a Deployment where it may not", meta(APPS.format("other") + "deployments/web", annotations=mark("")),
     UNLABELLED),
    ("gives a Deployment an owner", meta(DEPLOYMENT, ownerReferences=OWNER), OWNED),
    ("deletes a Deployment", delete(DEPLOYMENT), NOT_OURS),
    ("creates a Deployment", post(APPS.format("shop") + "deployments", workload("Deployment", "mine", 1)), NOT_OURS),
    ("marks a DaemonSet", meta(APPS.format("shop") + "daemonsets/web", annotations=mark("")), NOT_OURS),
    ("suspends a Job that runs", merge(JOBS.format("shop") + "/runs", {"spec": {"suspend": True}}), HELD),
    ("resumes a Job that its owner holds", merge(JOBS.format("shop") + "/theirs", {"spec": {"suspend": False}}), HELD),
    ("forges a mark on a Job", meta(JOBS.format("shop") + "/theirs", annotations=mark("suspend: 0 > 1")),
     "marked by the policy"),
    ("forges a mark and resumes in one",
     merge(JOBS.format("shop") + "/theirs", {"metadata": {"annotations": mark("suspend: 0 > 1")},
                                             "spec": {"suspend": False}}), "marked by the policy"),
    ("makes a mark say that a Job is held",
     meta(JOBS.format("shop") + "/lowered", annotations={"parley.dev/changes": "suspend: 0 > 1"}),
     "marked by the policy"),
    ("resumes a held Job and makes it wider",
     merge(JOBS.format("shop") + "/held-too", {"spec": {"suspend": False, "parallelism": 9}}), "nothing but suspend"),
    ("resumes a held Job elsewhere",
     merge(JOBS.format("shop") + "/held-too", {"spec": {"suspend": False, "template": {
         "spec": {"nodeSelector": {"x": "y"}}}}}), "nothing but suspend"),
    ("ends a Job by a deadline", merge(JOBS.format("shop") + "/runs", {"spec": {"activeDeadlineSeconds": 1}}),
     "nothing but suspend"),
    ("resumes where it may not", merge(JOBS.format("other") + "/held-there", {"spec": {"suspend": False}}), UNLABELLED),
    ("creates a Job", post(JOBS.format("shop"), job("mine")), NOT_OURS),
    ("deletes a Job", delete(JOBS.format("shop") + "/runs"), NOT_OURS),
]

ON_THE_REST = [
    ("allows itself a namespace", meta("/api/v1/namespaces/other", labels={"parley.dev/act": "allowed"}), NOT_OURS),
    ("deletes a namespace", delete("/api/v1/namespaces/other"), NOT_OURS),
    ("caps everybody", uncapped(hard={"requests.cpu": "1"}), QUOTA),
    ("caps everybody beside Jobs", uncapped(hard={"count/jobs.batch": "1", "pods": "1"}), QUOTA),
    ("caps another class", uncapped(hard={"requests.cpu": "1"}, scopeSelector=scoped("high")), QUOTA),
    ("caps two classes", uncapped(hard={"requests.cpu": "1"}, scopeSelector=scoped("parley-batch", "high")), QUOTA),
    ("caps by a scope", uncapped(hard={"pods": "1"}, scopes=["NotBestEffort"]), QUOTA),
    ("caps by another name", uncapped(name="mine"), "only ResourceQuota of Parley"),
    ("lifts another's quota", delete(SHOP + "resourcequotas/theirs"), "only ResourceQuota of Parley"),
    ("lifts all quotas", delete(SHOP + "resourcequotas"), "only ResourceQuota of Parley"),
    ("caps where it may not", post("/api/v1/namespaces/other/resourcequotas", quota(space="other")), UNLABELLED),
    ("caps kube-system", post("/api/v1/namespaces/kube-system/resourcequotas", quota(space="kube-system")), BARRED),
    ("keeps other things in its home", post(HOME + "configmaps", config("mine")), HOME_ONLY),
    ("writes another's ConfigMap", merge(HOME + "configmaps/settings", {"data": {"mode": "x"}}), HOME_ONLY),
    ("writes a ledger elsewhere", merge("/api/v1/namespaces/other/configmaps/parley-ledger", {"data": {"x": "y"}}),
     HOME_ONLY),
    ("creates a ledger in a namespace that is acted in", post(SHOP + "configmaps", config("parley-ledger", "shop")),
     HOME_ONLY),
    ("gives the order an owner", post(HOME + "configmaps", config("parley-admission", ownerReferences=OWNER)), OWNED),
    ("keeps the ledger for ever", post(HOME + "configmaps", config("parley-ledger", finalizers=["x.example/y"])),
     OWNED),
    ("deletes a ConfigMap", delete(HOME + "configmaps/settings"), NOT_OURS),
    ("takes another's Lease", merge(LEASES.format("parley-system") + "/boss", {"spec": {"holderIdentity": "us"}}),
     HOME_ONLY),
    ("renews for a node", post(LEASES.format("kube-node-lease"), lease("worker", "kube-node-lease")), HOME_ONLY),
    ("deletes a Lease", delete(LEASES.format("parley-system") + "/boss"), NOT_OURS),
    ("keeps a Secret", post(HOME + "secrets", {
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x"}}), NOT_OURS),
    ("takes another's token", post(SHOP + "serviceaccounts/default/token", {
        "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"audiences": []}}), NOT_OURS),
    ("gives itself rights", post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "mine"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}}),
     NOT_OURS),
    ("creates a PriorityClass", post("/apis/scheduling.k8s.io/v1/priorityclasses", {
        "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "mine"}, "value": 9}),
     NOT_OURS),
    ("tells of kube-system", post(EVENTS.format("kube-system"), event("e", "kube-system")), "an Event is told"),
    ("tells where it may not act", post(EVENTS.format("other"), event("e", "other")), "an Event is told"),
    ("tells as somebody else", post(EVENTS.format("shop"), event("e", controller="kubelet")), "an Event is told"),
    ("asks itself about everything", post(HOOKS, webhook(rules=[
        {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}])), WEBHOOK),
    ("asks itself about Jobs that are there", post(HOOKS, webhook(rules=[
        {"apiGroups": ["batch"], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["jobs"]}])),
     WEBHOOK),
    ("stops everybody if it fails", post(HOOKS, webhook(failurePolicy="Fail")), WEBHOOK),
    ("asks itself everywhere", post(HOOKS, webhook(namespaceSelector={})), WEBHOOK),
    ("keeps everybody waiting", post(HOOKS, webhook(timeoutSeconds=30)), WEBHOOK),
    ("asks itself by another name", post(HOOKS, webhook("mine")), "only webhook configuration"),
    ("deletes another's webhook", delete(HOOKS + "/theirs"), "only webhook configuration"),
    ("deletes all webhooks", delete(HOOKS), "only webhook configuration"),
    ("creates a namespace", post("/api/v1/namespaces", space("mine", {"parley.dev/act": "allowed"})), NOT_OURS),
]

ATTACKS = ON_NODES + ON_PODS + ON_WORKLOADS + ON_THE_REST

# What parley-release tries; it may do less than the account above, but in every namespace.
BY_RELEASE = [
    ("evicts", lambda s: s.evict(WEB), NOT_OURS),
    ("marks", meta(WORKER, annotations=mark("")), "writes none"),
    ("quarantines", lambda s: s.taint("gone", "NoSchedule"), "quarantines no Node"),
    ("writes the ledger", post(HOME + "configmaps", config("parley-ledger")), NOT_OURS),
    ("leads", post(LEASES.format("parley-system"), lease("parley-leader")), NOT_OURS),
    ("caps", post(SHOP + "resourcequotas", quota()), NOT_OURS),
    ("unmarks in kube-system", meta(pods("kube-system"), annotations=UNMARK), BARRED),
    ("resumes a Job that its owner holds", merge(JOBS.format("shop") + "/theirs", {"spec": {"suspend": False}}), HELD),
]

STATEFUL = APPS.format("shop") + "statefulsets/web"
LEADER = LEASES.format("parley-system") + "/parley-leader"
LEDGER, ORDER, STOP = (HOME + "configmaps/parley-" + name for name in ("ledger", "admission", "stop"))
CAP = SHOP + "resourcequotas/parley-batch-cap"


def held(s, name):
    path = JOBS.format("shop") + "/" + name
    return merge(path, {"metadata": {**s.same(path), "annotations": UNMARK}, "spec": {"suspend": False}})


# In this order: a later one may rest on an earlier one.
ALLOWED = [
    ("asks what it may", post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
        "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": {"verb": "patch", "resource": "nodes"}}})),
    ("takes the lease", post(LEASES.format("parley-system"), lease("parley-leader"))),
    ("renews it", lambda s: s.replace(LEADER, lease("parley-leader"))),
    ("stops everything", post(HOME + "configmaps", config("parley-stop"))),
    ("lifts that", lambda s: s.replace(STOP, config("parley-stop"))),
    ("opens the ledger", post(HOME + "configmaps", config("parley-ledger"))),
    ("writes it", lambda s: s.replace(LEDGER, config("parley-ledger"))),
    ("tries a mark", lambda s: s.annotate(WORKER + "?dryRun=All", mark("taint: none > no_schedule"))),
    ("marks a node", lambda s: s.annotate(WORKER, mark("taint: none > no_schedule"))),
    ("quarantines it beside others", lambda s: s.taint("worker", "NoSchedule")),
    ("makes that softer", lambda s: s.taint("worker", "PreferNoSchedule")),
    ("lifts it", lambda s: s.taint("worker", None)),
    ("unmarks the node", lambda s: s.annotate(WORKER, UNMARK)),
    ("quarantines a node without taints", lambda s: s.taint("bare", "NoSchedule")),
    ("marks a Deployment", lambda s: s.annotate(DEPLOYMENT, mark("replicas: 4 > 5", "replicate"))),
    ("grows it to twice", lambda s: s.scale(DEPLOYMENT, 8)),
    ("shrinks it to one", lambda s: s.scale(DEPLOYMENT, 1)),
    ("unmarks it", lambda s: s.annotate(DEPLOYMENT, UNMARK)),
    ("marks a StatefulSet", lambda s: s.annotate(STATEFUL, mark("replicas: 4 > 5", "scale"))),
    ("scales it", lambda s: s.scale(STATEFUL, 5)),
    ("marks a pod", lambda s: s.annotate(WEB, mark("cpu_limit_m main: 1000 > 850", "throttle"))),
    ("throttles it", lambda s: s.resize(WEB, limits={"cpu": "850m"})),
    ("renews the mark", lambda s: s.annotate(WEB, {"parley.dev/expires": "2030-01-01T00:00:00.000001Z"})),
    ("gives that back", lambda s: s.resize(WEB, limits={"cpu": "1"})),
    ("balloons it to half, rounded down", lambda s: s.resize(WEB, {"memory": "52428500"})),
    ("gives that back too", lambda s: s.resize(WEB, {"memory": "104857600"})),
    ("unmarks the pod", lambda s: s.annotate(WEB, UNMARK)),
    ("lets a pod go first", lambda s: s.annotate(WEB, {COST: "-1000"})),
    ("takes that back", lambda s: s.annotate(WEB, {COST: None})),
    ("tries an eviction", lambda s: dry(s.evict(pods(name="web-2")))),
    ("evicts", lambda s: s.evict(pods(name="web-2"))),
    ("gives an order", post(HOME + "configmaps", config("parley-admission"))),
    ("lifts it by another", lambda s: s.replace(ORDER, config("parley-admission"))),
    ("resumes a held Job", lambda s: held(s, "held")),
    ("unmarks a Job that came last", lambda s: s.annotate(JOBS.format("shop") + "/lowered", UNMARK)),
    ("caps batch work", post(SHOP + "resourcequotas", quota())),
    ("caps it lower", lambda s: s.replace(CAP, quota(hard={"count/jobs.batch": "5"}))),
    ("lifts the cap", lambda s: s.remove(CAP)),
    ("caps a class instead", post(SHOP + "resourcequotas?dryRun=All", quota(
        hard={"requests.cpu": "3"}, scopeSelector=scoped("parley-batch")))),
    ("tells of a node", post(EVENTS.format("default"), event("parley.1-began", "default"))),
    ("tells it again", merge(EVENTS.format("default") + "/parley.1-began", {
        "series": {"count": 2, "lastObservedTime": "2030-01-01T00:00:01.000000Z"}})),
    ("tells of a workload", post(EVENTS.format("shop"), event("parley.2-began"))),
    ("gives the lease back", lambda s: s.replace(LEADER, lease("parley-leader", holder=""))),
]


def dry(request):
    method, path, body, kind = request
    return method, path + "?dryRun=All", body, kind


# Read before they are changed, as hand.cc does; and whether an order would be carried out.
READ = [WORKER, WEB, DEPLOYMENT, STATEFUL, JOBS.format("shop") + "/held", LEADER, LEDGER, ORDER,
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/parley-reject",
        HOME + "configmaps?fieldSelector=metadata.name%3Dparley-stop",
        HOME + "configmaps?fieldSelector=metadata.name%3Dparley-stop&watch=1&timeoutSeconds=1"]
MUTATING = "/apis/admissionregistration.k8s.io/{}/mutatingadmissionpolicies/parley-queue"

# With the right to do it, which is no part of the role: where no MutatingAdmissionPolicy is served.
OF_THE_WEBHOOK = [
    ("asks to be asked", post(HOOKS, webhook())),
    ("asks elsewhere", lambda s: s.replace(HOOKS + "/parley-queue", webhook())),
    ("asks no more", lambda s: s.remove(HOOKS + "/parley-queue")),
]
