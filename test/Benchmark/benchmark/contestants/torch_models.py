"""What the steps of a model have in common in torch: an Adam step of the mean cross entropy over the training vertices, and inference without gradients."""

import torch

from benchmark.models import LEARNING_RATE


def step_of(network, arguments, problem, training):
    """`network(*arguments)` gives the logits."""
    torch.manual_seed(0)
    torch.set_grad_enabled(training)
    if not training:
        network.eval()
        return lambda: network(*arguments)
    network.train()
    optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
    vertices = torch.from_numpy(problem.train)
    labels = torch.from_numpy(problem.labels)[vertices]

    def step():
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(*arguments)[vertices], labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step
