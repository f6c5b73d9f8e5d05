//===- PredictionTable.cpp - Predictions for people to read ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/PredictionTable.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/data/VertexNames.h"
#include "runtime/src/io/AtomicFiles.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>

namespace gnn::train_tool {

namespace {

/// RFC 4180.
std::string csvCell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == text.npos)
    return std::string(text);
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// The shortest text that reads back as the number.
template <class T> void append(std::string &text, T value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
}

/// The cells before the numbers of a row.
struct RowKeys {
  std::string header;
  std::function<void(int64_t row, std::string &text)> append;
};

/// With `areClasses`, there is a number for each class of the data set.
void writeRows(const std::string &path, const rt::Dataset &data, const RowKeys &keys, const std::string &output,
               const rt::Tensor &rows, bool areClasses) {
  const bool areReal = rows.element() == GNN_F32 || rows.element() == GNN_F64;
  const rt::Tensor numbers = rows.converted(areReal ? GNN_F64 : GNN_I64, output.c_str());
  const int64_t count = rows.dim(0), width = count ? rows.count() / count : 0;
  const bool haveNames = areClasses && !data.classNames.empty();
  std::string text = keys.header + (areClasses ? ",class" : "");
  for (int64_t i = 0; i < width; ++i)
    text += "," + csvCell(width == 1  ? output
                          : haveNames ? output + "_" + data.classNames[size_t(i)]
                                      : output + "_" + std::to_string(i));
  text += "\n";
  for (int64_t row = 0; row < count; ++row) {
    keys.append(row, text);
    if (areClasses) {
      const double *values = numbers.data<double>() + row * width;
      const int64_t best = std::max_element(values, values + width) - values;
      const bool isNone = std::any_of(values, values + width, [](double value) { return std::isnan(value); });
      text += isNone ? "," : "," + (haveNames ? csvCell(data.classNames[size_t(best)]) : std::to_string(best));
    }
    for (int64_t i = row * width; i < (row + 1) * width; ++i) {
      text += ',';
      if (!areReal)
        append(text, numbers.data<int64_t>()[i]);
      else if (rows.element() == GNN_F32)
        append(text, float(numbers.data<double>()[i]));
      else
        append(text, numbers.data<double>()[i]);
    }
    text += '\n';
  }
  rt::atomicWrite(path, {{text.data(), text.size()}});
}

/// Whether there is a number for each class.
bool haveWidthOfClasses(const rt::Dataset &data, const rt::Tensor &rows) {
  const bool areReal = rows.element() == GNN_F32 || rows.element() == GNN_F64;
  return data.numClasses > 1 && rows.rank() == 2 && rows.dim(1) == data.numClasses && areReal;
}

} // namespace

void writePredictionTable(const std::string &path, const rt::Dataset &data, const std::string &type,
                          const std::string &output, const rt::Tensor &rows, const std::vector<int64_t> &vertices) {
  const rt::VertexNames ids(data, type);
  const bool areLabelled = type == data.labelled && (!vertices.empty() || rows.dim(0) == ids.size());
  const RowKeys keys{"id", [&](int64_t row, std::string &text) {
                       text += csvCell(ids.of(vertices.empty() ? row : vertices[size_t(row)]));
                     }};
  writeRows(path, data, keys, output, rows, areLabelled && haveWidthOfClasses(data, rows));
}

void writeEdgeTable(const std::string &path, const rt::Dataset &data, const rt::EdgeTable &edges,
                    const std::string &output, const rt::Tensor &rows) {
  const rt::VertexNames sources(data, edges.source), destinations(data, edges.destination);
  const int64_t count = edges.index.dim(1);
  rt::require(rows.dim(0) == count, GNN_ERROR_MISMATCH, output, " has ", rows.dim(0),
              " rows, as the model adds edges to the ", count, " of ", data.source,
              ": --format npy writes them in the order of edges");
  const int64_t *ends = edges.index.data<int64_t>();
  const RowKeys keys{"source,destination", [&](int64_t row, std::string &text) {
                       text += csvCell(sources.of(ends[row])) + "," + csvCell(destinations.of(ends[count + row]));
                     }};
  const bool areLabelled = data.labelsEdges() && (!data.hasSchema() || edges.triple() == data.labelled);
  writeRows(path, data, keys, output, rows, areLabelled && haveWidthOfClasses(data, rows));
}

void writePairTable(const std::string &path, const rt::Dataset &data, const std::string &sourceType,
                    const std::string &destinationType, const std::vector<std::string> &types, const rt::Pairs &pairs,
                    const std::vector<double> &scores) {
  const rt::VertexNames sources(data, sourceType), destinations(data, destinationType);
  const bool haveTypes = !pairs.types.empty();
  const RowKeys keys{haveTypes ? "source,type,destination" : "source,destination", [&](int64_t row, std::string &text) {
                       text += csvCell(sources.of(pairs.src[size_t(row)])) + ",";
                       if (haveTypes)
                         text += (types.empty() ? std::to_string(pairs.types[size_t(row)])
                                                : csvCell(types[size_t(pairs.types[size_t(row)])])) +
                                 ",";
                       text += csvCell(destinations.of(pairs.dst[size_t(row)]));
                     }};
  writeRows(path, data, keys, "score", rt::Tensor::of(scores), /*areClasses=*/false);
}

} // namespace gnn::train_tool
