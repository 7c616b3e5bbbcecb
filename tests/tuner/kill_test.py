"""Workers are killed at any moment: nothing stored is lost or doubled, and all can continue.

Usage: kill_test.py TUNER_TOOL
"""

import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import kit
import optuna

SECONDS = 14  # For each format.
GRACE_S = 1   # A lock whose holder was killed is broken after this; outside of tests after 30 s.


def kill_loop(tool, seed):
    random.seed(seed)
    optuna.create_study(storage=kit.storage(tool.place), study_name=tool.study)
    told, kills, numbers = [], 0, iter(range(10**6))
    end = time.monotonic() + SECONDS

    def begin():
        return tool.start("run", "--trials=100000", f"--seed={next(numbers)}", f"--grace={GRACE_S}",
                          "--report=1")

    workers = [begin(), begin()]
    while time.monotonic() < end:
        time.sleep(random.uniform(0.02, 1.0 if tool.place.startswith("journal:") else 0.4))
        victim = workers.pop(random.randrange(len(workers)))
        victim.send_signal(signal.SIGKILL)
        out, err = victim.communicate(timeout=kit.SECONDS_MAX)
        assert victim.returncode == -signal.SIGKILL, f"it ended by itself: {err}"
        kills += 1
        lines = out.split("\n")
        told += [line.split() for line in lines[:-1]]
        workers.append(begin())
    for worker in workers:
        worker.send_signal(signal.SIGKILL)
        told += [line.split() for line in worker.communicate()[0].split("\n")[:-1]]
    return told, kills


def check(tool, told, kills):
    study = optuna.load_study(storage=kit.storage(tool.place, GRACE_S), study_name=tool.study)
    before = study.get_trials(deepcopy=False)
    assert [t.number for t in before] == list(range(len(before)))
    assert len({number for number, _ in told}) == len(told), "a number was given twice"
    for number, value in told:
        trial = before[int(number)]
        assert trial.value == float(value), (number, value, trial)
        assert abs(kit.cost(trial.params) - trial.value) < 1e-9
    running = [t for t in before if not t.state.is_finished()]
    assert len(running) <= kills + 2, (len(running), kills)
    assert len(told) > 20 and len(before) - len(told) <= 2 * (kills + 2), (len(told), len(before))
    study.optimize(kit.objective, n_trials=3)  # Optuna continues ...
    tool("run", "--trials=3", f"--grace={GRACE_S}")  # ... and so do we.
    assert len(study.get_trials()) == len(before) + 6
    print(f"{tool.place.split(':')[0]}: {kills} kills, {len(told)} trials acknowledged, "
          f"{len(before)} in the study, {len(running)} of them never finished")


def torn_tail(tool):
    """Half a line at the end, as after a power cut: Optuna alone would never read further."""
    tool("run", "--trials=3")
    path = Path(kit.file_of(tool.place))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"op_code":6,"worker_id":"x","trial_')
    assert len(tool.show()["trials"]) == 3  # Reading leaves it alone.
    assert path.read_bytes().endswith(b'"trial_')
    tool("run", "--trials=2")
    study = optuna.load_study(storage=kit.storage(tool.place), study_name=tool.study)
    study.optimize(kit.objective, n_trials=2)
    assert len(study.trials) == 7 and len(tool.show()["trials"]) == 7
    assert path.read_bytes().startswith(whole)
    print("journal: a torn tail is cut before the next line")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        torn_tail(kit.Tool(sys.argv[1], f"journal:{folder}/torn.log", "all"))
        for seed, place in enumerate((f"journal:{folder}/killed.log", f"sqlite:{folder}/killed.db")):
            tool = kit.Tool(sys.argv[1], place, "all")
            check(tool, *kill_loop(tool, seed))


if __name__ == "__main__":
    main()
