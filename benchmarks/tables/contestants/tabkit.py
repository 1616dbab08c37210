"""RealMLP-TD and TabM-D of pytabkit. It takes categories, but no gaps in numbers: they are filled and marked."""
from __future__ import annotations

import importlib.metadata
import os
import pickle
import warnings
from typing import Any

import numpy as np
import torch
from pytabkit import RealMLP_TD_Classifier, RealMLP_TD_Regressor, TabM_D_Classifier, TabM_D_Regressor

from data import Table

from .base import Contestant, Prediction, Size, WithCategories

MAKERS = {"realmlp": (RealMLP_TD_Classifier, RealMLP_TD_Regressor), "tabm": (TabM_D_Classifier, TabM_D_Regressor)}


class Gaps:
    """Numbers: gaps get the mean of training, and where training had some a column says so."""

    def __init__(self, table: Any) -> None:
        numbers = table.select_dtypes("number")
        self.means = numbers.mean()
        self.marked = [name for name in numbers if numbers[name].isna().any()]

    def __call__(self, table: Any) -> Any:
        marks = {f"{name} is missing": table[name].isna().astype(float) for name in self.marked}
        return table.fillna(self.means).assign(**marks)


class TabKit(WithCategories):
    def __init__(self, name: str, classes: int, seed: int) -> None:
        super().__init__(classes, seed)
        torch.set_num_threads(1)
        warnings.filterwarnings("ignore")
        self.name = name
        device = "cuda" if "TABLES_GPU" in os.environ else "cpu"
        self.model = MAKERS[name][0 if classes else 1](device=device, random_state=seed, n_threads=1)

    def fit(self, taken: Any, rows: Table) -> None:
        self.gaps = Gaps(taken)
        super().fit(self.gaps(taken), rows)

    def predict(self, taken: Any) -> Prediction:
        return super().predict(self.gaps(taken))

    def size(self) -> Size:
        """Bytes are the saved tensors of the net alone: pickles of the estimator hold much that no prediction needs."""
        fitted = self.model.alg_interface_
        net = fitted.model.model if self.name == "realmlp" else fitted.sub_split_interfaces[0].model_
        state = {name: tensor.detach().cpu().numpy() for name, tensor in net.state_dict().items()}
        weights = sum(parameter.numel() for parameter in net.parameters())
        return Size(len(pickle.dumps(state)), int(np.int64(weights)))

    def versions(self) -> str:
        return f"pytabkit {importlib.metadata.version('pytabkit')}, PyTorch {torch.__version__}"


def make(name: str, classes: int, seed: int, program: str | None) -> Contestant:
    return TabKit(name, classes, seed)
