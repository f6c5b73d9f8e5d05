//===- ScheduleChecker.cpp - Schedules --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `schedule { tile 64 on conv1 }`: what a component asks for.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/ScheduleChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "dialects/Support/Schedule.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace gnnc;
using namespace gnnc::ast;

/// Where a field of the body is defined.
static const Name *fieldNamed(llvm::ArrayRef<Stmt *> statements, llvm::StringRef name) {
  for (const Stmt *stmt : statements) {
    bool defines = stmt->kind == Stmt::Kind::Let || stmt->kind == Stmt::Kind::Output;
    if (defines && stmt->value && stmt->name.text == name)
      return &stmt->name;
    if (const Name *inner = fieldNamed(stmt->body, name))
      return inner;
  }
  return nullptr;
}

/// Where the component defines the layer or field of that name.
static const Name *subjectNamed(const ComponentDecl &component, llvm::StringRef name) {
  for (const InstanceDecl &instance : component.instances)
    if (instance.name.text == name)
      return &instance.name;
  for (const BodyDecl &body : component.bodies)
    if (const Name *field = fieldNamed(body.statements, name))
      return field;
  return nullptr;
}

void ScheduleChecker::requestSchedule(const ComponentDecl &component, llvm::StringRef prefix) {
  for (const Setting &setting : component.schedule) {
    const Knob *knob = findKnob(setting.name.text);
    if (!knob) {
      std::vector<std::string> names;
      for (const Knob &known : knobs())
        names.push_back(known.name.str());
      Diagnostic &unknown =
          error(DiagnosticCode::E0109, setting.name.range, "unknown knob of a schedule `" + setting.name.text + "`");
      std::string suggestion = suggest(setting.name.text, names);
      unknown.at("not found").help(suggestion.empty() ? "knobs are `" + llvm::join(names, "`, `") + "`" : suggestion);
      continue;
    }
    double value = setting.value.value_or(0);
    auto number = static_cast<int64_t>(std::clamp(value, -1e15, 1e15));
    if (double(number) != value || !knob->allows(number)) {
      error(DiagnosticCode::E0112, setting.valueRange.isValid() ? setting.valueRange : setting.name.range,
            "`" + knob->name + "` is " + knob->range())
          .at(setting.value ? "not such a number" : "needs a number");
      continue;
    }
    ScheduleRequest request{prefix.drop_back(prefix.empty() ? 0 : 1).str(), knob, number, /*mayMiss=*/true};
    if (setting.on.empty()) {
      checkScheduleFits(setting, request);
      model.schedule.push_back(request);
    }
    for (const Name &name : setting.on) {
      const Name *subject = subjectNamed(component, name.text);
      if (!subject) {
        error(DiagnosticCode::E0109, name.range,
              "`" + component.name.text + "` has no layer and no field `" + name.text + "`")
            .at("not found");
        continue;
      }
      symbols.noteMention(name, subject->range);
      request.subject = prefix.str() + name.text.str();
      checkScheduleFits(setting, request);
      model.schedule.push_back(request);
    }
  }
}

/// Whether edges within `subject` get values that are not aggregated on the way: outputs, or what else nothing reads.
bool ScheduleChecker::givesEdgeValues(llvm::StringRef subject) const {
  std::vector<bool> isRead(model.values.size()), isKept(model.values.size());
  for (const Output &output : model.outputs)
    isKept[output.value] = true;
  for (size_t i = model.values.size(); i-- > 0;) {
    const Value &value = model.values[i];
    const bool isOfEdges = value.type.kind != GraphKind::P && value.type.kind != GraphKind::V;
    isKept[i] = isOfEdges && (isKept[i] || !isRead[i]) && !model.relations[value.type.type].isPairs;
    if (isKept[i] && isPlaceWithin(value.place, subject))
      return true;
    for (unsigned operand : value.operands) {
      isRead[operand] = true;
      isKept[operand] = isKept[operand] || isKept[i];
    }
  }
  return false;
}

/// In the component that is checked, whose values are known: knobs of sweeps need something to schedule.
void ScheduleChecker::checkScheduleFits(const Setting &setting, const ScheduleRequest &request) {
  if (context.frame != &root || diagnostics.hasErrors() || request.knob->steps == Knob::SweepsAndMaps)
    return;
  const std::string subject = request.subject.empty() ? root.component->name.text.str() : request.subject;
  if (request.knob->steps == Knob::EdgeSweeps) {
    if (!givesEdgeValues(request.subject))
      error(DiagnosticCode::E0112, setting.name.range, "there is nothing to schedule: no edges keep a value")
          .at("applies to nothing")
          .note("`" + request.knob->name + "` is about what `" + subject +
                "` gives for each edge and does not aggregate");
    return;
  }
  int64_t widest = -1;
  bool isOpen = false;
  for (const Value &value : model.values) {
    if ((value.kind != ValueKind::Aggregate && value.kind != ValueKind::Softmax) ||
        !isPlaceWithin(value.place, request.subject))
      continue;
    std::optional<int64_t> last = value.type.shape.empty() ? 1 : value.type.shape.back().constant();
    isOpen |= !last;
    widest = std::max(widest, last.value_or(0));
  }
  if (isOpen || (widest >= 0 && (setting.name.text != "tile" || widest >= request.value)))
    return;
  Diagnostic &misfit = error(DiagnosticCode::E0112, widest < 0 ? setting.name.range : setting.valueRange,
                             widest < 0 ? "there is nothing to schedule: no edges are aggregated"
                                        : "a tile of " + std::to_string(request.value) + " features does not fit");
  misfit.at(widest < 0 ? "applies to nothing"
                       : "at most " + std::to_string(widest) + (widest == 1 ? " feature is" : " features are") +
                             " aggregated");
  misfit.note("a schedule is about the aggregations of `" + subject + "`");
}
