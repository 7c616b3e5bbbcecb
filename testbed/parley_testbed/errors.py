"""The one kind of error that a person sees."""


class TestbedError(Exception):
    """One sentence that says what failed, where, and what to do."""

    __test__ = False  # Its name makes some test runners take it for a test.


def tail_of(path, lines=8):
    """The last lines of a log, indented, to stand under an error; says so if there are none."""
    try:
        with open(path, "rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - 8192))
            last = file.read().decode(errors="replace").splitlines()[-lines:]
    except OSError:
        last = []
    return "\n".join("    " + line[:400] for line in last) or "    (the log is empty)"
