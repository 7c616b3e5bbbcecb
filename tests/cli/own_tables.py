"""Tables and a model as a researcher might bring them, for tests of the commands."""

import json
import math
import random


def failures(entity="host", when="at_ms", value="disk"):
    """Hosts that fail the sooner the larger one of their values is; every ten minutes, in ms."""
    draw = random.Random(5)
    lines = [f"{entity},{when},down,{value},zone"]
    for host in range(60):
        level = draw.uniform(20, 60)
        for step in range(300):
            level = max(5, min(99, level + draw.gauss(0.1, 2)))
            odds = math.exp((level - 85) / 8)
            down = int(draw.random() < odds / (1 + odds))
            if down:
                level = 20
            at = 1_700_000_000_000 + step * 600_000
            lines.append(f"h{host},{at},{down},{level:.2f},z{host % 3}")
    return "\n".join(lines) + "\n"


def use():
    """Three services, every quarter of an hour for nine days, with a gap."""
    draw = random.Random(2)
    lines = ["when,service,rps"]
    for service in range(3):
        for step in range(900):
            if 400 <= step < 420:
                continue
            value = 100 + 50 * math.sin(step / 96 * 2 * math.pi) + draw.gauss(0, 5)
            day, rest = divmod(step, 96)
            lines.append(f"2026-03-{day + 1:02}T{rest // 4:02}:{rest % 4 * 15:02}:00Z,s{service},"
                         f"{value:.3f}")
    return "\n".join(lines) + "\n"


def foreign_model(version=(2, 1, 4), features=("cpu", "age")):
    """One tree, as a version of XGBoost saves it."""
    return json.dumps({"learner": {
        "attributes": {}, "feature_names": list(features), "feature_types": ["float"] * len(features),
        "gradient_booster": {"model": {
            "gbtree_model_param": {"num_trees": "1"}, "tree_info": [0], "trees": [{
                "left_children": [1, -1, -1], "right_children": [2, -1, -1],
                "split_indices": [0, 0, 0], "split_conditions": [90.0, -1.0, 3.0],
                "default_left": [1, 0, 0], "sum_hessian": [4.0, 1.0, 3.0],
                "split_type": [0, 0, 0], "tree_param": {"size_leaf_vector": "1"}}]},
            "name": "gbtree"},
        "learner_model_param": {"base_score": "1E-2", "num_class": "0", "num_feature": str(len(features)),
                                "num_target": "1"},
        "objective": {"name": "binary:logistic"}}, "version": list(version)})
