#include "tiny.hpp"

#include <cstdio>

int main() {
  tiny::Model model;
  model.bindDim("in", 2);
  model.initialize(1);
  std::printf("%s: %d\n", model.name().c_str(), int(model.dim("hidden")));
  return 0;
}
