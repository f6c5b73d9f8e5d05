//===- Display.cpp - Progress for people ----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Display.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace gnn::train_tool {

namespace {

constexpr std::chrono::milliseconds terminalInterval(100);
/// Between two lines of plain output: a tenth of the time so far, within these.
constexpr std::chrono::seconds leastPlainInterval(2), mostPlainInterval(60);
constexpr int64_t barWidth = 20;

bool isLiveTerminal(FILE *stream) {
  const char *kind = std::getenv("TERM");
  return isatty(fileno(stream)) && !(kind && std::strcmp(kind, "dumb") == 0);
}

std::string number(const char *format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// "[=======>            ]".
std::string barOf(int64_t done, int64_t all) {
  const int64_t filled = all > 0 ? barWidth * done / all : barWidth;
  std::string bar = std::string(size_t(filled), '=') + (filled < barWidth ? ">" : "");
  bar.resize(barWidth, ' ');
  return "[" + bar + "]";
}

/// What a terminal has room for in one line.
size_t columnsOf(FILE *stream) {
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string duration(double seconds) {
  int64_t whole = int64_t(seconds + 0.5);
  if (whole < 60)
    return std::to_string(whole) + " s";
  return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
}

bool hasMetric(const rt::Metrics &metrics, const std::string &name) {
  return name == "loss" || metrics.others.count(name) > 0;
}

/// Of a metric that is there; what has a sign of its own, as 81.20 %, needs no name.
std::string metricText(const rt::Metrics &metrics, const std::string &name) {
  if (name == "accuracy")
    return " " + percent(metrics.others.at(name));
  return " " + name + " " + decimal(name == "loss" ? metrics.loss : metrics.others.at(name));
}

constexpr const char *shownSplits[] = {"val", "test"};

/// What all shown splits have, so that they compare: `monitor` if they do.
std::string commonMetric(const EpochReport &report, const std::string &monitor) {
  for (const std::string name : {monitor.c_str(), "accuracy", "auc"})
    if (std::all_of(std::begin(shownSplits), std::end(shownSplits), [&](const char *split) {
          auto found = report.splits.find(split);
          return found == report.splits.end() || hasMetric(found->second, name);
        }))
      return name;
  return "loss";
}

std::string rate(double perSecond) {
  for (auto [size, unit] : {std::pair(1e9, " G"), std::pair(1e6, " M"), std::pair(1e3, " k")})
    if (perSecond >= size)
      return number("%.1f", perSecond / size) + unit;
  return number("%.0f ", perSecond);
}

} // namespace

std::string decimal(const rt::MetricValue &value) { return value ? number("%.4f", *value) : "none"; }

std::string percent(const rt::MetricValue &fraction) { return fraction ? number("%.2f %%", 100 * *fraction) : "none"; }

std::string missingText(int64_t labels, int64_t negatives) {
  std::string text;
  if (labels > 0)
    text = std::to_string(labels) + (labels == 1 ? " label is missing" : " labels are missing");
  if (negatives > 0)
    text += (text.empty() ? "" : ", ") + std::to_string(negatives) +
            (negatives == 1 ? " true pair has no negative" : " true pairs have no negative");
  return text;
}

std::string metricsText(const rt::Metrics &metrics) {
  std::string text = " loss " + decimal(metrics.loss);
  for (const auto &[name, value] : metrics.others)
    text += "  " + name + " " + (name == "accuracy" || name == "baseline_accuracy" ? percent(value) : decimal(value));
  const std::string missing = missingText(metrics.numMissingLabels, metrics.numMissingNegatives);
  return missing.empty() ? text : text + "  (" + missing + ")";
}

Display::Display(Console &console, int64_t planned, int64_t graphEdges, std::string shown)
    : console(console), epochs(planned), edges(graphEdges), monitor(std::move(shown)),
      isTerminal(isLiveTerminal(console.stream())), begin(Clock::now()) {}

bool Display::isLineDue(const EpochReport &report) {
  const auto now = Clock::now();
  if (report.epoch != epochs && firstEpoch && now < nextLine)
    return false;
  nextLine = now + std::clamp<Clock::duration>((now - begin) / 10, leastPlainInterval, mostPlainInterval);
  return true;
}

void Display::show(const EpochReport &report) {
  const bool isDue = isLineDue(report);
  if (!firstEpoch)
    firstEpoch = report.epoch;
  if (!isTerminal) {
    if (isDue)
      console.say("%s", lineFor(report).c_str());
    return;
  }
  if (isDue)
    console.note(lineFor(report));
  const auto now = Clock::now();
  if (report.epoch != epochs && now - lastShown < terminalInterval)
    return;
  lastShown = now;
  isLineOpen = true;
  const std::string line = lineFor(report, "  " + barOf(report.epoch, epochs));
  std::fprintf(console.stream(), "\r\x1b[K%s", line.substr(0, columnsOf(console.stream()) - 1).c_str());
  std::fflush(console.stream());
}

void Display::finish() {
  if (isLineOpen)
    std::fputc('\n', console.stream());
  isLineOpen = false;
  std::fflush(console.stream());
}

std::string Display::lineFor(const EpochReport &report, const std::string &bar) const {
  double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  int64_t done = report.epoch - firstEpoch + 1;
  std::string line = "epoch " + std::to_string(report.epoch) + "/" + std::to_string(epochs) + bar;
  if (report.epoch < epochs)
    line += "  ETA " + duration(seconds / double(done) * double(epochs - report.epoch));
  line += "  loss " + number("%.4f", report.loss);
  const std::string common = commonMetric(report, monitor);
  for (const char *split : shownSplits) {
    auto found = report.splits.find(split);
    if (found == report.splits.end())
      continue;
    line += std::string("  ") + split;
    if (common != monitor && hasMetric(found->second, monitor))
      line += metricText(found->second, monitor);
    line += metricText(found->second, common);
  }
  if (report.bestEpoch > 0)
    line += "  best epoch " + std::to_string(report.bestEpoch);
  if (report.steps > 0)
    line += "  " + number("%.2f", report.stepMs) + " ms/step";
  if (report.steps > 0 && edges > 0)
    line += "  " + rate(double(edges) / (report.stepMs * 1e-3)) + "edges/s";
  return line;
}

namespace {

class ShareLine {
public:
  ShareLine(std::string work, std::function<void()> before) : work(std::move(work)), before(std::move(before)) {}
  ShareLine(const ShareLine &) = delete;
  ShareLine &operator=(const ShareLine &) = delete;
  ~ShareLine() { erase(); }

  void show(double share) {
    if (share >= 1)
      return erase();
    if (share <= 0 || secondsSince(last) < (isTerminal ? 1.0 : 20.0))
      return;
    if (before)
      before();
    last = Clock::now();
    isShown = true;
    const double left = secondsSince(begin) * (1 - share) / share;
    std::fprintf(stderr, isTerminal ? "\r%s: %.0f %%, ETA %.0f s \033[K" : "%s: %.0f %%, ETA %.0f s\n", work.c_str(),
                 100 * share, left);
  }

private:
  using Clock = std::chrono::steady_clock;

  static double secondsSince(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }
  void erase() {
    if (isTerminal && std::exchange(isShown, false))
      std::fputs("\r\033[K", stderr);
  }

  const std::string work;
  const std::function<void()> before;
  const bool isTerminal = isLiveTerminal(stderr);
  const Clock::time_point begin = Clock::now();
  Clock::time_point last = begin;
  bool isShown = false;
};

} // namespace

std::function<void(double)> showShare(const std::string &work, std::function<void()> before) {
  return [line = std::make_shared<ShareLine>(work, std::move(before))](double share) { line->show(share); };
}

namespace {

/// Of one thing after the other.
template <class Key>
std::function<void(Key, double)> showShares(const std::string &work, std::string (*nameOf)(Key),
                                            std::function<void()> before) {
  return [=, shown = std::string(), show = std::function<void(double)>()](Key key, double share) mutable {
    const std::string name = nameOf(key);
    if (!show || shown != name)
      show = showShare(work + " " + name, before);
    shown = name;
    show(share);
    if (share >= 1)
      show = nullptr;
  };
}

} // namespace

std::function<void(int64_t, double)> showEpochs(std::function<void()> before) {
  return showShares<int64_t>(
      "epoch", [](int64_t epoch) { return std::to_string(epoch); }, std::move(before));
}

std::function<void(const std::string &, double)> showRanking(std::function<void()> before) {
  return showShares<const std::string &>(
      "ranking", [](const std::string &split) { return split; }, std::move(before));
}

} // namespace gnn::train_tool
