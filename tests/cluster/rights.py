"""What roles grant, and what an audit log says was used of it."""

import json
import os

from kit import ROOT


def documents(cluster, *path):
    """The objects of a file below deploy/, read by kubectl."""
    text = cluster.kubectl("create", "--dry-run=client", "-o", "json", "-f", os.path.join(ROOT, "deploy", *path))
    found, at, reader = [], 0, json.JSONDecoder()
    while at < len(text):
        document, at = reader.raw_decode(text, at)
        found += document.get("items", [document])
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


def roles_in(cluster, *path):
    return [each for each in documents(cluster, *path) if each["kind"] in ("Role", "ClusterRole")]


def grants_of(role):
    """(namespace, group, resource, name, verb) of everything that a role grants; "" is any."""
    space = role["metadata"].get("namespace", "")
    return {(space, group, resource, name, verb)
            for rule in role["rules"] for group in rule["apiGroups"] for resource in rule["resources"]
            for name in rule.get("resourceNames", [""]) for verb in rule["verbs"]}


def use_of(event):
    """The same of a request, and None if it is about no object or was not permitted."""
    about = event.get("objectRef")
    if about is None or event.get("annotations", {}).get("authorization.k8s.io/decision") != "allow":
        return None
    resource = about["resource"] + ("/" + about["subresource"] if "subresource" in about else "")
    return (about.get("namespace", ""), about.get("apiGroup", ""), resource, about.get("name", ""), event["verb"])


def covers(grant, use):
    """Whether a request needs this grant; what any namespace or any name may is "" there."""
    return all(granted in ("", used) for granted, used in zip(grant[:1] + grant[3:4], use[:1] + use[3:4])) and \
        grant[1:3] + grant[4:] == use[1:3] + use[4:]


def unused_rules(audit_events, role):
    """What a role grants and none of these requests needed, as sorted texts such as "patch pods/resize"."""
    uses = {use for use in map(use_of, audit_events) if use}
    return sorted(f"{verb} {resource}{' ' + name if name else ''}"
                  for space, group, resource, name, verb in grants_of(role)
                  if not any(covers((space, group, resource, name, verb), use) for use in uses))


def forbidden(audit_events):
    """What was asked for and not granted, as sorted texts."""
    return sorted({f"{e['verb']} {e['objectRef']['resource']}/{e['objectRef'].get('subresource', '')}".rstrip("/")
                   for e in audit_events if "objectRef" in e
                   and e.get("annotations", {}).get("authorization.k8s.io/decision") == "forbid"})
