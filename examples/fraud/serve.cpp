// Says for each user on the standard input how likely fraud is:
//
//   serve WEIGHTS.safetensors DATASET < users

#include "fraud.hpp" // written by gnnc

#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <unordered_map>

int main(int argc, char **argv) try {
  if (argc != 3)
    throw std::runtime_error("usage: serve WEIGHTS.safetensors DATASET < users");
  const std::string folder = argv[2];
  gnn::Dataset data = gnn::Dataset::load(folder);
  fraud::Model model;
  model.load(argv[1]); // binds the open dimensions
  gnn::Tensor logits = model.infer(data.graph(), {data.denseFeature(GNN_FEATURE_VERTEX, "x")}).logits;

  std::unordered_map<std::string, int64_t> users;
  std::ifstream ids(folder + "/ids.txt");
  for (std::string user; std::getline(ids, user);)
    users.emplace(user, int64_t(users.size()));
  std::cout.precision(3);
  for (std::string user; std::cin >> user;) {
    auto found = users.find(user);
    if (found == users.end()) {
      std::cout << user << ": unknown\n";
      continue;
    }
    const float *row = logits.data<float>() + 2 * found->second;
    std::cout << user << ": " << 100 / (1 + std::exp(row[0] - row[1])) << " %\n";
  }
} catch (const std::exception &error) {
  std::cerr << "serve: " << error.what() << "\n";
  return 1;
}
