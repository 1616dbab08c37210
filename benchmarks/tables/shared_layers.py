"""Do ten nets that share their hidden layers pay? python3 benchmarks/tables/shared_layers.py --data DIR

A trial outside the program, in PyTorch: ten nets of their own, each with its own validation fold, averaged; against ten that
share all fan-ins and differ in a scale per input and in their outputs (TabM-mini), with a third and with all of the weights of
the ten. All have two hidden layers, Adam, early stopping. Only rows that `./run bench --tables` trains on are used: they are
split again into 70 % to train and 30 % to compare by. Prints errors relative to those of the ten, and of one net.
"""
from __future__ import annotations

import argparse
import math
import pathlib

import numpy as np
import torch
from contestants.base import frame
from contestants.scikit import columns

import data

NETS, HIDDEN, PATIENCE, EPOCHS, FLOOR = 10, 32, 25, 300, 0.005


class Nets(torch.nn.Module):
    """Nets side by side: answers of shape (nets, rows, outputs)."""

    def __init__(self, inputs: int, outputs: int, hidden: int, nets: int, shared: bool) -> None:
        super().__init__()
        own = 1 if shared else nets
        self.scale = torch.nn.Parameter(torch.randint(0, 2, (nets, 1, inputs)) * 2.0 - 1) if shared else None
        sizes = [(own, inputs, hidden), (own, hidden, hidden), (nets, hidden, outputs)]
        self.weights = torch.nn.ParameterList(torch.randn(size) * math.sqrt(2 / size[1]) for size in sizes)
        self.biases = torch.nn.ParameterList(torch.zeros(size[0], 1, size[2]) for size in sizes)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:  # (1 or nets, rows, inputs)
        x = rows if self.scale is None else rows * self.scale
        for weights, biases in zip(list(self.weights)[:-1], self.biases):
            x = torch.relu(x @ weights + biases)
        return x @ self.weights[-1] + self.biases[-1]

    def size(self) -> int:
        return sum(p.numel() for p in self.parameters())


def loss(answers: torch.Tensor, target: torch.Tensor, classes: int) -> torch.Tensor:
    """Of each net; target has a row for each net, or one for all."""
    target = target.expand(answers.shape[0], -1)
    if not classes:
        return ((answers[..., 0] - target) ** 2).mean(1)
    return torch.nn.functional.cross_entropy(answers.flatten(0, 1), target.flatten(), reduction="none").view(target.shape).mean(1)


def fit(x: torch.Tensor, y: torch.Tensor, classes: int, hidden: int, nets: int, shared: bool) -> Nets:
    """Nets of their own have folds of their own; those that share stop together by one fold."""
    model = Nets(x.shape[1], max(1, classes), hidden, nets, shared)
    order = torch.randperm(len(x))
    folds = [order[k::NETS] for k in range(1 if shared else nets)]
    rests = [order[~torch.isin(order, fold)] for fold in folds]
    least = min(map(len, folds))
    held = torch.stack([fold[:least] for fold in folds])
    train = torch.stack([rest[:min(map(len, rests))] for rest in rests])
    steps = torch.optim.Adam(model.parameters(), 2e-3, weight_decay=1e-5)
    best = torch.full((1 if shared else nets,), math.inf)
    kept = [p.detach().clone() for p in model.parameters()]
    waited = 0
    for _ in range(EPOCHS):
        shuffled = train[:, torch.randperm(train.shape[1])]
        for batch in shuffled.split(64, 1):
            steps.zero_grad()
            loss(model(x[batch]), y[batch], classes).sum().backward()
            steps.step()
        with torch.no_grad():
            found = loss(model(x[held]), y[held], classes)
            found = found.mean(0, keepdim=True) if shared else found
            better = found < best
            best = torch.where(better, found, best)
            for old, new in zip(kept, model.parameters()):
                if shared:
                    if better.item():
                        old.copy_(new)
                else:
                    old[better] = new[better]
        waited = 0 if better.any() else waited + 1
        if waited >= PATIENCE:
            break
    with torch.no_grad():
        for old, new in zip(kept, model.parameters()):
            new.copy_(old)
    return model


def error(model: Nets, x: torch.Tensor, y: torch.Tensor, classes: int) -> float:
    with torch.no_grad():
        answers = model(x[None])
        if not classes:
            return float(((answers[..., 0].mean(0) - y) ** 2).mean() / y.var(unbiased=False))
        return float((answers.softmax(-1).mean(0).argmax(1) != y).float().mean())


def width(inputs: int, outputs: int, weights: int) -> int:
    """Of a shared net that has at most so many."""
    hidden = 1
    while Nets(inputs, outputs, hidden + 1, NETS, True).size() <= weights:
        hidden += 1
    return hidden


def compare(table: data.Table, split: int) -> dict[str, tuple[float, int]]:
    train, _ = data.split(table, 0)
    random = np.random.default_rng(1000 + split)
    order = random.permutation(len(train))[:5000]
    cut = len(order) * 7 // 10
    rows, asked = (frame(train.rows(chosen)) for chosen in (order[:cut], order[cut:]))
    encode = columns().fit(rows)
    dense = [np.asarray(part.todense() if hasattr(part, "todense") else part, np.float32) for part in map(encode.transform, (rows, asked))]
    x, asked_x = map(torch.tensor, dense)
    classes = len(table.labels)
    target = train.target[order]
    if not classes:
        target = ((target - target[:cut].mean()) / target[:cut].std()).astype(np.float32)
    y = torch.tensor(target, dtype=torch.long if classes else torch.float32)
    torch.manual_seed(split)
    found = {}
    ten = Nets(x.shape[1], max(1, classes), HIDDEN, NETS, False).size()
    for name, hidden, nets, shared in (("one", HIDDEN, 1, False), ("ten", HIDDEN, NETS, False),
                                       ("shared, a third", width(x.shape[1], max(1, classes), ten // 3), NETS, True),
                                       ("shared, as many", width(x.shape[1], max(1, classes), ten), NETS, True)):
        model = fit(x, y[:cut], classes, hidden, nets, shared)
        found[name] = error(model, asked_x, y[cut:], classes), model.size()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--splits", type=int, default=4)
    parser.add_argument("--tables", default="")
    given = parser.parse_args()
    torch.set_num_threads(1)
    ratios: dict[str, list[float]] = {}
    sizes: dict[str, list[float]] = {}
    for name, file in data.find(given.data).items():
        if given.tables and name not in given.tables.split(","):
            continue
        table = data.load(file)
        splits = [compare(table, split) for split in range(given.splits)]
        line = []
        for kind in splits[0]:
            mean = {k: max(FLOOR, float(np.mean([s[k][0] for s in splits]))) for k in (kind, "ten")}
            ratios.setdefault(kind, []).append(mean[kind] / mean["ten"])
            sizes.setdefault(kind, []).append(splits[0][kind][1] / splits[0]["ten"][1])
            line.append(f"{kind} {mean[kind]:.4f}")
        print(f"{name:15}", ", ".join(line), flush=True)
    print("\nerror / that of ten, geometric mean; weights / those of ten")
    for kind, found in ratios.items():
        print(f"{kind:16} {math.exp(np.mean(np.log(found))):.3f}  {np.exp(np.mean(np.log(sizes[kind]))):.2f}")


if __name__ == "__main__":
    main()
