//===- StreamCheck.cpp - Streamed runs against whole ones -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamCheck.h"

#include "Comparison.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/stream/EdgeTables.h"
#include "runtime/src/stream/Streamed.h"

#include <algorithm>
#include <cstring>
#include <sstream>

using namespace gnn::rt;

namespace {

const uint64_t key = stepKey(13, 4);

/// Whether every number of the program is made of one row and its edges, in their order.
bool hasFixedOrder(const Library &library, const Graph &graph, const gnn_program_t &program, bool areProductsExact) {
  for (const Graph::Edges &edges : graph.relations())
    if (edges.set->numEdgeTypes() > 0)
      return false;
  return std::none_of(program.steps, program.steps + program.num_steps, [&](const gnn_step_t &step) {
    if (step.kind == GNN_STEP_MATMUL)
      return !areProductsExact;
    return step.kind == GNN_STEP_MATMUL_TN || library.kernel(step.kernel).num_totals > 0;
  });
}

/// Whether some sweep makes totals over edges: it reads those in chunks, whatever is in memory.
bool hasSumsOfEdges(const Library &library) {
  bool found = false;
  forSweeps(library, [&](const ProgramStep &step) { found |= step.isSumOfEdges(); });
  return found;
}

/// What differs between a run and the whole graph; empty: nothing.
std::string difference(const Library &library, const gnn_program_t &program, Executor &whole, Executor &streamed,
                       bool needsSameBits) {
  const double tolerance = library.table().real == GNN_F64 ? 1e-10 : 1e-5;
  Comparisons comparisons;
  std::ostringstream text;
  for (uint32_t i = 0; i < program.num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    const Tensor &expected = whole.result(i), &got = streamed.result(i);
    comparisons.add(info, expected, got);
    if (needsSameBits && std::memcmp(expected.data(), got.data(), expected.bytes()) != 0)
      text << " other bits of " << info.name;
  }
  for (const std::string &line : comparisons.beyond(tolerance))
    text << " " << line;
  return text.str();
}

/// Which results have other bits than `expected`, those of a run with nothing in memory. These are kept of the first.
std::string otherBits(const Library &library, const gnn_program_t &program, std::vector<Tensor> &expected,
                      Executor &streamed) {
  std::string text;
  for (uint32_t i = 0; i < program.num_results; ++i)
    if (i == expected.size())
      expected.push_back(streamed.takeResult(i));
    else if (std::memcmp(expected[i].data(), streamed.result(i).data(), expected[i].bytes()) != 0)
      text += std::string(" other bits than with nothing in memory of ") + library.tensor(program.results[i]).name;
  return text;
}

/// Three and seven intervals are cut by work.
CutBy byOf(int64_t parts) { return parts % 4 == 3 ? CutBy::Work : CutBy::Vertices; }

} // namespace

const std::vector<Kept> &keptKinds() {
  static const std::vector<Kept> kinds{{"", 0, 0, false},
                                       {" with edges and some tables in memory", 2, 0, true},
                                       {" with edges and other tables in memory", 2, 1, true},
                                       {" with tables in memory", 1, 0, false},
                                       {" with all in memory", 1, 0, true}};
  return kinds;
}

Residents residentsOf(const Library &library, const Kept &kept) {
  Residents residents;
  const gnn_library_t &table = library.table();
  for (const gnn_program_t *program = table.programs; program != table.programs + table.num_programs; ++program) {
    const std::vector<bool> isSpilled = spilledTensors(library, *program);
    for (uint32_t t = 0; t < isSpilled.size(); ++t)
      if (isSpilled[t] && kept.every && t % kept.every == kept.from)
        residents.tables.insert(t);
  }
  for (uint32_t r = 0; r < table.num_relations && kept.edges; ++r)
    residents.edges.insert({{r, GNN_TO_DESTINATION}, {r, GNN_TO_SOURCE}});
  return residents;
}

std::vector<std::string> checkStream(Model &model, std::shared_ptr<const Graph> graph, const Features &features,
                                     Span<const int64_t> lossVertices, const std::string &folder,
                                     bool areProductsExact) {
  const Library &library = *model.library();
  std::vector<std::string> failures;
  Binding binding(model.library(), model.dims(), graph, features, /*withTargets=*/true, "test data");
  binding.setLossRows(lossVertices);
  std::map<std::pair<uint32_t, int64_t>, std::vector<Tensor>> firstResults; // by kind and intervals
  auto check = [&](uint32_t kind, int64_t parts, const Kept &kept, std::shared_ptr<SpilledData> data) {
    const gnn_program_t *program = library.program(kind);
    if (!program)
      return;
    auto whole = model.executor(binding, *program);
    Streamed streamed(model.engine(), library, binding, *program, data);
    for (uint32_t parameter : model.parameters())
      streamed.place(parameter, model.parameter(parameter).mutableData());
    whole->run(key);
    data->update();
    for (const char *run : {"", " again"}) { // with what the run before has left
      const SpillFile::Traffic before = data->file().traffic();
      streamed.run(key);
      const bool isAsPlanned = data->file().traffic() - before == streamed.traffic().host;
      const std::string found =
          difference(library, *program, *whole, streamed, hasFixedOrder(library, *graph, *program, areProductsExact)) +
          (isAsPlanned ? "" : " it did not read and write what was planned") +
          otherBits(library, *program, firstResults[{kind, parts}], streamed);
      if (!found.empty())
        failures.push_back("@" + std::string(program->name) + " in " + std::to_string(parts) + kept.name + run + ":" +
                           found);
    }
  };
  for (int64_t parts : {1, 2, 3, 7})
    for (const Kept &kept : keptKinds()) {
      auto data = std::make_shared<SpilledData>(model.engine(), library, binding, Cuts(parts, nullptr, byOf(parts)),
                                                folder, residentsOf(library, kept));
      data->passOver(parts == 3 ? 1 : parts == 7 ? 100 : bytesOfSeek);
      data->cutSlices(parts == 3 ? bytesOfSlice : 1);
      data->lookAhead(parts == 3 ? size_t(1) << 20 : parts == 7 ? size_t(96) << 10 : 0); // all, some, none
      for (uint32_t kind : {GNN_PROGRAM_INFER, GNN_PROGRAM_TRAIN, GNN_PROGRAM_EVALUATE})
        check(kind, parts, kept, data);
      if (kept.every == 1 && kept.edges && data->file().bytes() > 0 && !hasSumsOfEdges(library))
        failures.push_back("in " + std::to_string(parts) + kept.name + ": there is a file");
    }
  return failures;
}
