#!/usr/bin/env python3
"""Passes on the output of a long command, and reports progress every 15 s if there is no terminal.

Usage: COMMAND 2>&1 | tools/tell.py NAME [EVERY_S]. Lines that only say how far Ninja or CTest are
(`[12/427] Building ...`, `12/3800 Test #7: ... Passed`) are kept back; the last of them is what is
said: `build: 12 of 427, 45 s so far, last sim/world/twin.cc`. All other lines pass at once.
"""

import os
import re
import selectors
import sys
import time

NINJA = re.compile(r"\[(\d+)/(\d+)\] (.*)")
CTEST = re.compile(r" *(\d+)/(\d+) Test +#\d+: (\S+) .*Passed")
CTEST_NOISE = re.compile(r" +Start +\d+: |ninja: (no work to do\.|Entering directory)")


def said_of(line):
    """(done, of, what) if a line only reports progress, else nothing."""
    match = NINJA.match(line) or CTEST.match(line)
    if not match:
        return None
    what = match.group(3).split(" ")[-1]
    what = re.sub(r"^src/|CMakeFiles/[^/]+\.dir/|\.o$", "", what)
    return match.group(1), match.group(2), what


def main():
    name = sys.argv[1]
    every = float(sys.argv[2]) if len(sys.argv) > 2 else 15.0
    begin = spoke = time.monotonic()
    latest, rest = None, b""
    source = selectors.DefaultSelector()
    source.register(sys.stdin, selectors.EVENT_READ)
    while True:
        ready = source.select(max(0.0, spoke + every - time.monotonic()))
        if ready:
            chunk = os.read(sys.stdin.fileno(), 65536)
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                text = line.decode(errors="replace")
                said = said_of(text)
                if said:
                    latest = said
                elif not CTEST_NOISE.match(text):
                    print(text, flush=True)
        now = time.monotonic()
        if now - spoke >= every:
            far = f"{latest[0]} of {latest[1]}, " if latest else ""
            last = f", last {latest[2]}" if latest else ""
            print(f"{name}: {far}{now - begin:.0f} s so far{last}", flush=True)
            spoke = now
    if rest:
        print(rest.decode(errors="replace"), flush=True)


if __name__ == "__main__":
    main()
