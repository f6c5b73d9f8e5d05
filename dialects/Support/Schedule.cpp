//===- Schedule.cpp - Schedules as they are written -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Support/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gnnc;

static const Knob table[] = {
#define KNOB(name, accessor, lowest, highest, machine, reader, steps, summary)                                         \
  {#name, lowest, highest, Knob::machine, Knob::reader, Knob::steps, summary},
#include "dialects/Support/Schedule.def"
};

llvm::ArrayRef<Knob> gnnc::knobs() { return table; }

const Knob *gnnc::findKnob(llvm::StringRef name) {
  const Knob *knob = llvm::find_if(table, [&](const Knob &knob) { return knob.name == name; });
  return knob == std::end(table) ? nullptr : knob;
}

bool Knob::allows(int64_t value) const {
  return value >= lowest && value <= highest && llvm::isPowerOf2_64(static_cast<uint64_t>(value));
}

std::string Knob::range() const {
  return "a power of two from " + std::to_string(lowest) + " to " + std::to_string(highest);
}

bool gnnc::isPlaceWithin(llvm::StringRef place, llvm::StringRef subject) {
  return subject.empty() ||
         (place.starts_with(subject) && (place.size() == subject.size() || place[subject.size()] == '.'));
}

llvm::Expected<ScheduleRequest> gnnc::parseScheduleRequest(llvm::StringRef text) {
  auto fail = [](const llvm::Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  };
  auto [left, number] = text.split('=');
  auto [subject, name] = left.contains('.') ? left.rsplit('.') : std::pair(llvm::StringRef(), left);
  ScheduleRequest request;
  request.subject = subject.str();
  if (name.empty() || number.empty())
    return fail("expected KERNEL.KNOB=VALUE, found '" + text + "'");
  request.knob = findKnob(name);
  if (!request.knob)
    return fail("there is no knob '" + name + "' (there are: " +
                llvm::join(llvm::map_range(knobs(), [](const Knob &knob) { return knob.name.str(); }), ", ") + ")");
  if (number.getAsInteger(10, request.value) || !request.knob->allows(request.value))
    return fail("'" + name + "' is " + request.knob->range() + ", not '" + number + "'");
  return request;
}
