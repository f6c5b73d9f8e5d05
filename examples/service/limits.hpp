// How many requests a service takes at a time, and what it says of them.
#ifndef LIMITS_HPP
#define LIMITS_HPP

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>

/// A request that is not answered, with its HTTP status.
struct Refusal : std::runtime_error {
  Refusal(int status, const std::string &reason) : std::runtime_error(reason), status(status) {}
  int status;
};

/// Lets so many requests compute at a time and so many others wait, until their deadline.
class Gate {
public:
  Gate(long maxRunning, long maxWaiting, std::chrono::seconds deadline)
      : maxRunning(maxRunning), maxWaiting(maxWaiting), deadline(deadline) {}

  void enter() {
    std::unique_lock<std::mutex> lock(mutex);
    if (running >= maxRunning) {
      if (waiting >= maxWaiting)
        throw Refusal(429, "too many requests wait already");
      ++waiting;
      const bool isFree = freed.wait_for(lock, deadline, [this] { return running < maxRunning; });
      --waiting;
      if (!isFree)
        throw Refusal(503, "no thread was free before the deadline");
    }
    ++running;
  }
  void leave() {
    const std::lock_guard<std::mutex> lock(mutex);
    --running;
    freed.notify_one();
  }
  std::pair<long, long> state() const {
    const std::lock_guard<std::mutex> lock(mutex);
    return {running, waiting};
  }

private:
  const long maxRunning, maxWaiting;
  const std::chrono::seconds deadline;
  mutable std::mutex mutex; // of what follows
  std::condition_variable freed;
  long running = 0, waiting = 0;
};

/// Numbers under names, and how long answers took, in the text format of Prometheus.
class Counters {
public:
  void add(const std::string &name, uint64_t count) {
    const std::lock_guard<std::mutex> lock(mutex);
    counts[name] += count;
  }
  void answered(const std::string &path, int status, double seconds) {
    add("service_requests_total{path=\"" + path + "\",status=\"" + std::to_string(status) + "\"}", 1);
    const std::lock_guard<std::mutex> lock(mutex);
    for (size_t i = 0; i < bounds.size(); ++i)
      atMost[i] += seconds <= bounds[i];
    ++numTimes;
    sumOfTimes += seconds;
  }

  std::string text() const {
    const std::lock_guard<std::mutex> lock(mutex);
    std::ostringstream out;
    for (const auto &[name, count] : counts)
      out << name << " " << count << "\n";
    out << "# TYPE service_seconds histogram\n";
    for (size_t i = 0; i < bounds.size(); ++i)
      out << "service_seconds_bucket{le=\"" << bounds[i] << "\"} " << atMost[i] << "\n";
    out << "service_seconds_bucket{le=\"+Inf\"} " << numTimes << "\nservice_seconds_sum " << sumOfTimes
        << "\nservice_seconds_count " << numTimes << "\n";
    return out.str();
  }

private:
  static constexpr std::array<double, 9> bounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5};
  mutable std::mutex mutex; // of what follows
  std::map<std::string, uint64_t> counts;
  std::array<uint64_t, bounds.size()> atMost{};
  uint64_t numTimes = 0;
  double sumOfTimes = 0;
};

#endif // LIMITS_HPP
