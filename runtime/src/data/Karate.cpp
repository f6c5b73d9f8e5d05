//===- Karate.cpp - The karate club ----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// W. W. Zachary, "An Information Flow Model for Conflict and Fission in Small Groups", Journal of Anthropological
// Research 33 (1977): friendships among the members of a club, and the faction that each joined when it split. Members
// are numbered from 0: 0 is the instructor, 33 the officer.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Generators.h"
#include "runtime/src/data/Import.h"
#include <numeric>

using namespace gnn::rt;

namespace {

constexpr int numMembers = 34;

constexpr int friendships[][2] = {
    {0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 10},  {0, 11},
    {0, 12},  {0, 13},  {0, 17},  {0, 19},  {0, 21},  {0, 31},  {1, 2},   {1, 3},   {1, 7},   {1, 13},
    {1, 17},  {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 8},   {2, 9},   {2, 13},  {2, 27},
    {2, 28},  {2, 32},  {3, 7},   {3, 12},  {3, 13},  {4, 6},   {4, 10},  {5, 6},   {5, 10},  {5, 16},
    {6, 16},  {8, 30},  {8, 32},  {8, 33},  {9, 33},  {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33},
    {18, 32}, {18, 33}, {19, 33}, {20, 32}, {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 29},
    {23, 32}, {23, 33}, {24, 25}, {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31},
    {28, 33}, {29, 32}, {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33}};

/// Those who stayed with the instructor.
constexpr int instructorsFaction[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21};

} // namespace

Dataset gnn::rt::karateClub() {
  Dataset data;
  data.name = data.source = "karate";
  data.numVertices = numMembers;
  std::vector<std::pair<int64_t, int64_t>> edges;
  for (const auto &pair : friendships) {
    edges.emplace_back(pair[0], pair[1]);
    edges.emplace_back(pair[1], pair[0]);
  }
  setEdges(data, std::move(edges));

  // There is nothing to know about a member but who it is.
  std::vector<int64_t> indptr(numMembers + 1);
  std::vector<int32_t> indices(numMembers);
  std::iota(indptr.begin(), indptr.end(), int64_t(0));
  std::iota(indices.begin(), indices.end(), 0);
  data.vertexFeatures["x"].sparse = SparseMatrix(numMembers, numMembers, Tensor::of(indptr), Tensor::of(indices),
                                                 Tensor::of(std::vector<float>(numMembers, 1.0f)), "karate: x");
  std::vector<int64_t> labels(numMembers, 1);
  for (int member : instructorsFaction)
    labels[size_t(member)] = 0;
  data.labels = Tensor::of(labels);

  // The two leaders are known, some of their friends are for validation.
  data.splits["train"] = Tensor::of<int64_t>({0, 33});
  std::vector<int64_t> val{1, 3, 7, 13, 27, 29, 31, 32}, test;
  for (int64_t member = 1; member < 33; ++member)
    if (std::find(val.begin(), val.end(), member) == val.end())
      test.push_back(member);
  data.splits["val"] = Tensor::of(val);
  data.splits["test"] = Tensor::of(test);
  data.finish();
  return data;
}
