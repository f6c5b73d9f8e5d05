//===- MetisOrder.cpp - Parts of METIS side by side -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// METIS is opened when it is asked for, so that the runtime needs it for nothing else. It takes the handlers of SIGTERM
// and SIGABRT while it works, and gives them back without their flags (gk_sigtrap of GKlib): so it works in a process
// of its own, and those of this one go on.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/MetisOrder.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/OwnProcess.h"

#ifdef GNN_HAS_METIS

#include <algorithm>
#include <dlfcn.h>
#include <metis.h>
#include <numeric>

namespace gnn::rt {

namespace {

static_assert(sizeof(idx_t) == sizeof(int32_t), "libmetis.so.5 of Debian has indices of 32 bits");
constexpr const char *libraryName = "libmetis.so.5";

struct Metis {
  decltype(&METIS_SetDefaultOptions) setDefaultOptions = nullptr;
  decltype(&METIS_PartGraphKway) partGraph = nullptr;

  Metis() {
    void *library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL); // stays open
    if (!library)
      return;
    setDefaultOptions = reinterpret_cast<decltype(setDefaultOptions)>(dlsym(library, "METIS_SetDefaultOptions"));
    partGraph = reinterpret_cast<decltype(partGraph)>(dlsym(library, "METIS_PartGraphKway"));
  }
  bool isThere() const { return setDefaultOptions && partGraph; }

  static const Metis &get() {
    static const Metis metis;
    return metis;
  }
};

/// The neighbours of each vertex by edges of either direction, each once.
struct Neighbours {
  explicit Neighbours(const Relation &relation);
  void append(const Csr &edges, int64_t vertex) {
    cols.insert(cols.end(), edges.cols.begin() + edges.offsets[size_t(vertex)],
                edges.cols.begin() + edges.offsets[size_t(vertex) + 1]);
  }

  std::vector<idx_t> begins{0}, cols;
};

Neighbours::Neighbours(const Relation &relation) {
  const Csr &in = relation.csr(GNN_TO_DESTINATION), &out = relation.csr(GNN_TO_SOURCE);
  begins.reserve(size_t(in.numRows()) + 1);
  for (int64_t vertex = 0; vertex < in.numRows(); ++vertex) {
    append(in, vertex);
    append(out, vertex);
    const auto first = cols.begin() + begins.back();
    std::sort(first, cols.end());
    cols.erase(std::unique(first, cols.end()), cols.end());
    cols.erase(std::remove(first, cols.end(), idx_t(vertex)), cols.end());
    require(cols.size() <= size_t(INT32_MAX), GNN_ERROR_ARGUMENT,
            "order metis: the graph has more than 2^31 ends of edges, and METIS numbers them in 32 bits; the order "
            "community has no such limit");
    begins.push_back(idx_t(cols.size()));
  }
}

std::vector<idx_t> partsOf(Neighbours neighbours) {
  auto numVertices = idx_t(neighbours.begins.size() - 1);
  idx_t numParts = std::min(64, numVertices / 8), numBalanced = 1, cut = 0;
  if (numParts < 2 || neighbours.cols.empty())
    return std::vector<idx_t>(size_t(numVertices), 0);
  idx_t options[METIS_NOPTIONS];
  Metis::get().setDefaultOptions(options);
  options[METIS_OPTION_SEED] = 0;
  const SharedMemory shared((size_t(numVertices) + 1) * sizeof(idx_t));
  auto *status = static_cast<idx_t *>(shared.data()), *parts = status + 1;
  const bool isDone = inOwnProcess([&] {
    *status = Metis::get().partGraph(&numVertices, &numBalanced, neighbours.begins.data(), neighbours.cols.data(),
                                     nullptr, nullptr, nullptr, &numParts, nullptr, nullptr, options, &cut, parts);
  });
  require(isDone && *status != METIS_ERROR_MEMORY, GNN_ERROR_MEMORY, "order metis: METIS ",
          isDone ? "has not enough memory" : "was ended by the system");
  require(*status == METIS_OK, GNN_ERROR_INTERNAL, "order metis: METIS failed with ", *status);
  return {parts, parts + numVertices};
}

} // namespace

std::string whyNoMetis() {
  return Metis::get().isThere() ? "" : std::string(libraryName) + " can't be opened: on Debian it is of libmetis5";
}

std::shared_ptr<const VertexOrder> metisOrder(const Relation &relation) {
  const std::string why = whyNoMetis();
  require(why.empty(), GNN_ERROR_ARGUMENT, "order metis: ", why);
  const std::vector<idx_t> parts = partsOf(Neighbours(relation));
  auto order = std::make_shared<VertexOrder>();
  order->id = Buffer<int64_t>(parts.size());
  order->local = Buffer<uint32_t>(parts.size());
  std::iota(order->id.begin(), order->id.end(), int64_t(0));
  std::stable_sort(order->id.begin(), order->id.end(),
                   [&](int64_t a, int64_t b) { return parts[size_t(a)] < parts[size_t(b)]; });
  for (size_t i = 0; i < parts.size(); ++i)
    order->local[size_t(order->id[i])] = uint32_t(i);
  return order;
}

} // namespace gnn::rt

#else

namespace gnn::rt {

std::string whyNoMetis() { return "this build does not know METIS"; }

std::shared_ptr<const VertexOrder> metisOrder(const Relation &) {
  fail(GNN_ERROR_ARGUMENT, "order metis: ", whyNoMetis());
}

} // namespace gnn::rt

#endif
