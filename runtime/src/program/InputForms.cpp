//===- InputForms.cpp - Libraries with both forms of an input -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/InputForms.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace gnn::rt {

namespace {

/// A table that is the library's but for tensors and programs.
struct Formed {
  std::shared_ptr<const Library> whole; // has all else
  std::vector<gnn_tensor_info_t> tensors;
  std::vector<gnn_program_t> programs;
  gnn_library_t table;
  std::shared_ptr<const Library> library; // of `table`
};

} // namespace

const char *formName(InputForm form) { return form == InputForm::Dense ? "dense" : "sparse"; }

std::optional<InputForm> parseInputForm(const std::string &text, const std::string &origin) {
  if (text == "auto")
    return std::nullopt;
  require(text == "dense" || text == "sparse", GNN_ERROR_ARGUMENT, origin, ": '", text,
          "', expected auto, dense or sparse");
  return text == "dense" ? InputForm::Dense : InputForm::Sparse;
}

std::optional<FormedInput> formedInput(const Library &library) {
  for (uint32_t n = 0; n < library.tensors().size(); ++n) {
    if (library.tensor(n).role != GNN_ROLE_WEIGHTS)
      continue;
    const gnn_relation_t &relation = library.relation(library.tensor(n).source);
    for (uint32_t t = 0; t < library.tensors().size(); ++t)
      if (const gnn_tensor_info_t &table = library.tensor(t);
          table.role == GNN_ROLE_INPUT && table.domain == GNN_DOMAIN_VERTEX &&
          table.type == relation.destination_type && std::strcmp(table.name, relation.name) == 0)
        return FormedInput{t, n};
  }
  return std::nullopt;
}

bool isUnread(const Library &library, uint32_t relation) {
  auto isOfIt = [&](const gnn_tensor_info_t &info) {
    return info.role == GNN_ROLE_WEIGHTS && info.source == int32_t(relation);
  };
  return library.relation(relation).kind == GNN_RELATION_SPARSE_INPUT &&
         std::none_of(library.tensors().begin(), library.tensors().end(), isOfIt);
}

std::shared_ptr<const Library> inForm(const std::shared_ptr<const Library> &library, InputForm form) {
  const FormedInput input = *formedInput(*library);
  const uint32_t other = form == InputForm::Dense ? input.nonzeros : input.table;
  auto formed = std::make_shared<Formed>();
  formed->whole = library;
  formed->table = library->table();
  formed->tensors.assign(library->tensors().begin(), library->tensors().end());
  formed->tensors[other].role = GNN_ROLE_TEMP;
  formed->tensors[other].source = -1;
  for (const gnn_program_t *each = formed->table.programs; each != formed->table.programs + formed->table.num_programs;
       ++each)
    if (!library->steps(*each).any([=](const ProgramStep &step) { return step.uses(other); }))
      formed->programs.push_back(*each);
  formed->table.tensors = formed->tensors.data();
  formed->table.programs = formed->programs.data();
  formed->table.num_programs = uint32_t(formed->programs.size());
  formed->library =
      Library::fromTable(&formed->table, library->path(), library->isIsaForced() ? library->isa().name : "");
  return {formed, formed->library.get()};
}

} // namespace gnn::rt
