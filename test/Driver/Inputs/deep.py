# Writes a model of as many layers of attention. Usage: deep.py LAYERS [DROPOUT]
import sys

layers = range(int(sys.argv[1]))
dropout = sys.argv[2] if len(sys.argv) > 2 else "0.0"
print("import nn\nmodel Deep(classes: dim) {\n  graph { self_loops }")
for i in layers:
    print(f"  layer conv{i} = GATConv(32, 8, 4, attn_drop = {dropout}, add_self_loops = false)")
print("  layer head = GATConv(32, classes, 1, add_self_loops = false)\n  vertex v {\n    input x: real[32]\n    let h = x")
for i in layers:
    print(f"    h = elu(conv{i}(h))")
print("    output logits = head(h)\n    target label: i32\n    loss cross_entropy(logits, label)\n  }\n}")
