//===- ReportRemarks.cpp - The report as remarks --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own serializer writes the records, so that its tools read them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Explain/Report.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkSerializer.h"

using namespace gnnc;
namespace remarks = llvm::remarks;

namespace {

/// A remark whose texts live as long as it does.
class OwnedRemark {
public:
  OwnedRemark(remarks::Type type, llvm::StringRef name, const ProgramReport &program, const StepReport &step) {
    remark.RemarkType = type;
    remark.PassName = "gnn-to-star";
    remark.RemarkName = name;
    remark.FunctionName = program.name;
    if (step.place.line)
      remark.Loc = remarks::RemarkLocation{step.place.file, step.place.line, step.place.column};
    add("Step", std::to_string(step.number));
    add("String", ": ");
  }

  OwnedRemark &add(llvm::StringRef key, const std::string &value) {
    texts.push_back(std::make_unique<std::string>(value));
    remarks::Argument argument;
    argument.Key = key;
    argument.Val = *texts.back();
    remark.Args.push_back(argument);
    return *this;
  }

  remarks::Remark remark;

private:
  std::vector<std::unique_ptr<std::string>> texts;
};

} // namespace

static OwnedRemark fused(const ProgramReport &program, const StepReport &step) {
  OwnedRemark remark(remarks::Type::Passed, "Fused", program, step);
  remark.add("Kind", step.kind).add("String", " over ").add("Over", step.over);
  if (!step.kernel.empty())
    remark.add("String", " in kernel ").add("Kernel", step.kernel);
  remark.add("String", ", ops of an edge: ").add("EdgeOps", std::to_string(step.edgeOps));
  remark.add("String", ", of a vertex: ").add("VertexOps", std::to_string(step.vertexOps));
  return remark;
}

static OwnedRemark costs(const ProgramReport &program, const StepReport &step) {
  OwnedRemark remark(remarks::Type::Analysis, "Cost", program, step);
  remark.add("EdgeBytes", std::to_string(step.edgeBytes())).add("String", " B and ");
  remark.add("EdgeFlops", std::to_string(step.edgeFlops)).add("String", " flops an edge, ");
  remark.add("VertexBytes", std::to_string(step.vertexBytes())).add("String", " B and ");
  remark.add("VertexFlops", std::to_string(step.vertexFlops)).add("String", " flops a vertex; bound by ");
  return std::move(remark.add("Bound", step.bound()));
}

void gnnc::printRemarks(const Report &report, llvm::raw_ostream &os) {
  auto serializer =
      llvm::cantFail(remarks::createRemarkSerializer(remarks::Format::YAML, remarks::SerializerMode::Standalone, os));
  for (const ProgramReport &program : report.programs)
    for (const StepReport &step : program.steps) {
      serializer->emit(fused(program, step).remark);
      serializer->emit(costs(program, step).remark);
      for (const std::string &stop : step.stops) {
        OwnedRemark remark(remarks::Type::Missed, "NotFused", program, step);
        serializer->emit(remark.add("Reason", stop).remark);
      }
      for (const KeptField &kept : step.keeps) {
        OwnedRemark remark(remarks::Type::Analysis, "Kept", program, step);
        remark.add("Field", kept.field.name).add("String", ", ").add("Bytes", std::to_string(kept.field.bytes));
        remark.add("String", " B a vertex, ").add("Form", kept.form).add("String", ": ").add("Reason", kept.reason);
        serializer->emit(remark.remark);
      }
    }
}
