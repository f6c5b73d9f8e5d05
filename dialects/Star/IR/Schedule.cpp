//===- Schedule.cpp - The attribute that says how a kernel runs -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/IR/Star.h"

using namespace gnnc;
using namespace gnnc::star;

namespace {
/// The knobs by number, as the parameters of the attribute are not.
struct Values {
#define KNOB(name, accessor, ...) int64_t name = 0;
#include "dialects/Support/Schedule.def"

  explicit Values(ScheduleAttr schedule) {
    if (!schedule)
      return;
#define KNOB(name, accessor, ...) name = schedule.get##accessor();
#include "dialects/Support/Schedule.def"
  }

  int64_t &operator[](const Knob &knob) {
#define KNOB(name_, ...)                                                                                               \
  if (knob.name == #name_)                                                                                             \
    return name_;
#include "dialects/Support/Schedule.def"
    llvm_unreachable("a knob of Schedule.def");
  }
};
} // namespace

ScheduleAttr ScheduleAttr::with(ScheduleAttr schedule, mlir::MLIRContext *context, const Knob &knob, int64_t value) {
  Values values(schedule);
  values[knob] = value;
  return ScheduleAttr::get(context
#define KNOB(name, ...) , values.name
#include "dialects/Support/Schedule.def"
  );
}

int64_t ScheduleAttr::valueOf(const Knob &knob) const { return Values(*this)[knob]; }

llvm::LogicalResult ScheduleAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError
#define KNOB(name, ...) , int64_t name
#include "dialects/Support/Schedule.def"
) {
  llvm::StringRef wrong;
#define KNOB(name, ...)                                                                                                \
  if (name && !findKnob(#name)->allows(name))                                                                          \
    wrong = #name;
#include "dialects/Support/Schedule.def"
  if (wrong.empty())
    return mlir::success();
  return emitError() << "`" << wrong << "` is " << findKnob(wrong)->range();
}
