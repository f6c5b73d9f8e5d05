// Encodes the rows of a table: encode DATASET TYPE TABLE.csv OUTPUT. Cells are not in quotes.

#include "gnn/gnn.hpp"

#include <fstream>
#include <iostream>

int main(int argc, char **argv) try {
  if (argc != 5)
    return 2;
  std::ifstream file(argv[3]);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    rows.emplace_back(1);
    for (char c : line)
      if (c == ',')
        rows.back().emplace_back();
      else
        rows.back().back() += c;
  }
  gnn::Encoder encoder = gnn::Encoder::load(argv[1] + std::string("/import.json"));
  const gnn::Encoder::Table table = encoder.table(argv[2], rows[0]);
  std::vector<gnn::Cells> cells;
  for (size_t i = 1; i < rows.size(); ++i)
    cells.emplace_back(rows[i].begin(), rows[i].end());
  std::vector<float> features(cells.size() * table.width());
  const gnn::EncodeReport report = table.encode(cells, features.data());
  if (report.total().unseen || report.total().bad)
    return 1;
  std::ofstream(argv[4], std::ios::binary)
      .write(reinterpret_cast<const char *>(features.data()), std::streamsize(features.size() * sizeof(float)));
} catch (const std::exception &error) {
  std::cerr << "encode: " << error.what() << "\n";
  return 1;
}
