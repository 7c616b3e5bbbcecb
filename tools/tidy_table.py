"""The lists of tools/tidy.py that people edit, each entry with its reason."""

# What each folder of src/ may include besides itself; src/README.md shows the same table.
# "pure layers" and "all layers" are defined below; a *_test.cc may include `fake` as well.
ALLOWED = {
    "base": "",
    "model": "base",
    "http": "base",
    "guard": "base, model",
    "cluster": "base, model",
    "store": "base, model",
    "layers/prediction": "base, model",
    "layers/proposal": "base, model",
    "layers/arbitration": "base, model, guard",
    "layers/observation": "base, model, cluster",
    "layers/execution": "base, model, cluster, guard",
    "layers/explanation": "base, model, store, http",
    "layers/decide": "base, model, guard, pure layers",
    "layers/pipeline": "base, model, guard, store, all layers",
    "exercise": "base, model, cluster",
    "fake": "base, model, cluster",
    "sim": "base, model, cluster, guard",
    "kube": "base, model, cluster, http",
    "prometheus": "base, model, cluster, http",
    "replay": "base, model, guard, pure layers, store",
    "learn": "base, model, guard, all layers, cluster, sim, store",
    "apps": "everything but fake",
}

# Files in pure folders that are not pure, and why.
IMPURE = {
    "src/layers/execution/sender": "sends one request, asynchronously",
    "src/sim/cluster": "adapts the synchronous world to the asynchronous seam",
}
PURE_FOLDERS = ("layers/prediction", "layers/proposal", "layers/arbitration", "layers/execution",
                "layers/decide", "guard", "sim", "model")
PURE_LAYERS = PURE_FOLDERS[:5]
# Bit-exact, though what they are for keeps them out of the pure folders.
ALSO_EXACT = ("src/base/math", "src/base/random")

# An x.cc without x.h or x_test.cc beside it, and why.
UNPAIRED = {
    "src/apps/*/main.cc": "a main function; tests start the program",
}
