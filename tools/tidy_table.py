"""The lists of tools/tidy.py that people edit, each entry with its reason."""

# What each folder of src/ may include besides itself; src/README.md shows the same table.
# "pure layers" and "all layers" are defined below; a *_test.cc may include `fake` as well.
ALLOWED = {
    "base": "",
    "model": "base",
    "http": "base",
    "guard": "base, model",
    "brain": "base",
    "cluster": "base, model",
    "store": "base, model",
    "config": "base, model",
    "layers/prediction": "base, model, brain",
    "layers/proposal": "base, model",
    "layers/arbitration": "base, model, guard",
    "layers/observation": "base, model, cluster",
    "layers/execution": "base, model, cluster, guard",
    "layers/explanation": "base, model, store, http, layers/execution",
    "layers/decide": "base, model, guard, brain, pure layers, layers/explanation",
    "layers/recorder": "base, model",
    "layers/pipeline": "base, model, guard, brain, cluster, store, all layers",
    "exercise": "base, model, cluster",
    "fake": "base, model, cluster",
    "sim": "base, model, cluster, guard, exercise",
    "kube": "base, model, cluster, http, config",
    "prometheus": "base, model, cluster, http",
    "replay": "base, model, guard, brain, pure layers, layers/explanation, store",
    "trial": "base, model, brain, guard, all layers, cluster, sim",
    "experiment": "base, model, brain, layers/prediction, sim, trial",
    "learn": "base, model, brain, guard, all layers, cluster, sim, store, trial",
    "traces": "base, config, learn",
    "tuner": "base",
    "web": "base, model, store, layers/explanation, layers/pipeline",
    "apps": "everything but fake",
}

# Files in pure folders that are not pure, and why.
IMPURE = {
    "src/layers/execution/sender": "sends one request, asynchronously",
    "src/sim/cluster": "adapts the synchronous world to the asynchronous seam",
}
PURE_FOLDERS = ("layers/prediction", "layers/proposal", "layers/arbitration", "layers/execution",
                "layers/decide", "guard", "sim", "model", "brain")
PURE_LAYERS = PURE_FOLDERS[:5]
# Bit-exact, though what they are for keeps them out of the pure folders.
ALSO_EXACT = ("src/base/math", "src/base/random", "src/exercise/phases")

# Headers that the build makes.
GENERATED = ("version.h",)

# An x.cc without x.h or x_test.cc beside it, and why.
UNPAIRED = {
    "src/apps/*/main.cc": "a main function; tests start the program",
    "src/apps/*/*_command.cc": "a command line in, a call out; commands.h declares them all, and "
                               "tests/cli runs each of them",
    "src/apps/parley/dashboard.cc": "wires a server to a run; tests/web runs it",
    "src/apps/parley/session.cc": "wires a whole run; tests/scenarios and tests/faults run it",
    "src/kube/proto_tables.cc": "numbers and names; proto_json_test.cc reads by them, and "
                                "tests/cluster by those of a real server",
    "src/kube/picture_settle.cc": "parts of the picture; picture_test.cc and places_test.cc run them",
    "src/apps/parley/boot_flags.cc": "flags, and a line of progress; tests/cli runs it",
    "src/apps/parley/from_trace.cc": "wires a trace to a record; tests/cli runs it",
    "src/apps/parley/prepare.cc": "wires tuning to the dashboard; tests/cli runs it",
    "src/apps/parley/state_file.cc": "wires rounds to a file; tests/cli runs it",
    "src/replay/why_not_text.cc": "the words of why_not.h; why_not_test.cc reads them",
    "src/apps/parley/access_flags.cc": "flags to a choice; tests/cluster runs it",
    "src/apps/parley/exercise_flags.cc": "flags to a choice; tests/cluster runs it",
    "src/apps/parley/exercise_run.cc": "wires the exerciser alone; tests/cluster runs it",
    "src/apps/parley/live_exercise.cc": "wires the exerciser beside a run; tests/cluster runs it",
    "src/apps/parley/live_flags.cc": "flags to a choice; tests/cluster and tests/cli run it",
    "src/apps/parley/cluster_check.cc": "asks a cluster; tests/cluster runs it",
    "src/apps/parley/live_watcher.cc": "joins two sources; tests/cluster runs it",
    "src/apps/parley/live_session.cc": "wires a whole run beside a cluster; tests/cluster runs it",
    "src/apps/parley/run_record.cc": "opens and closes records; the kill test and tests/cli run it",
    "src/apps/parley/record_state.cc": "reads what others wrote; tests/cli damages it and runs it",
    "src/apps/parley/repair.cc": "copies and declares; tests/cli damages records and runs it",
    "src/base/json.cc": "visitors over descriptions are tested together, in codec_test.cc",
    "src/base/schema.cc": "visitors over descriptions are tested together, in codec_test.cc",
    "src/fake/disk_model.cc": "the inside of disk.cc, tested through it",
    "src/http/test_certificates.cc": "for tests alone, which run it",
    "src/layers/observation/observer.cc": "a call of the builder; the scenarios run it",
    "src/layers/observation/snapshot_samples.cc": "the second half of snapshot_builder.cc",
    "src/model/coded_*.cc": "instances of base/codec.h and base/same.h for coded.h",
    "src/replay/replay.cc": "the kill test replays after every kill",
    "src/sim/cluster.cc": "the adapter; the scenarios and the kill test run on it",
    "src/sim/load_table.cc": "generated; load_accuracy_test.cc judges it",
    "src/sim/vector_env_*.cc": "parts of vector_env.cc, tested through it",
    "src/web/server.cc": "listens and starts; tests/web runs it",
    "src/store/journal_report.cc": "texts of the reader's report, tested with it",
    "src/store/run_reader.cc": "reader and writer are tested together, in run_test.cc",
    "src/store/run_writer.cc": "reader and writer are tested together, in run_test.cc",
}
