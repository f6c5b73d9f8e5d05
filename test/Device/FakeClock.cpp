//===- FakeClock.cpp - The time of the fake devices -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeClock.h"
#include "FakeDevice.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace fake {

static std::string nameOf(int memory) { return memory == host ? "host" : "cuda:" + std::to_string(memory); }

FakeClock *FakeClock::get() {
  static const std::unique_ptr<std::string> file = setting("topology");
  static const std::unique_ptr<FakeClock> clock(file ? new FakeClock(*file) : nullptr);
  if (!clock && setting("clock-only")) {
    std::fprintf(stderr, "fake libcuda: GNN_FAKE_CUDA: 'clock-only' needs topology=FILE, of which the clock is\n");
    std::abort();
  }
  return clock.get();
}

FakeClock::FakeClock(const std::string &file) : isOnly(setting("clock-only")) {
  try {
    const nlohmann::json read = nlohmann::json::parse(std::ifstream(file));
    for (const nlohmann::json &link : read.at("links")) {
      links.push_back(
          {link.at("from"), link.at("to"), 1e9 * link.at("GB/s").get<double>(), 1e-6 * link.value("us", 0.0)});
      if (links.back().from.compare(0, 5, "cuda:") != 0)
        above[links.back().to] = links.back().from;
    }
    const nlohmann::json kind = read.value("device", nlohmann::json::object());
    memoryRate = 1e9 * kind.value("GB/s", 1e-9 * memoryRate);
    arithmetic = 1e12 * kind.value("Tops/s", 1e-12 * arithmetic);
    launchSeconds = 1e-6 * kind.value("launch_us", 1e6 * launchSeconds);
    if ((hasGroups = read.contains("peers")) && read["peers"].is_array())
      for (size_t group = 0; group < read["peers"].size(); ++group)
        for (const std::string device : read["peers"][group])
          deviceGroups[device] = group;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "fake libcuda: topology %s: %s\n", file.c_str(), error.what());
    std::abort();
  }
}

std::vector<std::string> FakeClock::path(int device) const {
  std::vector<std::string> names{nameOf(device)};
  while (names.back() != "host")
    names.push_back(above.at(names.back()));
  return names;
}

/// Of a link in one direction; SIZE_MAX: there is none.
size_t FakeClock::channel(const std::string &from, const std::string &to) const {
  for (size_t i = 0; i < links.size(); ++i)
    if (links[i].from == from && links[i].to == to)
      return 2 * i;
    else if (links[i].from == to && links[i].to == from)
      return 2 * i + 1;
  return SIZE_MAX;
}

bool FakeClock::arePeers(int device, int other) const {
  const std::string a = nameOf(device), b = nameOf(other);
  if (channel(a, b) != SIZE_MAX)
    return true;
  if (hasGroups)
    return deviceGroups.count(a) > 0 && deviceGroups.count(b) > 0 && deviceGroups.at(a) == deviceGroups.at(b);
  const std::vector<std::string> first = path(device), second = path(other);
  return first.size() > 2 && second.size() > 2 && first[first.size() - 2] == second[second.size() - 2];
}

FakeClock::Mark FakeClock::add(const void *stream, Item item) {
  items.push_back(std::move(item));
  streams[stream].push_back(items.size());
  return last[stream] = items.size();
}

FakeClock::Mark FakeClock::mark(const void *stream) { return add(stream, {}); }

void FakeClock::wait(const void *stream, Mark until) {
  Item item;
  item.until = until;
  add(stream, std::move(item));
}

void FakeClock::kernel(const void *stream, double bytes, double operations, bool isLaunched) {
  Item item;
  item.delay = (isLaunched ? launchSeconds : 0) + std::max(bytes / memoryRate, operations / arithmetic);
  add(stream, std::move(item));
}

/// Up to where the ways part, and down from there; by the host if they are no peers.
void FakeClock::move(const void *stream, int from, int to, uint64_t bytes) {
  if (from == to)
    return kernel(stream, 2.0 * double(bytes), 0, /*isLaunched=*/false);
  Item item;
  item.bytes = double(bytes);
  std::vector<std::string> way;
  if (from != host && to != host && channel(nameOf(from), nameOf(to)) != SIZE_MAX) {
    way = {nameOf(from), nameOf(to)};
  } else {
    std::vector<std::string> up = from == host ? std::vector<std::string>{"host"} : path(from),
                             down = to == host ? std::vector<std::string>{"host"} : path(to);
    if (from != host && to != host && arePeers(from, to))
      while (up.size() > 1 && down.size() > 1 && up[up.size() - 2] == down[down.size() - 2]) {
        up.pop_back();
        down.pop_back();
      }
    way = up;
    way.insert(way.end(), std::next(down.rbegin()), down.rend());
  }
  for (size_t i = 1; i < way.size(); ++i) {
    item.channels.push_back(channel(way[i - 1], way[i]));
    item.delay += links[item.channels.back() / 2].latency;
  }
  add(stream, std::move(item));
}

/// The narrowest channel gives each of its own the same, then the next one of what is left.
std::vector<double> FakeClock::ratesOf(const std::vector<Item *> &moving) const {
  std::vector<double> rates(moving.size(), -1), left(2 * links.size());
  for (size_t c = 0; c < left.size(); ++c)
    left[c] = links[c / 2].rate;
  for (size_t settled = 0; settled < moving.size();) {
    std::vector<size_t> users(left.size(), 0);
    for (size_t i = 0; i < moving.size(); ++i)
      for (size_t c : moving[i]->channels)
        users[c] += rates[i] < 0;
    size_t narrowest = SIZE_MAX;
    for (size_t c = 0; c < left.size(); ++c)
      if (users[c] > 0 &&
          (narrowest == SIZE_MAX || left[c] / double(users[c]) < left[narrowest] / double(users[narrowest])))
        narrowest = c;
    const double share = left[narrowest] / double(users[narrowest]);
    for (size_t i = 0; i < moving.size(); ++i) {
      const std::vector<size_t> &channels = moving[i]->channels;
      if (rates[i] >= 0 || std::find(channels.begin(), channels.end(), narrowest) == channels.end())
        continue;
      rates[i] = share;
      ++settled;
      for (size_t c : channels)
        left[c] = std::max(left[c] - share, 0.0);
    }
  }
  return rates;
}

void FakeClock::advance() {
  std::vector<Item *> delayed, moving;
  for (bool isDone = false; !isDone;) { // what ends at once lets others begin
    isDone = true;
    delayed.clear();
    moving.clear();
    for (auto &[stream, waiting] : streams) {
      if (waiting.empty())
        continue;
      Item &item = items[waiting.front() - 1];
      if (item.until != 0 && items[item.until - 1].end < 0)
        continue;
      if (item.delay > 0) {
        delayed.push_back(&item);
      } else if (item.bytes > 0) {
        moving.push_back(&item);
      } else {
        item.end = now;
        waiting.pop_front();
        isDone = false;
      }
    }
  }
  const std::vector<double> rates = ratesOf(moving);
  double step = std::numeric_limits<double>::infinity();
  for (const Item *item : delayed)
    step = std::min(step, item->delay);
  for (size_t i = 0; i < moving.size(); ++i)
    step = std::min(step, moving[i]->bytes / rates[i]);
  if (step == std::numeric_limits<double>::infinity())
    return;
  now += step;
  for (Item *item : delayed)
    item->delay = item->delay - step > 1e-15 ? item->delay - step : 0;
  for (size_t i = 0; i < moving.size(); ++i) {
    const double left = moving[i]->bytes - rates[i] * step;
    moving[i]->bytes = left > 1e-6 ? left : 0;
  }
}

bool runsKernels() {
  const FakeClock *clock = FakeClock::get();
  return !clock || !clock->isAlone();
}

void FakeClock::reach(Mark mark) {
  while (mark != 0 && items[mark - 1].end < 0)
    advance();
}

} // namespace fake
