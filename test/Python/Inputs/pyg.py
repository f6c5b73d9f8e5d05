"""Models of PyTorch Geometric before and after gnnc.torch.compile."""
import copy

import gnnc
import gnnc.torch
import torch
import torch.nn.functional as F
from torch_geometric.nn import GCNConv, GINConv, SAGEConv


class Net(torch.nn.Module):
    def __init__(self, conv1, conv2):
        super().__init__()
        self.conv1, self.conv2 = conv1, conv2

    def forward(self, x, edge_index):
        x = F.dropout(x, 0.5, self.training)
        return self.conv2(self.conv1(x, edge_index).relu(), edge_index)


class Sort(torch.nn.Module):
    def forward(self, x, edge_index):
        return x.sort(dim=0).values


def mlp(features, classes):
    return torch.nn.Sequential(torch.nn.Linear(features, 6), torch.nn.ReLU(), torch.nn.Linear(6, classes))


def gradients(module, x, edges, slopes):
    x = x.clone().requires_grad_()
    output = module(x, edges)
    module.zero_grad()
    output.backward(slopes)
    return output.detach(), [x.grad] + [parameter.grad.clone() for parameter in module.parameters()]


def main():
    torch.manual_seed(0)
    x = torch.randn(40, 5, dtype=torch.float64)
    edges, slopes = torch.randint(40, (2, 150)), torch.randn(40, 3, dtype=torch.float64)
    for name, convs in {"GCN": (GCNConv(5, 4), GCNConv(4, 3)), "SAGE": (SAGEConv(5, 4), SAGEConv(4, 3)),
                        "GIN": (GINConv(mlp(5, 4)), GINConv(mlp(4, 3), train_eps=True))}.items():
        ours = Net(*convs).double().eval()
        theirs = copy.deepcopy(ours)
        fast = gnnc.torch.compile(ours, (x, edges))
        output, slow = gradients(theirs, x, edges, slopes)
        mine, quick = gradients(fast, x, edges, slopes)
        same = all(torch.allclose(a, b, rtol=1e-9, atol=1e-9) for a, b in zip(slow, quick, strict=True))
        print(f"{name}: same names {list(fast.state_dict()) == list(theirs.state_dict())}, outputs",
              "equal," if torch.allclose(output, mine, rtol=1e-9, atol=1e-9) else "differ,", "gradients", "equal" if same else "differ")

    labels = torch.arange(300) % 3
    sources = torch.randint(300, (3000,))
    same_class = torch.randint(100, (3000,)) * 3 + labels[sources]  # most neighbours are of the same class
    edges = torch.stack([sources, torch.where(torch.rand(3000) < 0.8, same_class, torch.randint(300, (3000,)))])
    x = F.one_hot(labels, 3).float() + torch.randn(300, 3)
    net = Net(GCNConv(3, 16), GCNConv(16, 3))
    fast = gnnc.torch.compile(net, (x, edges))
    optimizer = torch.optim.Adam(fast.parameters(), lr=0.02)
    for _ in range(60):
        fast.train()
        optimizer.zero_grad()
        F.cross_entropy(fast(x, edges), labels).backward()
        optimizer.step()
    accuracy = (net.eval()(x, edges).argmax(1) == labels).float().mean().item()  # whose parameters these are
    print(f"accuracy after training: {accuracy:.2f}")
    try:
        gnnc.torch.compile(Sort(), (x, edges))
    except gnnc.Error as error:
        print("refused:", str(error).splitlines()[0])


main()
