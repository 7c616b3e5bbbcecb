"""Locks between processes. The kernel drops them when their holder dies, however it dies."""

import contextlib
import errno
import fcntl
import os
import time

from .errors import TestbedError


def try_lock(path):
    """An open file that holds the lock, or None if another process has it.

    Children hold it too until they start their program: whoever has the lock next knows that
    every process which was being started is either recorded or gone.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    while True:
        file = open(path, "a", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return None
            raise
        try:
            if os.stat(path).st_ino == os.fstat(file.fileno()).st_ino:
                return file
        except FileNotFoundError:
            pass
        file.close()  # Its last holder has removed it: lock the one that is there now.


@contextlib.contextmanager
def locked(path, timeout_s, what, on_wait=None):
    """Holds the lock; raises TestbedError if it cannot be had within timeout_s."""
    deadline, told = time.monotonic() + timeout_s, False
    while (file := try_lock(path)) is None:
        if time.monotonic() > deadline:
            raise TestbedError(f"{what} is busy: another testbed has held {path} for "
                               f"{timeout_s:.0f} s; wait for it or end it")
        if on_wait and not told:
            on_wait()
            told = True
        time.sleep(0.1)
    try:
        yield file
    finally:
        file.close()
