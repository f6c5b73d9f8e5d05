//===- TuningFile.cpp - Schedules that were measured ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tuning/TuningFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace gnnc;

double GraphStatistics::distance(const GraphStatistics &other) const {
  auto doublings = [](int64_t a, int64_t b) {
    return a > 0 && b > 0 ? std::fabs(std::log2(double(a)) - std::log2(double(b))) : 0.0;
  };
  return doublings(vertices, other.vertices) + doublings(edges, other.edges) + doublings(longest, other.longest);
}

namespace {
/// `vertices=34`, …, `isa=x86-64-v3`, `threads=2`; what is wrong, or nothing.
std::string parseGraph(llvm::StringRef text, TuningSection &section) {
  llvm::SmallVector<llvm::StringRef> settings;
  text.split(settings, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef setting : settings) {
    auto [key, value] = setting.split('=');
    int64_t *number = key == "vertices"  ? &section.graph.vertices
                      : key == "edges"   ? &section.graph.edges
                      : key == "longest" ? &section.graph.longest
                                         : nullptr;
    bool isGood = number             ? !value.getAsInteger(10, *number) && *number >= 0
                  : key == "threads" ? !value.getAsInteger(10, section.threads)
                                     : key == "isa" && !value.empty();
    if (!isGood)
      return "expected vertices=, edges=, longest=, threads= or isa=, found '" + setting.str() + "'";
    if (key == "isa")
      section.isa = value.str();
  }
  return "";
}
} // namespace

llvm::Expected<TuningFile> TuningFile::parse(llvm::StringRef text, llvm::StringRef path) {
  TuningFile file;
  unsigned number = 0;
  bool isFirst = true;
  auto fail = [&](const llvm::Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), path + ":" + llvm::Twine(number) + ": " + message);
  };
  while (!text.empty()) {
    llvm::StringRef whole;
    std::tie(whole, text) = text.split('\n');
    ++number;
    auto [line, comment] = whole.split('#');
    line = line.trim();
    if (line.empty())
      continue;
    auto [key, rest] = line.split(' ');
    if (isFirst) {
      unsigned written = 0;
      if (key != "gnnc-tuning" || rest.getAsInteger(10, written))
        return fail("not a tuning file: expected 'gnnc-tuning " + llvm::Twine(version) + "'");
      if (written != version)
        return fail("version " + llvm::Twine(written) + " of tuning files, this gnnc reads " + llvm::Twine(version));
      isFirst = false;
    } else if (key == "model") {
      file.model = rest.str();
    } else if (key == "graph") {
      if (std::string wrong = parseGraph(rest, file.sections.emplace_back()); !wrong.empty())
        return fail(wrong);
    } else if (file.sections.empty()) {
      return fail("expected 'graph' before the first knob");
    } else {
      llvm::Expected<ScheduleRequest> request = parseScheduleRequest(line);
      if (!request)
        return fail(llvm::toString(request.takeError()));
      request->mayMiss = true;
      file.sections.back().requests.push_back(*request);
      file.sections.back().comments.push_back(comment.trim().str());
    }
  }
  if (isFirst)
    return fail("not a tuning file: it is empty");
  return file;
}

std::string TuningFile::text() const {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << "gnnc-tuning " << version << "\nmodel " << model << "\n";
  for (const TuningSection &section : sections) {
    os << "\ngraph vertices=" << section.graph.vertices << " edges=" << section.graph.edges
       << " longest=" << section.graph.longest << " isa=" << section.isa << " threads=" << section.threads << "\n";
    for (auto [request, comment] : llvm::zip_equal(section.requests, section.comments)) {
      os << request.subject << "." << request.knob->name << "=" << request.value;
      os << (comment.empty() ? "" : "  # ") << comment << "\n";
    }
  }
  return result;
}

Knob::Machine TuningSection::machine() const {
  return llvm::StringRef(isa).starts_with("sm_") ? Knob::Devices : Knob::Processors;
}

const TuningSection *TuningFile::nearest(Knob::Machine machine, const std::optional<GraphStatistics> &graph,
                                         llvm::ArrayRef<std::string> preferred) const {
  auto rank = [&](const TuningSection &section) {
    const double distance = graph ? section.graph.distance(*graph) : -double(section.graph.edges);
    return std::pair(distance, !llvm::is_contained(preferred, section.isa));
  };
  const TuningSection *best = nullptr;
  for (const TuningSection &section : sections)
    if (section.machine() == machine && (!best || rank(section) < rank(*best)))
      best = &section;
  return best;
}

void TuningFile::put(TuningSection section) {
  for (TuningSection &known : sections)
    if (known.graph == section.graph && known.isa == section.isa && known.threads == section.threads) {
      known = std::move(section);
      return;
    }
  sections.push_back(std::move(section));
}
