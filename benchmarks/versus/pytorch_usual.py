"""PyTorch as installed, written as its tutorials do: DataLoader, eager modules, Adam."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from contestant import BATCH, CLASSES, HIDDEN, INPUTS, load, serve


def make_model():
    """Linear, batch norm and ReLU per hidden layer, then a linear layer."""
    layers, width = [], INPUTS
    for units in HIDDEN:
        layers += [nn.Linear(width, units), nn.BatchNorm1d(units), nn.ReLU()]
        width = units
    return nn.Sequential(*layers, nn.Linear(width, CLASSES))


def main():
    rows, labels = load()
    data = TensorDataset(torch.from_numpy(rows), torch.from_numpy(labels.astype("int64")))
    loader = DataLoader(data, batch_size=BATCH, shuffle=True)
    model = make_model()
    loss_of = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters())

    def epoch():
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss_of(model(x), y).backward()
            optimizer.step()

    epoch()
    settings = f"DataLoader, eager, Adam, {torch.get_num_threads()} threads"
    serve("pytorch-usual", torch.__version__, settings, epoch)


if __name__ == "__main__":
    main()
