//===- PairsWithin.cpp - Links within a limit of memory -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/PairsWithin.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gnn::rt {

namespace {

/// As in memory, where the limit leaves that.
constexpr int64_t mostPairs = int64_t(1) << 17, leastPairs = 256;
/// Of the limit, for pairs at a time, and for scores of candidates.
constexpr size_t shareOfLimit = 16;

const gnn_program_t &evaluateOf(const Library &library) { return *library.program(GNN_PROGRAM_EVALUATE); }

} // namespace

PairsWithin::Sizes PairsWithin::sizesFor(const Library &library, const Binding &binding, size_t limit) {
  Sizes sizes{mostPairs, 0, 0};
  auto bytes = [&] { return GatheredPairs::bytes(library, binding, evaluateOf(library), sizes.pairs); };
  while (sizes.pairs > leastPairs && bytes() > limit / shareOfLimit)
    sizes.pairs /= 2;
  const PairEnds ends = pairEnds(library, binding);
  const auto candidates = size_t(std::max({ends.numSources, ends.numDestinations, int64_t(1)}));
  const ScoredResults results = scoredResults(library, binding);
  const size_t ofScore = binding.rowBytes(evaluateOf(library).results[results.score]);
  sizes.scores = std::max(std::min(limit / shareOfLimit / ofScore, size_t(mostPairs) * 64), candidates);
  sizes.bytes = bytes() + sizes.scores * ofScore;
  return sizes;
}

PairsWithin::PairsWithin(Model &evaluated, const Binding &bound, std::unique_ptr<Executor> executor,
                         const Sizes &chosen)
    : model(evaluated), binding(bound), results(scoredResults(*model.library(), binding)), sizes(chosen),
      fields(std::move(executor)),
      gathered(model.engine(), *model.library(), binding, evaluateOf(*model.library()), *fields, sizes.pairs) {
  placeParameters(model, gathered);
}

void PairsWithin::prepare() {
  fields->run(/*stepKey=*/0);
  gathered.forget();
}

PairEvaluator::Scores PairsWithin::evaluate(const Pairs &pairs, const std::vector<double> &targets) {
  const gnn_program_t &program = evaluateOf(*model.library());
  Scores found;
  found.scores.reserve(size_t(pairs.count()));
  found.losses.reserve(size_t(pairs.count()));
  for (int64_t begin = 0, end = 0; begin < pairs.count(); begin = end) {
    end = std::min(begin + sizes.pairs, pairs.count());
    std::vector<int64_t> rows(size_t(end - begin));
    std::iota(rows.begin(), rows.end(), begin);
    gathered.run(binding.rowsOf(pairsAt(pairs, {rows.data(), rows.size()})),
                 {targets.begin() + begin, targets.begin() + end});
    for (int64_t i = 0; i < end - begin; ++i) {
      found.scores.push_back(numberAt(gathered.made(program.results[results.score]), i));
      found.losses.push_back(numberAt(gathered.made(program.results[results.loss]), i));
    }
  }
  return found;
}

std::optional<std::vector<double>> PairsWithin::ranks(const Pairs &pairs, const PairSet &known,
                                                      const RankingReport &report) {
  const std::optional<std::vector<double>> found =
      PairRanking(*model.library(), binding, *this).ranks(pairs, known, report);
  candidateScores = Tensor();
  return found;
}

size_t PairsWithin::queriesAtOnce(int64_t candidates) const {
  const size_t fit = sizes.scores / size_t(std::max<int64_t>(candidates, 1));
  return std::clamp<size_t>(fit, 1, size_t(sizes.pairs));
}

/// Block by block of candidates, so that their rows are read once for all of the queries.
const Tensor &PairsWithin::of(Span<const PairQuery> queries, bool ofSource, bool hasTypes) {
  const PairEnds ends = pairEnds(*model.library(), binding);
  const int64_t candidates = ofSource ? ends.numSources : ends.numDestinations,
                atOnce = std::max<int64_t>(sizes.pairs / int64_t(queries.size()), 1);
  const uint32_t tensor = evaluateOf(*model.library()).results[results.score];
  if (!candidateScores || candidateScores.count() != int64_t(queries.size()) * candidates)
    candidateScores = Tensor::empty(model.library()->tensor(tensor).element, {int64_t(queries.size()), candidates});
  for (int64_t begin = 0; begin < candidates; begin += atOnce)
    scoreBlock(queries, ofSource, hasTypes, begin, std::min(begin + atOnce, candidates));
  return candidateScores;
}

void PairsWithin::scoreBlock(Span<const PairQuery> queries, bool ofSource, bool hasTypes, int64_t begin, int64_t end) {
  std::vector<int64_t> block(size_t(end - begin)), others;
  std::iota(block.begin(), block.end(), begin);
  for (const PairQuery &query : queries) // they rise
    if (others.empty() || others.back() != int64_t(query.end))
      others.push_back(int64_t(query.end));
  std::vector<PairQuery> placed(queries.begin(), queries.end());
  uint32_t place = 0;
  for (PairQuery &query : placed) {
    place += others[place] != int64_t(query.end);
    query.end = place;
  }
  gathered.run(candidatePairs({placed.data(), placed.size()}, ofSource, int64_t(others.size()), end - begin, hasTypes),
               ofSource ? block : others, ofSource ? others : block);
  const Tensor &scores = gathered.made(evaluateOf(*model.library()).results[results.score]);
  const size_t bytes = candidateScores.bytes() / size_t(candidateScores.count());
  for (size_t i = 0; i < queries.size(); ++i)
    std::memcpy(static_cast<char *>(candidateScores.mutableData()) +
                    (i * size_t(candidateScores.dim(1)) + size_t(begin)) * bytes,
                static_cast<const char *>(scores.data()) + i * size_t(end - begin) * bytes,
                size_t(end - begin) * bytes);
}

} // namespace gnn::rt
