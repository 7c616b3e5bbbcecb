#include "bench/pod_pages.h"

#include <cstdio>

namespace parley::bench {
namespace {

constexpr std::size_t kPodsPerSet = 10;
constexpr std::size_t kNodes = 1000;

std::string hex(std::size_t value, int width) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*zx", width, value);
    return text;
}

std::string uuid(char kind, std::size_t number) {
    return std::string(1, kind) + "0d1e5a7-4c3b-4f2a-9b1d-" +
           hex(number * 2654435761U % (1UL << 48), 12);
}

/// Writes `value` for every $name in a text.
void fill(std::string& text, const std::string& name, const std::string& value) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size()) {
        text.replace(at, name.size(), value);
    }
}

constexpr const char* kMetadata =
    R"({"metadata":{"name":"$stem$tail","generateName":"$stem","namespace":"$space","uid":"$uid",)"
    R"("resourceVersion":"$version","generation":1,"creationTimestamp":"2025-03-01T12:$minute:07Z",)"
    R"("labels":{"app.kubernetes.io/component":"backend","app.kubernetes.io/instance":"$app",)"
    R"("app.kubernetes.io/name":"$app","pod-template-hash":"5d8f7c9b4"},)"
    R"("annotations":{"prometheus.io/port":"8080","prometheus.io/scrape":"true",)"
    R"("kubectl.kubernetes.io/restartedAt":"2025-02-27T09:14:03+01:00"},)"
    R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"$app-5d8f7c9b4",)"
    R"("uid":"$owner","controller":true,"blockOwnerDeletion":true}],"managedFields":[)"
    R"({"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1",)"
    R"("time":"2025-03-01T12:$minute:07Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":)"
    R"({"f:annotations":{".":{},"f:kubectl.kubernetes.io/restartedAt":{},"f:prometheus.io/port":{},)"
    R"("f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},)"
    R"("f:app.kubernetes.io/component":{},"f:app.kubernetes.io/instance":{},)"
    R"("f:app.kubernetes.io/name":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},)"
    R"("k:{\"uid\":\"$owner\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},)"
    R"("f:env":{".":{},"k:{\"name\":\"LOG_LEVEL\"}":{".":{},"f:name":{},"f:value":{}},)"
    R"("k:{\"name\":\"POD_IP\"}":{".":{},"f:name":{},"f:valueFrom":{".":{},"f:fieldRef":{}}}},)"
    R"("f:image":{},"f:imagePullPolicy":{},"f:livenessProbe":{".":{},"f:failureThreshold":{},)"
    R"("f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:periodSeconds":{},)"
    R"("f:successThreshold":{},"f:timeoutSeconds":{}},"f:name":{},"f:ports":{".":{},)"
    R"("k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{},)"
    R"("f:protocol":{}}},"f:resources":{".":{},"f:limits":{".":{},"f:memory":{}},"f:requests":)"
    R"({".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},)"
    R"("f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},)"
    R"("f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:serviceAccount":{},)"
    R"("f:serviceAccountName":{},"f:terminationGracePeriodSeconds":{}}}},)"
    R"({"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2025-03-01T12:$minute:15Z",)"
    R"("fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{)"
    R"("k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},)"
    R"("f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},)"
    R"("f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},)"
    R"("f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},)"
    R"("f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:phase":{},"f:podIP":{},)"
    R"("f:podIPs":{".":{},"k:{\"ip\":\"10.244.7.31\"}":{".":{},"f:ip":{}}},"f:startTime":{}}},)"
    R"("subresource":"status"}]},)";

constexpr const char* kSpec =
    R"("spec":{"volumes":[{"name":"kube-api-access-7xk2p","projected":{"sources":[)"
    R"({"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},{"configMap":{"name":)"
    R"("kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[)"
    R"({"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],)"
    R"("defaultMode":420}}],"containers":[{"name":"app","image":)"
    R"("registry.example.com/shop/$app:1.42.7","ports":[{"name":"http","containerPort":8080,)"
    R"("protocol":"TCP"}],"env":[{"name":"LOG_LEVEL","value":"info"},{"name":"POD_IP","valueFrom":)"
    R"({"fieldRef":{"apiVersion":"v1","fieldPath":"status.podIP"}}}],"resources":{"limits":)"
    R"({"memory":"512Mi"},"requests":{"cpu":"250m","memory":"256Mi"}},"volumeMounts":[{"name":)"
    R"("kube-api-access-7xk2p","readOnly":true,"mountPath":)"
    R"("/var/run/secrets/kubernetes.io/serviceaccount"}],"livenessProbe":{"httpGet":{"path":)"
    R"("/healthz","port":8080,"scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,)"
    R"("successThreshold":1,"failureThreshold":3},"terminationMessagePath":"/dev/termination-log",)"
    R"("terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always",)"
    R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","serviceAccountName":"default",)"
    R"("serviceAccount":"default","nodeName":"$node","securityContext":{},"schedulerName":)"
    R"("default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists",)"
    R"("effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable",)"
    R"("operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0,)"
    R"("enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},)";

constexpr const char* kStatus =
    R"("status":{"phase":"Running","conditions":[{"type":"PodReadyToStartContainers","status":"True",)"
    R"("lastProbeTime":null,"lastTransitionTime":"2025-03-01T12:$minute:09Z"},{"type":"Initialized",)"
    R"("status":"True","lastProbeTime":null,"lastTransitionTime":"2025-03-01T12:$minute:07Z"},)"
    R"({"type":"Ready","status":"True","lastProbeTime":null,"lastTransitionTime":)"
    R"("2025-03-01T12:$minute:15Z"},{"type":"ContainersReady","status":"True","lastProbeTime":null,)"
    R"("lastTransitionTime":"2025-03-01T12:$minute:15Z"},{"type":"PodScheduled","status":"True",)"
    R"("lastProbeTime":null,"lastTransitionTime":"2025-03-01T12:$minute:07Z"}],"hostIP":"10.0.3.17",)"
    R"("hostIPs":[{"ip":"10.0.3.17"}],"podIP":"10.244.7.31","podIPs":[{"ip":"10.244.7.31"}],)"
    R"("startTime":"2025-03-01T12:$minute:07Z","containerStatuses":[{"name":"app","state":{"running":)"
    R"({"startedAt":"2025-03-01T12:$minute:09Z"}},"lastState":{},"ready":true,"restartCount":0,)"
    R"("image":"registry.example.com/shop/$app:1.42.7","imageID":)"
    R"("registry.example.com/shop/$app@sha256:3f1f0dd4c1b2a7d1c6f9b4a5e8d7c6b5a4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d9",)"
    R"("containerID":"containerd://9d2c7b1e5a3f4c8d6e0b9a7f5c3d1e2b4a6f8c0d2e4b6a8f0c1d3e5b7a9f2c4d",)"
    R"("started":true,"allocatedResources":{"cpu":"250m","memory":"256Mi"},"resources":{"limits":)"
    R"({"memory":"512Mi"},"requests":{"cpu":"250m","memory":"256Mi"}}}],"qosClass":"Burstable"}})";

}  // namespace

std::string pod_json(std::size_t number) {
    const std::size_t set = number / kPodsPerSet;
    const std::string app = "service-" + std::to_string(set);
    std::string text = std::string(kMetadata) + kSpec + kStatus;
    fill(text, "$stem", app + "-5d8f7c9b4-");
    fill(text, "$tail", hex(number % (1U << 20), 5));
    fill(text, "$space", "team-" + std::to_string(set % 40));
    fill(text, "$uid", uuid('a', number));
    fill(text, "$owner", uuid('b', set));
    fill(text, "$version", std::to_string(100'000 + number));
    fill(text, "$minute", std::to_string(10 + number % 50));
    fill(text, "$node",
         "ip-10-0-3-" + std::to_string(number % kNodes) + ".eu-central-1.compute.internal");
    fill(text, "$app", app);
    return text;
}

std::string pod_page(std::size_t first, std::size_t count) {
    std::string page =
        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"987654"},"items":[)";
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) page += ",";
        page += pod_json(first + i);
    }
    return page + "]}";
}

}  // namespace parley::bench
