//===- ShareSums.cpp - What the shares of a batch make together -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/ShareSums.h"

#include "runtime/src/core/Guard.h"

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

ShareSums::ShareSums(Engine &machine, const Library &opened, const gnn_program_t &compiled, const Shares &cut)
    : engine(machine), library(opened), program(compiled), shares(cut) {
  for (uint32_t i = 0; i < program.num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    require(info.element == GNN_F32 || info.element == GNN_F64, GNN_ERROR_MISMATCH, library.name(),
            " can't be trained on shares of a batch: ", info.name, " is of ", elementName(info.element));
  }
}

void ShareSums::copy(std::vector<Tensor> &to, Engine &there, const std::vector<Tensor> &results) const {
  to.resize(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (!to[i])
      to[i] = Tensor::empty(results[i].element(), results[i].shape());
    there.copyOut(to[i].mutableData(), results[i].data(), results[i].bytes());
  }
}

/// What comes next in the order of shares.
void ShareSums::fold(const Shares::Range &seeds, const std::vector<Tensor> &results) {
  const double part = double(seeds.size()) / double(seeds.end);
  for (size_t i = 0; i < results.size(); ++i) {
    const bool isMean = library.tensor(program.results[i]).role == GNN_ROLE_STATE_NEXT;
    Tensor &to = sums[i];
    const Tensor from = results[i].onHost();
    if (to.element() == GNN_F64)
      isMean ? moveTo<double>(to, from, part) : addTo<double>(to, from);
    else
      isMean ? moveTo<float>(to, from, part) : addTo<float>(to, from);
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
  shares.comm->exchange({}, receives, what);
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
    shares.comm->exchange(sendsTo(shares.comm->rank() + 1), {}, ofThoseBefore);
    receive(last, ofAll);
  } else if (shares.comm) {
    std::vector<Comm::Send> sends;
    for (int other = 0; other < last; ++other)
      for (const Comm::Send &send : sendsTo(other))
        sends.push_back(send);
    shares.comm->exchange(sends, {}, ofAll);
  }
  for (size_t i = 0; i < results.size(); ++i)
    engine.copyIn(results[i].mutableData(), sums[i].data(), results[i].bytes());
}

size_t ShareSums::bytes(const std::vector<Tensor> &results) const {
  size_t bytes = 0;
  for (const Tensor &tensor : results)
    bytes += tensor.bytes();
  return size_t(isFirst() ? 1 : 1 + shares.ours().size()) * bytes;
}

} // namespace gnn::rt
