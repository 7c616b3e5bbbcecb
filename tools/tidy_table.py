"""The lists of tools/tidy.py that people edit, each entry with its reason."""

# What each folder of src/ may include besides itself; src/README.md shows the same table.
# A folder's name stands for the folders in it too. "pure layers" and "all layers" are defined below.
# A *_test.cc may also include `fake` and the rooms beside its own.
ALLOWED = {
    "base": "",
    "model": "base",
    "http": "base",
    "guard": "base, model",
    "brain": "base",
    "cluster": "base, model",
    "store": "base, model",
    "config": "base, model",
    "sqlite": "base",
    "layers/prediction": "base, model, brain",
    "layers/proposal": "base, brain, model",
    "layers/arbitration": "base, model, guard",
    "layers/observation": "base, model, cluster",
    "layers/execution": "base, model, cluster, guard",
    "layers/explanation/wording": "base, model",
    "layers/explanation/alarms": "base, model, layers/explanation/wording",
    "layers/explanation/telling": "base, model, store, layers/execution, layers/explanation/wording",
    "layers/explanation/derived": "base, model, store, sqlite, layers/explanation",
    "layers/explanation/answers": "base, model, store, layers/explanation",
    "layers/decide": "base, model, guard, brain, pure layers, layers/explanation/alarms",
    "layers/round_core": "base, model, guard, brain, cluster, pure layers, layers/decide",
    "layers/recorder": "base, model",
    "layers/pipeline": "base, model, guard, brain, cluster, store, all layers",
    "exercise": "base, model, cluster",
    "fake": "base, model, cluster",
    "sim/scenario": "base, model, exercise",
    "sim/load": "base",
    "sim/world": "base, model, cluster, guard, exercise, sim/scenario, sim/load",
    "sim/learners": "base, sim/scenario, sim/load, sim/world",
    "twin": "base, model, cluster",
    "kube/access": "base, config, http",
    "kube/decode": "base, model, kube/access",
    "kube/picture": "base, model, cluster, kube/decode",
    "kube/watch": "base, model, cluster, http, kube/access, kube/decode, kube/picture",
    "kube/exercise": "base, model, cluster, http, kube/access, kube/decode, kube/watch",
    "kube/write": "base, model, cluster, http, kube/access, kube/decode, kube/watch",
    "kube/webhook": "base, model, http, kube/decode, kube/watch, kube/write",
    "kube/provider": "base, model, cluster, http, kube/access, kube/decode, kube/picture, kube/watch, kube/write",
    "prometheus": "base, model, cluster, http",
    "replay": "base, model, guard, brain, pure layers, layers/explanation, store",
    "trial": "base, model, brain, guard, all layers, cluster, sim",
    "experiment": "base, model, brain, layers/prediction, sim, trial",
    "learn/rows": "base",
    "learn/fit": "base, brain, learn/rows",
    "learn/report": "base, learn/rows, learn/fit",
    "learn/risk": "base, brain, learn/rows, learn/fit, learn/report",
    "learn/demand": "base, brain, learn/rows, learn/fit, learn/report",
    "learn/rounds": "base, model, brain, guard, all layers, cluster, sim, store, trial, learn/rows",
    "learn/folder": "base, model, brain",
    "traces": "base, config, learn/rows",
    "tuner": "base, sqlite",
    "web/views": "base, model, store, layers/explanation",
    "web/run": "base, model, store, layers/explanation, web/views",
    "web/serve": "base, model, store, layers/explanation, layers/pipeline, web/views, web/run",
    "apps/terminal": "base, model, guard, config, store",
    "apps/shelf": "base, model, brain, config, layers/prediction, learn/folder, traces, apps/terminal",
    "apps/runs": "base, model, brain, all layers, sim, store, replay, apps/terminal, apps/shelf",
    "apps/running": "base, model, layers/pipeline, layers/explanation, store, replay, apps/terminal, apps/shelf",
    "apps/session": "base, model, brain, config, all layers, sim, store, "
                    "apps/terminal, apps/shelf, apps/runs, apps/running",
    "apps/training": "base, model, brain, layers/prediction, learn, traces, apps/terminal, apps/shelf",
    "apps/tuning": "base, model, brain, guard, config, layers/decide, layers/explanation, store, trial, "
                   "experiment, tuner, learn/folder, apps/terminal, apps/shelf, apps/running, apps/session",
    "apps/dashboard": "base, model, brain, layers/pipeline, layers/explanation, store, replay, tuner, "
                      "web, learn/folder, apps/terminal, apps/shelf, apps/running, apps/session, apps/tuning",
    "apps/live": "base, model, cluster, config, exercise, layers/observation, layers/pipeline, "
                 "layers/explanation/wording, kube, prometheus, twin, store, apps/terminal, apps/shelf, apps/runs, apps/running, apps/tuning, apps/dashboard",
    "apps/parley": "everything but fake",
}

# Files in pure folders that are not pure, and why.
IMPURE = {
    "src/layers/execution/sender": "sends one request, asynchronously",
    "src/sim/world/cluster": "adapts the synchronous world to the asynchronous seam",
}
PURE_FOLDERS = ("layers/prediction", "layers/proposal", "layers/arbitration", "layers/execution",
                "layers/decide", "layers/round_core", "layers/explanation/wording", "layers/explanation/alarms", "guard",
                "sim", "model", "brain")
PURE_LAYERS = PURE_FOLDERS[:5]
# Bit-exact, although their purpose keeps them out of the pure folders.
ALSO_EXACT = ("src/base/math", "src/base/random", "src/exercise/phases")

# Files that may be longer, up to how many lines, and why.
LONGER = {}

# Headers that the build makes.
GENERATED = ("version.h",)

# An x.cc that needs no x.h, because another header declares what it defines; it still needs x_test.cc.
DECLARED_ELSEWHERE = {
    "src/layers/proposal/*.cc": "an agent; agent.h declares one for every role",
}

# An x.cc without x.h or x_test.cc beside it, and why.
UNPAIRED = {
    "src/apps/*/main.cc": "a main function; tests start the program",
    "src/apps/*/*_command.cc": "a command line in, a call out; commands.h declares them all, and "
                               "tests/cli runs each of them",
    "src/apps/dashboard/dashboard.cc": "wires a server to a run; tests/web runs it",
    "src/apps/session/session.cc": "wires a whole run; tests/scenarios and tests/faults run it",
    "src/guard/rule_families.cc": "one list of all rules; guard_test.cc names them in order",
    "src/layers/explanation/alarms/stimulus_effect.cc": "part of one alarm; alarms_test.cc asks through it",
    "src/kube/decode/proto_tables.cc": "numbers and names; proto_json_test.cc reads by them, and "
                                "tests/cluster by those of a real server",
    "src/kube/picture/picture_settle.cc": "parts of the picture; picture_test.cc and places_test.cc run them",
    "src/apps/tuning/boot_flags.cc": "flags, and a line of progress; tests/cli runs it",
    "src/apps/session/from_trace.cc": "wires a trace to a record; tests/cli runs it",
    "src/apps/dashboard/prepare_run.cc": "wires tuning to the dashboard; tests/cli runs it",
    "src/apps/dashboard/simulated_run.cc": "wires a run to its dashboard; tests/cli and tests/web run it",
    "src/apps/running/state_file.cc": "wires rounds to a file; tests/cli runs it",
    "src/replay/why_not_text.cc": "the words of why_not.h; why_not_test.cc reads them",
    "src/apps/live/access_flags.cc": "flags to a choice; tests/cluster runs it",
    "src/apps/live/exercise_flags.cc": "flags to a choice; tests/cluster runs it",
    "src/apps/live/exercise_run.cc": "wires the exerciser alone; tests/cluster runs it",
    "src/apps/live/live_exercise.cc": "wires the exerciser beside a run; tests/cluster runs it",
    "src/apps/live/live_flags.cc": "flags to a choice; tests/cluster and tests/cli run it",
    "src/apps/live/cluster_check.cc": "asks a cluster; tests/cluster runs it",
    "src/apps/live/live_watcher.cc": "joins two sources; tests/cluster runs it",
    "src/apps/live/live_run.cc": "wires a live run to its dashboard and screen; tests/cluster runs it",
    "src/apps/live/live_hands.cc": "wires lease, ledger and hand; tests/cluster runs it",
    "src/apps/live/release_run.cc": "wires a command to a cluster; tests/cluster runs it",
    "src/kube/write/releaser.cc": "lists and sends by release.h and hand.h; tests/cluster runs it",
    "src/apps/live/live_session.cc": "wires a whole run beside a cluster; tests/cluster runs it",
    "src/apps/runs/run_record.cc": "opens and closes records; the kill test and tests/cli run it",
    "src/apps/runs/record_state.cc": "reads what others wrote; tests/cli damages it and runs it",
    "src/apps/runs/repair.cc": "copies and declares; tests/cli damages records and runs it",
    "src/base/json.cc": "visitors over descriptions are tested together, in codec_test.cc",
    "src/base/schema.cc": "visitors over descriptions are tested together, in codec_test.cc",
    "src/fake/disk_model.cc": "the inside of disk.cc, tested through it",
    "src/http/test_certificates.cc": "for tests alone, which run it",
    "src/layers/observation/observer.cc": "a call of the builder; the scenarios run it",
    "src/layers/observation/snapshot_containers.cc": "parts of snapshot_builder.h; snapshot_containers_test.cc runs them",
    "src/layers/observation/snapshot_samples.cc": "the second half of snapshot_builder.cc",
    "src/model/coded_*.cc": "instances of base/codec.h and base/same.h for coded.h",
    "src/replay/replay.cc": "the kill test replays after every kill",
    "src/sim/world/cluster.cc": "the adapter; the scenarios and the kill test run on it",
    "src/sim/load/load_table.cc": "generated; load_accuracy_test.cc judges it",
    "src/sim/learners/vector_env_*.cc": "parts of vector_env.cc, tested through it",
    "src/web/serve/server.cc": "listens and starts; tests/web runs it",
    "src/web/views/run_index_scores.cc": "the scores of run_index.h; run_index_test.cc runs them",
    "src/store/journal_report.cc": "texts of the reader's report, tested with it",
    "src/store/run_reader.cc": "reader and writer are tested together, in run_test.cc",
    "src/store/run_writer.cc": "reader and writer are tested together, in run_test.cc",
}
