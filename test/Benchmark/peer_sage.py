"""The peer of sampled_step.py and sampled_on_disk.py, for a Python that has dgl 2.1: GraphBolt's batches, and the model of sampled_step.MODEL in DGL."""

import dgl
import dgl.graphbolt as bolt
import torch


def batches(graph, train, labels, arguments, features=None):
    """Of an epoch; with the rows of a feature store, if there is one."""
    items = bolt.ItemSet((train, labels[train]), names=("seed_nodes", "labels"))
    fan_outs = [int(count) for count in arguments.fanout.split(",")]
    pipe = bolt.ItemSampler(items, batch_size=arguments.batch, shuffle=True).sample_neighbor(graph, fan_outs[::-1])
    if features:
        pipe = pipe.fetch_feature(features, node_feature_keys=["x"])
    return bolt.DataLoader(pipe, num_workers=0)


def store_of(x):
    return bolt.BasicFeatureStore({("node", None, "x"): bolt.TorchBasedFeature(x)})


class Sage(torch.nn.Module):
    def __init__(self, width, hidden, classes):
        super().__init__()
        self.conv1 = dgl.nn.SAGEConv(width, hidden, "mean")
        self.conv2 = dgl.nn.SAGEConv(hidden, classes, "mean")

    def forward(self, blocks, x):
        return self.conv2(blocks[1], torch.relu(self.conv1(blocks[0], x)))


def trainer(width, hidden, classes):
    """A step over a batch, of a new model."""
    model = Sage(width, hidden, classes)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

    def step(batch):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(batch.blocks, batch.node_features["x"]), batch.labels).backward()
        optimizer.step()

    return step
