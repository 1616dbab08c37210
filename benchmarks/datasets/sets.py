"""The tables: each is inputs, target and whether the target is a class. Texts and missing cells only in `people`."""
import gzip
import pathlib
import subprocess

import numpy as np
from sklearn import datasets

BUNDLED = ("iris", "wine", "breast_cancer", "digits", "diabetes")


class Table:
    def __init__(self, inputs, target, classes=True, image=False):
        self.inputs, self.target, self.classes, self.image = inputs, target, classes, image

    def rows(self, chosen):
        return Table(self.inputs[chosen], self.target[chosen], self.classes, self.image)


def bundled(name):
    data = getattr(datasets, f"load_{name}")()
    if name == "diabetes":
        return Table(data.data, data.target, classes=False)
    return Table(data.data, np.array([f"class {name}" for name in data.target_names])[data.target])


def moons():
    points, labels = datasets.make_moons(500, noise=0.2, random_state=0)
    return Table(points, np.array(["a", "b"])[labels])


def friedman():
    points, values = datasets.make_friedman1(2000, noise=1.0, random_state=0)
    return Table(points, values, classes=False)


def people(rows=3000):
    """Numbers, texts and missing cells, with an interaction that no linear model sees."""
    rng = np.random.default_rng(0)
    age, income = rng.normal(40, 12, rows), np.exp(rng.normal(10, 0.6, rows))
    sex = rng.choice(["m", "f"], rows)
    city = rng.choice(["Paris", "Rome", "Oslo", "Bonn"], rows, p=[0.5, 0.3, 0.15, 0.05]).astype(object)
    score = 0.05 * (age - 40) * np.where(sex == "m", 1, -1) + (np.log(income) - 10) ** 2 - 0.5
    score += np.where(city == "Rome", 1.5, 0) - np.where(city == "Oslo", 1, 0) + rng.normal(0, 0.5, rows)
    age[rng.random(rows) < 0.1] = np.nan
    city[rng.random(rows) < 0.05] = None
    return Table(np.column_stack([age, income, sex, city]).astype(object), np.where(score > 0, "yes", "no"))


def clusters():
    points, labels = datasets.make_classification(50000, 20, n_informative=10, n_redundant=4, n_classes=4,
                                                  n_clusters_per_class=4, class_sep=1.2, random_state=1)
    return Table(points, np.array(list("abcd"))[labels])


def waves(rows=1_000_000):
    """Interactions and kinks under noise of a tenth of the variance."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, 8))
    value = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + np.abs(x[:, 3])
    value += 0.5 * np.maximum(x[:, 4] + x[:, 5], 0) * x[:, 6] + 0.45 * rng.normal(size=rows)
    return Table(x, value, classes=False)


def generated(kind, rows, program, folder):
    """A data set of `coppice generate`: poker is a csv file with a header, the others are numbers in columns."""
    file = pathlib.Path(folder) / f"{kind}-{rows}"
    if not file.exists():
        subprocess.run([program, "generate", kind, "--rows", str(rows), "--seed", "1", "-o", file], check=True,
                       stdout=subprocess.DEVNULL)
    if kind == "poker":
        cells = np.loadtxt(file, delimiter=",", skiprows=1, dtype=str)
        return Table(cells[:, :-1].astype(np.float32), cells[:, -1])
    cells = np.loadtxt(file, dtype=np.float32)
    return Table(cells[:, :-1], cells[:, -1].astype(int).astype(str), image=True)


def mnist(folder):
    """All 70,000 images of the four original files."""
    def read(name, header):
        with gzip.open(pathlib.Path(folder) / f"{name}.gz") as file:
            return np.frombuffer(file.read(), np.uint8, offset=header)
    images = [read(f"{part}-images-idx3-ubyte", 16).reshape(-1, 784) for part in ("train", "t10k")]
    labels = [read(f"{part}-labels-idx1-ubyte", 8) for part in ("train", "t10k")]
    return Table(np.concatenate(images).astype(np.float32), np.concatenate(labels).astype(str), image=True)


def load(name, program, folder, mnist_folder):
    if name in BUNDLED:
        return bundled(name)
    if name == "rectangles":
        return generated(name, 12000, program, folder)
    if name == "poker":
        return generated(name, 250000, program, folder)
    if name == "mnist":
        return mnist(mnist_folder)
    return globals()[name]()


SHAPES = {"iris": "150, 4", "wine": "178, 13", "diabetes": "442, 10", "moons": "500, 2", "breast_cancer": "569, 30",
          "digits": "1,797, 64", "friedman": "2,000, 10", "people": "3,000, 4", "rectangles": "12,000, 784",
          "clusters": "50,000, 20", "mnist": "70,000, 784", "poker": "250,000, 10", "waves": "1,000,000, 8"}
ALL = tuple(SHAPES)
GENERATED = ("rectangles", "poker")
