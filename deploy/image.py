#!/usr/bin/env python3
"""Makes an image of a built program and the libraries it needs, without Docker: a tar that
`ctr images import`, `docker load` and `testbed/testbed image import` take.

Usage: deploy/image.py PROGRAM TAR [NAME:TAG]
"""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "testbed"))
from parley_testbed.images import content_of, write_image


def libraries_of(program):
    """Where the loader finds what the program is linked with, itself included."""
    found = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    paths = set()
    for line in found.splitlines():
        words = line.split()
        if "not found" in line:
            raise SystemExit(f"image: {words[0]} is not on this machine; 'make setup' installs it")
        path = words[2] if "=>" in words else words[0]
        if path.startswith("/"):
            paths.add(path)
    return sorted(paths)


def main():
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    program, tar = sys.argv[1], sys.argv[2]
    name = sys.argv[3] if len(sys.argv) == 4 else "parley:dev"
    folders, entries = set(), []
    for path in libraries_of(program):
        folder = os.path.dirname(path).lstrip("/")
        parts = folder.split("/")
        folders.update("/".join(parts[:i + 1]) for i in range(len(parts)))
        entries.append({"name": path.lstrip("/"), "content": content_of(path)})
    entries.append({"name": "parley", "content": content_of(program)})
    # Who reads /etc/passwd and /etc/ssl finds nothing there; in a pod neither is needed.
    layer = [{"name": each, "folder": True} for each in sorted(folders)] + entries
    write_image(tar, name, layer, {"Entrypoint": ["/parley"], "User": "65532:65532",
                                   "WorkingDir": "/"})
    print(f"{tar}: {name}, {os.path.getsize(tar) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
