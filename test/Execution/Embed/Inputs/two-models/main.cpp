// Two models in one program. With arguments: prints what the libraries at these paths, opened alone, give; without:
// what the linked models give.

#include FIRST_HEADER
#include SECOND_HEADER

#include <cstdio>

extern "C" gnn_model_t *openSecond(void); // other.c

template <class Model> static void print(Model &model, const char *name) {
  std::vector<int64_t> src{0, 1, 2, 3}, dst{1, 2, 3, 0};
  std::vector<float> x;
  for (int i = 0; i < 12; ++i)
    x.push_back(float(i % 5) - 1.5f);
  model.initialize(7);
  gnn::Tensor y = model.infer(gnn::Graph::fromEdges(src, dst, 4), {gnn::Tensor::copy(x, {4, 3})}).y;
  std::printf("%s hidden %d:", name, int(model.dim("hidden")));
  for (int64_t i = 0; i < y.count(); ++i)
    std::printf(" %a", double(y.data<float>()[i]));
  std::printf("\n");
}

int main(int argc, char **argv) {
  try {
    FIRST::Model first = argc > 1 ? FIRST::Model(argv[1]) : FIRST::Model();
    SECOND::Model second = argc > 2 ? SECOND::Model(argv[2]) : SECOND::Model();
    print(first, "first");
    print(second, "second");
    gnn_model_t *again = openSecond();
    int64_t hidden = 0;
    if (!again || gnn_model_dim(again, "hidden", &hidden) != GNN_OK || hidden != second.dim("hidden"))
      std::printf("C: %s\n", gnn_last_error());
    gnn_model_destroy(again);
    return 0;
  } catch (const gnn::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
