//===- ShareSums.cpp - What the shares of a batch make together -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/ShareSums.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/engine/RankLinks.h"

#include <utility>

namespace gnn::rt {

namespace {

constexpr char ofThoseBefore[] = "the gradients of the shares before its own", ofAll[] = "the gradients of all shares";

template <class Real> void addTo(Tensor &sum, const Tensor &more) {
  Real *to = sum.mutableData<Real>();
  const Real *from = more.data<Real>();
  for (int64_t i = 0; i < sum.count(); ++i)
    to[i] += from[i];
}

/// Moves each by that part of the way: numbers that are the same stay the same.
template <class Real> void moveTo(Tensor &mean, const Tensor &more, double part) {
  Real *to = mean.mutableData<Real>();
  const Real *from = more.data<Real>();
  for (int64_t i = 0; i < mean.count(); ++i)
    to[i] += Real(part) * (from[i] - to[i]);
}

} // namespace

ShareSums::ShareSums(Engine &machine, const Library &opened, const gnn_program_t &compiled,
                     const std::vector<Tensor> &results, const Shares &cut)
    : engine(machine), library(opened), program(compiled), shares(cut) {
  for (uint32_t i = 0; i < program.num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    require(info.element == GNN_F32 || info.element == GNN_F64, GNN_ERROR_MISMATCH, library.name(),
            " can't be trained on shares of a batch: ", info.name, " is of ", elementName(info.element));
  }
  bool areSums = true; // of what the engine folds
  for (uint32_t i = 0; i < program.num_results; ++i)
    areSums &= !isMean(i) && library.tensor(program.results[i]).element == GNN_F32;
  link = shares.comm && areSums ? linkOf(engine) : nullptr;
  if (!link)
    return;
  const Shares::Range mine = shares.ours();
  for (int64_t share = mine.begin; share < mine.end && !isFirst(); ++share)
    ours[share];
  for (const Tensor &result : results) { // all that it takes of the engine's memory
    sums.push_back(like(result));
    for (auto &[share, part] : ours)
      part.results.push_back(like(result));
  }
}

Tensor ShareSums::like(const Tensor &result) const {
  return link ? engine.empty(GNN_F32, result.shape()) : Tensor::empty(result.element(), result.shape());
}

/// In the memory of the engine it is a fold of one part.
void ShareSums::copyTo(void *to, Engine &there, const Tensor &result) const {
  if (link)
    there.fold(GNN_FOLD_SUM, GNN_F32, result.count(), to, result.data(), /*stride=*/0, /*numParts=*/1);
  else
    there.copyOut(to, result.data(), result.bytes());
}

void ShareSums::copy(std::vector<Tensor> &to, Engine &there, const std::vector<Tensor> &results) const {
  to.resize(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (!to[i])
      to[i] = like(results[i]);
    copyTo(to[i].mutableData(), there, results[i]);
  }
}

/// Onto the sums: two parts, however far apart they lie.
void ShareSums::foldThere(const std::vector<Tensor> &results) {
  for (size_t i = 0; i < results.size(); ++i) {
    auto *sum = static_cast<char *>(sums[i].mutableData());
    const auto stride = static_cast<const char *>(results[i].data()) - sum;
    engine.fold(GNN_FOLD_SUM, GNN_F32, sums[i].count(), sum, sum, size_t(stride), /*numParts=*/2);
  }
}

/// What comes next in the order of shares.
void ShareSums::fold(const Shares::Range &seeds, const std::vector<Tensor> &results) {
  if (link)
    return foldThere(results);
  const double part = double(seeds.size()) / double(seeds.end);
  for (size_t i = 0; i < results.size(); ++i) {
    Tensor &to = sums[i];
    const Tensor from = results[i].onHost();
    if (to.element() == GNN_F64)
      isMean(i) ? moveTo<double>(to, from, part) : addTo<double>(to, from);
    else
      isMean(i) ? moveTo<float>(to, from, part) : addTo<float>(to, from);
  }
}

void ShareSums::add(int64_t share, const Shares::Range &seeds, Engine &there, const std::vector<Tensor> &results) {
  if (!isFirst() || share != next) {
    Part &part = ours[share];
    part.seeds = seeds;
    part.isWaiting = true;
    return copy(part.results, there, results);
  }
  if (next++ == 0)
    copy(sums, there, results);
  else
    fold(seeds, results);
}

void ShareSums::receive(int from, const std::string &what) {
  std::vector<Comm::Receive> receives;
  for (Tensor &tensor : sums)
    receives.push_back({from, {static_cast<char *>(tensor.mutableData()), tensor.bytes()}});
  between().exchange({}, receives, what);
}

std::vector<Comm::Send> ShareSums::sendsTo(int rank) const {
  std::vector<Comm::Send> sends;
  for (const Tensor &tensor : sums)
    sends.push_back({rank, {static_cast<const char *>(tensor.data()), tensor.bytes()}});
  return sends;
}

void ShareSums::finish(std::vector<Tensor> &results) {
  if (sums.empty())
    copy(sums, engine, results); // for their shapes
  if (!isFirst())
    receive(shares.comm->rank() - 1, ofThoseBefore);
  for (auto &[share, part] : ours)
    if (std::exchange(part.isWaiting, false))
      fold(part.seeds, part.results);
  next = 0;
  const int last = shares.comm ? shares.comm->size() - 1 : 0;
  if (shares.comm && shares.comm->rank() < last) {
    between().exchange(sendsTo(shares.comm->rank() + 1), {}, ofThoseBefore);
    receive(last, ofAll);
  } else if (shares.comm) {
    std::vector<Comm::Send> sends;
    for (int other = 0; other < last; ++other)
      for (const Comm::Send &send : sendsTo(other))
        sends.push_back(send);
    between().exchange(sends, {}, ofAll);
  }
  for (size_t i = 0; i < results.size(); ++i)
    if (link)
      copyTo(results[i].mutableData(), engine, sums[i]);
    else
      engine.copyIn(results[i].mutableData(), sums[i].data(), results[i].bytes());
}

size_t ShareSums::bytes(const std::vector<Tensor> &results) const {
  size_t bytes = 0;
  for (const Tensor &tensor : link ? std::vector<Tensor>() : results)
    bytes += tensor.bytes();
  return size_t(isFirst() ? 1 : 1 + shares.ours().size()) * bytes;
}

} // namespace gnn::rt
