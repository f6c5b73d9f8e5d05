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

} // namespace

void writePredictionTable(const std::string &path, const rt::Dataset &data, const std::string &type,
                          const std::string &output, const rt::Tensor &rows, const std::vector<int64_t> &vertices) {
  const rt::VertexNames ids(data, type);
  const bool areReal = rows.element() == GNN_F32 || rows.element() == GNN_F64;
  const rt::Tensor numbers = rows.converted(areReal ? GNN_F64 : GNN_I64, output.c_str());
  const int64_t count = rows.dim(0), width = count ? rows.count() / count : 0;
  const bool haveClasses = data.numClasses > 1 && width == data.numClasses && rows.rank() == 2 && areReal &&
                           type == data.labelled && (!vertices.empty() || count == ids.size());
  const bool haveNames = haveClasses && !data.classNames.empty();

  std::string text = haveClasses ? "id,class" : "id";
  for (int64_t i = 0; i < width; ++i)
    text += "," + csvCell(width == 1  ? output
                          : haveNames ? output + "_" + data.classNames[size_t(i)]
                                      : output + "_" + std::to_string(i));
  text += "\n";
  for (int64_t row = 0; row < count; ++row) {
    text += csvCell(ids.of(vertices.empty() ? row : vertices[size_t(row)]));
    if (haveClasses) {
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

} // namespace gnn::train_tool
