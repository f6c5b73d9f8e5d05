//===- Weights.cpp - Imported weights as safetensors ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Weights.h"
#include "llvm/Support/JSON.h"

using namespace gnnc::pt2;

std::vector<double> gnnc::pt2::mappedNumbers(const StoredTensor &tensor, bool isTransposed,
                                             const std::vector<double> &numbers) {
  if (!isTransposed)
    return numbers;
  const int64_t rows = tensor.type.sizes[0].number, columns = tensor.type.sizes[1].number;
  std::vector<double> result;
  result.reserve(numbers.size());
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t row = 0; row < rows; ++row)
      result.push_back(numbers[row * columns + column]);
  return result;
}

std::string gnnc::pt2::writeWeights(const Program &program, const ProgramText &text) {
  std::string map, data;
  llvm::json::Object header;
  for (const MappedWeight &weight : text.weights) {
    const StoredTensor &tensor = program.storeds.at(weight.value);
    map += weight.name + " <- " + tensor.name + (weight.isTransposed ? " transposed\n" : "\n");
    const int64_t begin = int64_t(data.size());
    for (double number : mappedNumbers(tensor, weight.isTransposed, tensor.numbers)) {
      const float value = float(number);
      data.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
    header[weight.name] = llvm::json::Object{{"dtype", "F32"},
                                             {"shape", llvm::json::Array(weight.sizes)},
                                             {"data_offsets", llvm::json::Array{begin, int64_t(data.size())}}};
  }
  header["__metadata__"] = llvm::json::Object{{"format", "pt"}, {"gnnc.weights", map}};
  std::string json;
  llvm::raw_string_ostream(json) << llvm::json::Value(std::move(header));
  json.resize((json.size() + 7) / 8 * 8, ' ');
  uint64_t length = json.size();
  std::string bytes(reinterpret_cast<const char *>(&length), sizeof length);
  return bytes + json + data;
}
