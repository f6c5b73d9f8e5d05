// dlpack LIBRARY: outputs that stay on the device go out as DLPack tensors and come back as inputs, of a model there
// and of one on the processor.

#include "gnn/gnn.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

gnn::Graph star(int64_t vertices) {
  std::vector<int64_t> src, dst;
  for (int64_t v = 1; v < vertices; ++v) {
    src.push_back(v);
    dst.push_back(0);
    src.push_back(0);
    dst.push_back(v);
  }
  return gnn::Graph::fromEdges(src, dst, vertices);
}

gnn::Tensor infer(gnn::Model &model, const gnn::Graph &graph, const gnn::Tensor &x) {
  return model.infer(graph, {{"x", x}}).at("logits");
}

void compare(const char *what, const gnn::Tensor &found, const gnn::Tensor &expected) {
  float difference = found.count() == expected.count() ? 0 : INFINITY;
  for (int64_t i = 0; i < expected.count(); ++i)
    difference = std::fmax(difference, std::fabs(found.data<float>()[i] - expected.data<float>()[i]));
  std::printf("%s: %s\n", what, difference < 1e-5 ? "the same" : "other numbers");
}

template <class Body> void failing(Body body) {
  try {
    body();
    std::printf("no error\n");
  } catch (const gnn::Error &error) {
    std::printf("%s\n", error.what());
  }
}

} // namespace

int main(int, char **argv) {
  gnn::Tensor kept;
  gnn::Model processor(argv[1]);
  gnn::Graph graph = star(30);
  std::vector<float> numbers;
  for (int i = 0; i < 90; ++i)
    numbers.push_back(float(i % 7) - 2);
  gnn::Tensor x = gnn::Tensor::copy(numbers, {30, 3});
  {
    gnn::ModelOptions options(1);
    options.device = "cuda";
    options.deviceOutputs = true;
    gnn::Model device(argv[1], options);
    for (gnn::Model *model : {&device, &processor}) {
      model->bindDim("in", 3);
      model->bindDim("classes", 3);
      model->initialize(1);
    }
    gnn::Tensor once = infer(processor, graph, x), twice = infer(processor, graph, once);
    gnn::Tensor there = infer(device, graph, x);
    std::printf("once: of cuda:%d\n", there.device());
    compare("once", there.toHost(), once);
    failing([&] { there.data<float>(); });

    gnn_dl_managed_tensor_t *out = there.toDlpack();
    std::printf("DLPack: device %d:%d, [%d, %d]\n", out->tensor.device.type, out->tensor.device.id,
                int(out->tensor.shape[0]), int(out->tensor.shape[1]));
    int64_t wide[] = {1, 30};
    int64_t *strides = out->tensor.strides;
    out->tensor.strides = wide;
    failing([&] { gnn::Tensor::fromDlpack(out); });
    out->tensor.strides = strides;
    out->tensor.device.id = 99;
    failing([&] { gnn::Tensor::fromDlpack(out); });
    out->tensor.device.id = 0;
    gnn::Tensor back = gnn::Tensor::fromDlpack(out);
    there = gnn::Tensor();
    std::printf("back: of cuda:%d\n", back.device());
    compare("twice", infer(device, graph, back).toHost(), twice);
    compare("again", infer(device, graph, x).toHost(), once);
    compare("there again", infer(device, graph, back).toHost(), twice);
    compare("here", infer(processor, graph, back), twice);
    kept = back;
    numbers.assign(once.data<float>(), once.data<float>() + 90);
  }
  compare("kept", kept.toHost(), gnn::Tensor::copy(numbers, {30, 3})); // longer than the model
}
