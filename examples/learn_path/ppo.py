"""Proximal policy optimisation with NumPy alone.

Clipped surrogate objective, generalised advantage estimation, Adam; two networks of two hidden
layers each, one for the actions and one for the value.
Sources: Schulman et al. (2017), Proximal policy optimization algorithms; Schulman et al. (2016),
High-dimensional continuous control using generalized advantage estimation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
LIMIT = 5.0  # entries of an observation beyond it count as it
HIDDEN = 32


class Settings(NamedTuple):
    """What may be set.

    Attributes:
        steps: of each environment between updates.
        epochs, parts: passes over them, and minibatches of each.
        discount, trace: of the rewards, and lambda of the advantages.
        clip: of the ratio of probabilities.
        rate: of learning, which falls to a tenth of it.
    """

    steps: int = 64
    epochs: int = 4
    parts: int = 8
    discount: float = 0.98
    trace: float = 0.95
    clip: float = 0.2
    rate: float = 2e-3


class Network:
    """Layers of tanh, the last one linear; its weights are a list of arrays, W and b in turn."""

    def __init__(self, sizes: tuple[int, ...], last: float, random: np.random.Generator) -> None:
        """Draw orthogonal weights; ``last`` scales those of the last layer."""
        self.weights: list[Floats] = []
        for i, (into, out) in enumerate(pairwise(sizes)):
            square, _ = np.linalg.qr(random.standard_normal((max(into, out),) * 2))
            scale = last if i == len(sizes) - 2 else 1.0
            self.weights += [(scale * square[:into, :out]).astype(np.float32)]
            self.weights += [np.zeros(out, np.float32)]

    def forward(self, seen: Floats) -> list[Floats]:
        """Return what each layer gives (n, width), from the input to the output."""
        layers = [seen]
        for W, b in zip(self.weights[::2], self.weights[1::2], strict=True):
            z = layers[-1] @ W + b
            layers.append(z if len(layers) == len(self.weights) // 2 else np.tanh(z))
        return layers

    def backward(self, layers: list[Floats], slope: Floats) -> list[Floats]:
        """Return the gradients of the weights, from that of the output (n, out)."""
        found: list[Floats] = []
        for i in range(len(layers) - 2, -1, -1):
            found = [layers[i].T @ slope, slope.sum(axis=0), *found]
            slope = (slope @ self.weights[2 * i].T) * (1.0 - layers[i] ** 2)
        return found


class Adam:
    """Steps down a gradient; Kingma and Ba (2015)."""

    def __init__(self, weights: list[Floats]) -> None:
        self._weights, self._count = weights, 0
        self._mean = [np.zeros_like(one) for one in weights]
        self._square = [np.zeros_like(one) for one in weights]

    def step(self, slopes: list[Floats], rate: float) -> None:
        """Change the weights in place; the gradient's norm is limited to 1."""
        self._count += 1
        norm = np.sqrt(sum(float((slope**2).sum()) for slope in slopes))
        share = 1.0 / max(norm, 1.0)
        grown = 1.0 - 0.9**self._count, 1.0 - 0.999**self._count
        for weight, slope, mean, square in zip(
            self._weights, slopes, self._mean, self._square, strict=True
        ):
            mean += 0.1 * (share * slope - mean)
            square += 0.001 * ((share * slope) ** 2 - square)
            weight -= rate * (mean / grown[0]) / (np.sqrt(square / grown[1]) + 1e-8)


class Rollout(NamedTuple):
    """What the environments did between two updates: arrays (samples, ...)."""

    seen: Floats
    actions: Floats
    likelihood: Floats
    advantage: Floats
    goal: Floats


class PPO:
    """A policy, a value, and how they learn from a ``VesselVectorEnv`` with autoreset SameStep."""

    def __init__(self, envs: Any, seed: int) -> None:
        self.envs, self.settings = envs, Settings()
        self._random = np.random.default_rng(seed)
        (entries,), (orders,) = envs.single_observation_space.shape, envs.single_action_space.shape
        self.policy = Network((entries, HIDDEN, HIDDEN, orders), 0.01, self._random)
        self.value = Network((entries, HIDDEN, HIDDEN, 1), 1.0, self._random)
        self.log_std = np.full(orders, -0.7, np.float32)
        self._learners = Adam([*self.policy.weights, self.log_std]), Adam(self.value.weights)
        self._seen = clipped(envs.reset(seed=seed)[0])

    def learn(self, updates: int) -> Iterator[float]:
        """Learn, and yield the mean reward of a step after each update."""
        for k in range(updates):
            rate = self.settings.rate * (1.0 - 0.9 * k / updates)
            rollout, reward = self._sail()
            for _ in range(self.settings.epochs):
                order = self._random.permutation(len(rollout.seen))
                for rows in np.array_split(order, self.settings.parts):
                    self._improve(Rollout(*(one[rows] for one in rollout)), rate)
            yield reward

    def save(self, file: Path) -> None:
        """Write the policy as ONNX: an observation (1, n) in, an action (1, orders) out."""
        from onnx import TensorProto, helper, numpy_helper, save

        weights = self.policy.weights
        names = [f"w{i}" for i in range(len(weights))]
        values = dict(zip(names, weights, strict=True))
        values |= {"low": np.float32(-LIMIT), "high": np.float32(LIMIT)}
        constants = [numpy_helper.from_array(np.asarray(v), name) for name, v in values.items()]
        nodes = [helper.make_node("Clip", ["observation", "low", "high"], ["h0"])]
        for i in range(0, len(weights), 2):
            last = i == len(weights) - 2
            nodes.append(helper.make_node("MatMul", [f"h{i}", names[i]], [f"m{i}"]))
            out = "action" if last else f"s{i}"
            nodes.append(helper.make_node("Add", [f"m{i}", names[i + 1]], [out]))
            if not last:
                nodes.append(helper.make_node("Tanh", [f"s{i}"], [f"h{i + 2}"]))
        entries, orders = len(weights[0]), len(weights[-1])
        given = helper.make_tensor_value_info("observation", TensorProto.FLOAT, [1, entries])
        found = helper.make_tensor_value_info("action", TensorProto.FLOAT, [1, orders])
        graph = helper.make_graph(nodes, "policy", [given], [found], constants)
        opset = [helper.make_opsetid("", 17)]
        save(helper.make_model(graph, opset_imports=opset, ir_version=9), str(file))

    def _sail(self) -> tuple[Rollout, float]:
        """Run the environments for some steps; return these, and their mean reward."""
        rows, one = [], self.settings
        for _ in range(one.steps):
            mean = self.policy.forward(self._seen)[-1]
            drawn = self._random.standard_normal(mean.shape, np.float32)
            action = mean + np.exp(self.log_std) * drawn
            likely = self._likelihood(drawn)
            seen, reward, ended, cut, info = self.envs.step(np.clip(action, -1.0, 1.0))
            after = clipped(info.get("final_obs", seen))
            lost = ended & ~info["reached"]  # a goal is no loss: as if the way went on
            rows.append((self._seen, action, likely, reward, lost, ended | cut, after))
            self._seen = clipped(seen)
        before, actions, likely, rewards, lost, over, after = map(np.array, zip(*rows, strict=True))
        values = self.value.forward(before)[-1][..., 0]
        following = np.where(lost, 0.0, self.value.forward(after)[-1][..., 0])
        surprise = rewards + one.discount * following - values
        advantage, carried = np.zeros_like(surprise), np.zeros(len(self._seen))
        for t in range(one.steps - 1, -1, -1):
            carried = surprise[t] + one.discount * one.trace * np.where(over[t], 0.0, carried)
            advantage[t] = carried
        found = Rollout(before, actions, likely, advantage, advantage + values)
        flat = (a.reshape(-1, *a.shape[2:]).astype(np.float32) for a in found)
        return Rollout(*flat), float(rewards.mean())

    def _improve(self, batch: Rollout, rate: float) -> None:
        """Make one step of both networks on a minibatch."""
        count, std = len(batch.seen), np.exp(self.log_std)
        layers = self.policy.forward(batch.seen)
        drawn = (batch.actions - layers[-1]) / std
        ratio = np.exp(self._likelihood(drawn) - batch.likelihood)
        gain = (batch.advantage - batch.advantage.mean()) / (batch.advantage.std() + 1e-8)
        free = np.sign(gain) * (ratio - 1.0) < self.settings.clip
        weight = (-(gain * ratio * free) / count)[:, None]  # d loss / d log-likelihood
        slopes = self.policy.backward(layers, weight * drawn / std)
        self._learners[0].step([*slopes, (weight * (drawn**2 - 1.0)).sum(axis=0)], rate)
        layers = self.value.forward(batch.seen)
        slope = (layers[-1] - batch.goal[:, None]) / count
        self._learners[1].step(self.value.backward(layers, slope), rate)

    def _likelihood(self, drawn: Any) -> Any:
        """Return the logarithm of an action's density (n,), less a constant."""
        return -(0.5 * drawn**2 + self.log_std).sum(axis=-1)


def clipped(seen: Any) -> Floats:
    """Return observations as the networks take them."""
    return np.clip(seen, -LIMIT, LIMIT).astype(np.float32)
