"""Images without a registry: tars that containerd imports, made of programs on this machine."""

import hashlib
import io
import json
import os
import platform
import subprocess
import tarfile

from . import parts
from .errors import TestbedError

PAUSE, BUSYBOX = "testbed.local/pause:1", "testbed.local/busybox:1"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def add(tar, name, content=b"", mode=0o755, link=None, folder=False):
    """The same bytes on every machine: no times, no owners."""
    entry = tarfile.TarInfo(name)
    entry.mode, entry.size = mode, 0 if folder or link else len(content)
    if folder:
        entry.type = tarfile.DIRTYPE
    if link:
        entry.type, entry.linkname = tarfile.SYMTYPE, link
    tar.addfile(entry, io.BytesIO(content) if entry.size else None)


def tar_of(entries):
    """The bytes of a tar; entries are arguments of `add`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for entry in entries:
            add(tar, **entry)
    return buffer.getvalue()


def write_image(path, reference, entries, config):
    """Writes a tar of a layer, a configuration and a manifest, as `docker save` would."""
    layer = tar_of(entries)
    digest = hashlib.sha256(layer).hexdigest()
    settings = json.dumps({
        "architecture": ARCHITECTURES.get(platform.machine(), platform.machine()), "os": "linux",
        "config": config, "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
        "history": [{"created_by": "parley testbed"}]}).encode()
    name = f"{hashlib.sha256(settings).hexdigest()}.json"
    manifest = [{"Config": name, "RepoTags": [reference], "Layers": ["layer.tar"]}]
    content = tar_of([{"name": name, "content": settings, "mode": 0o644},
                      {"name": "layer.tar", "content": layer, "mode": 0o644},
                      {"name": "manifest.json", "content": json.dumps(manifest).encode(),
                       "mode": 0o644}])
    temporary = f"{path}.part-{os.getpid()}"
    with open(temporary, "wb") as file:
        file.write(content)
    os.replace(temporary, path)
    return path


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


def make_pause(folder):
    entries = [{"name": "pause", "content": content_of(parts.find("pause"))}]
    return write_image(os.path.join(folder, "pause.tar"), PAUSE, entries,
                       {"Entrypoint": ["/pause"], "User": "65535:65535"})


def make_busybox(folder, program="/bin/busybox"):
    """Enough for pods that reserve, burn CPU, hold memory, serve HTTP or crash."""
    try:
        done = subprocess.run([program, "--list"], capture_output=True, text=True, timeout=30,
                              check=True)
    except (OSError, subprocess.SubprocessError):
        raise TestbedError(f"{program} cannot be run; run tools/setup.sh cluster, which installs "
                           "busybox-static") from None
    entries = [{"name": name, "folder": True} for name in ("bin", "etc", "root", "var")]
    entries.append({"name": "tmp", "folder": True, "mode": 0o1777})
    entries.append({"name": "bin/busybox", "content": content_of(program)})
    entries.append({"name": "etc/passwd", "mode": 0o644,
                    "content": b"root:x:0:0:root:/root:/bin/sh\n"})
    entries += [{"name": f"bin/{applet}", "link": "busybox"}
                for applet in sorted(set(done.stdout.split()) - {"busybox"})]
    return write_image(os.path.join(folder, "busybox.tar"), BUSYBOX, entries,
                       {"Env": ["PATH=/bin"], "Cmd": ["/bin/sh"]})


def make_all(folder):
    os.makedirs(folder, exist_ok=True)
    return [make_pause(folder), make_busybox(folder)]
