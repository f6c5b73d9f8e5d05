// Says whether customers will leave, from new rows of their table:
//
//   predict WEIGHTS.safetensors DATASET < rows.csv
//
// The first row names the columns, in any order; each other row describes a customer that the data set has, and is used
// instead of the row that was imported. Cells are not in quotes.

#include "shop.hpp" // written by gnnc

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>

static gnn::Cells cellsOf(const std::string &row) {
  gnn::Cells cells;
  for (size_t at = 0; at <= row.size();) {
    const size_t end = std::min(row.find(',', at), row.size());
    cells.push_back(std::string_view(row).substr(at, end - at));
    at = end + 1;
  }
  return cells;
}

static int predict(const char *weights, const std::string &folder) {
  gnn::Dataset data = gnn::Dataset::load(folder);
  gnn::Encoder encoder = gnn::Encoder::load(folder + "/import.json");
  const gnn::VertexIds customers = data.vertexIds("customer");
  const std::vector<std::string> classes = encoder.classNames();
  shop::Model model;
  model.load(weights); // binds the open dimensions
  const gnn::Graph graph = data.graph();
  const gnn::Tensor imported = data.denseFeature(GNN_FEATURE_VERTEX, "customer.x");
  const std::vector<float> features(imported.data<float>(), imported.data<float>() + imported.count());

  std::string row;
  std::getline(std::cin, row);
  std::vector<std::string> columns;
  for (std::string_view name : cellsOf(row))
    columns.emplace_back(name);
  const size_t key = size_t(std::find(columns.begin(), columns.end(), "customer_id") - columns.begin());
  if (key == columns.size())
    throw std::runtime_error("the rows have no column customer_id");
  const gnn::Encoder::Table table = encoder.table("customer", columns);
  std::cout.precision(4);
  while (std::getline(std::cin, row)) {
    const gnn::Cells cells = cellsOf(row);
    if (cells.size() != columns.size())
      throw std::runtime_error("'" + row + "' has " + std::to_string(cells.size()) + " cells, expected " +
                               std::to_string(columns.size()));
    const int64_t customer = customers.find(cells[key]);
    gnn::Tensor x = gnn::Tensor::copy(features, imported.shape());
    const gnn_cell_counts_t replaced =
        table.encode({cells}, x.mutableData<float>() + customer * int64_t(table.width())).total();
    const gnn::Tensor logits = model
                                   .inferAt(graph,
                                            {data.denseFeature(GNN_FEATURE_VERTEX, "product.x"),
                                             data.denseFeature(GNN_FEATURE_EDGE, "bought.amount"), x},
                                            {customer}, "customer")
                                   .logits;
    const float *scores = logits.data<float>(), *best = std::max_element(scores, scores + classes.size());
    double sum = 0;
    for (size_t i = 0; i < classes.size(); ++i)
      sum += std::exp(scores[i] - *best);
    std::cout << cells[key] << ": " << classes[size_t(best - scores)] << " " << 1 / sum;
    if (replaced.missing || replaced.unseen || replaced.bad)
      std::cout << " (" << replaced.missing << " cells missing, " << replaced.unseen << " unseen, " << replaced.bad
                << " bad)";
    std::cout << "\n";
  }
  return 0;
}

int main(int argc, char **argv) try {
  if (argc != 3)
    throw std::runtime_error("usage: predict WEIGHTS.safetensors DATASET < rows.csv");
  return predict(argv[1], argv[2]);
} catch (const std::exception &error) {
  std::cerr << "predict: " << error.what() << "\n";
  return 1;
}
