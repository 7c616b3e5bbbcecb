"""Where things are: the repository's own files, what is built, what runs."""

import os
import re

from .errors import TestbedError

TESTBED = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GO_MODULES = os.path.join(TESTBED, "go")


def home_of(variable, default):
    """A folder of the XDG rules: an absolute path in the variable, or the default under home."""
    value = os.environ.get(variable, "")
    return value if os.path.isabs(value) else os.path.join(os.path.expanduser("~"), default)


def cache_root():
    return os.path.join(home_of("XDG_CACHE_HOME", ".cache"), "parley", "testbed")


def state_root():
    return os.path.join(home_of("XDG_STATE_HOME", ".local/state"), "parley", "testbed")


def check_name(name):
    """A name becomes part of names of folders, nodes and links, so it is short and plain."""
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,29}", name):
        raise TestbedError(f'"{name}" cannot name a cluster; use up to 30 of a-z, 0-9 and "-", '
                           "beginning with a letter")
    return name
