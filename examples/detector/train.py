"""Train a detector on the images of ``record.py``, and save its weights.

python examples/detector/train.py data all.npz
python examples/detector/train.py data seen.npz --least-contrast 0.02
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np
import optax
from detector import CELL, initial, loss, targets
from labelled import Labelled, load


def prepared(given: Labelled) -> tuple[Any, Any, Any]:
    """Return the images, and what the network ought to give for each."""
    shape = tuple(size // CELL for size in given.images.shape[1:3])
    pairs = [
        targets(
            np.array([row["bbox"] for row in rows], np.float64).reshape(-1, 4),
            np.array([row["category_id"] for row in rows], np.int64),
            shape,
        )
        for rows in given.annotations
    ]
    scores, aims = zip(*pairs, strict=True)
    return given.images, np.array(scores), np.array(aims)


def trained(parts: tuple[Any, Any, Any], epochs: int, batch: int, seed: int) -> dict[str, Any]:
    """Return weights after passes over the images, each mirrored at random; print the loss."""
    random, weights, count = np.random.default_rng(seed), initial(seed), len(parts[0])
    steps = epochs * (count // batch)
    rate = optax.warmup_cosine_decay_schedule(0.0, 2e-3, steps // 20, steps)
    rule = optax.chain(optax.clip_by_global_norm(5.0), optax.adamw(rate, weight_decay=1e-4))
    state = rule.init(weights)

    @jax.jit
    def step(weights: Any, state: Any, *some: Any) -> Any:
        value, slopes = jax.value_and_grad(loss)(weights, *some)
        changes, state = rule.update(slopes, state, weights)
        return optax.apply_updates(weights, changes), state, value

    wall, spent = time.perf_counter(), time.process_time()
    for epoch in range(1, epochs + 1):
        order, values = random.permutation(count), []
        for k in range(0, count - batch + 1, batch):
            images, scores, aims = (part[order[k : k + batch]] for part in parts)
            if random.random() < 0.5:
                images, scores, aims = (part[:, :, ::-1] for part in (images, scores, aims))
                aims = aims * np.array([-1, 1, 1, 1], np.float32)
            weights, state, value = step(weights, state, images, scores, aims)
            values.append(float(value))
        took, own = time.perf_counter() - wall, time.process_time() - spent
        spent_so_far = f"{took:6.1f} s, of processors {own:6.1f} s"
        print(f"{spent_so_far}: epoch {epoch:2}, loss {np.mean(values):.3f}", flush=True)
    return weights


def main() -> None:
    """Train, and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--least-contrast", type=float, default=0.0)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    known = load(given.folder / "train").seen(given.least_contrast)
    print(f"{sum(map(len, known.annotations))} boxes in {len(known.images)} images")
    weights = trained(prepared(known), given.epochs, given.batch, given.seed)
    flat = {f"{name}.{k}": part for name, pair in weights.items() for k, part in enumerate(pair)}
    np.savez(given.out, **flat)


if __name__ == "__main__":
    main()
