"""scikit-learn's MLPClassifier as installed.

With solver adam, partial_fit shuffles the rows, goes through all of them once in batches of batch_size, and
returns (_fit_stochastic in sklearn/neural_network/_multilayer_perceptron.py).
"""
import numpy as np
import sklearn
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_info

from contestant import BATCH, CLASSES, HIDDEN, load, serve


def main():
    rows, labels = load()
    model = MLPClassifier(HIDDEN, solver="adam", batch_size=BATCH)
    model.partial_fit(rows, labels, classes=np.arange(CLASSES))
    blas = next(pool for pool in threadpool_info() if pool["user_api"] == "blas")
    settings = f"partial_fit, adam, {blas['internal_api']} {blas['num_threads']} threads"
    serve("scikit-learn", sklearn.__version__, settings, lambda: model.partial_fit(rows, labels))


if __name__ == "__main__":
    main()
