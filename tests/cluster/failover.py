"""How long nobody leads once the leader is gone: from its end to the first decision of the next one; for stops_test.py
and bench/acting_figures.py."""

import random
import signal
import time

from kit import until


def ready(stage):
    """A process that has made its first rounds."""
    run = stage.live("--listen", "off")
    until(lambda: run.state().get("rounds", 0) >= 3, 60, f"rounds of a process: {run.words()}")
    return run


def take_over(leader, follower, how):
    """Seconds until the follower has decided a round as the leader."""
    until(leader.leads, 40, "a leader")
    if follower.leads():
        raise AssertionError("two of them lead")
    begun = time.time()
    leader.process.send_signal(how)
    while not follower.leads():
        if time.time() > begun + 60:
            raise AssertionError(f"nobody leads after a minute: {follower.words()}")
        time.sleep(0.01)
    took = time.time() - begun
    leader.end()
    return took


def measure(stage, how, count):
    """So many in a row: who followed leads, and a new one follows."""
    draw, took, leader, follower = random.Random(7), [], ready(stage), None
    try:
        while len(took) < count:
            follower = ready(stage)
            time.sleep(draw.uniform(0, 3))  # Rounds and renewals have a beat.
            took.append(take_over(leader, follower, how))
            leader, follower = follower, None
    finally:
        for each in (leader, follower):
            if each is not None:
                each.end(signal.SIGTERM)
        stage.reset()
    return took
