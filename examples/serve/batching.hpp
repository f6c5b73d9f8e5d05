// Requests of many threads that are answered together: they share what they read of the graph, and each answer has the
// bits that it has alone. A request waits until the run that is under way has ended, and not longer: then one of those
// who wait runs for all.
#ifndef BATCHING_HPP
#define BATCHING_HPP

#include <gnn/gnn.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

class Batching {
public:
  struct Answer {
    gnn::Snapshot::Outputs outputs{};
    int64_t numEdges = 0; // of the snapshot
  };

  /// At most `most` requests at a time. Who finds no run under way waits `wait` for others, if there are fewer.
  Batching(const gnn::GrowingGraph &graph, gnn::Model &model, size_t most, std::chrono::microseconds wait)
      : graph(graph), model(model), most(most), wait(wait) {}

  /// Throws what the run throws that the request is part of.
  Answer ask(gnn::Request request) {
    Waiting mine{std::move(request)};
    std::unique_lock<std::mutex> lock(mutex);
    waiting.push_back(&mine);
    arrived.notify_one();
    while (!mine.isDone) {
      if (isRunning)
        ended.wait(lock);
      else
        runNext(lock);
    }
    if (mine.error)
      std::rethrow_exception(mine.error);
    return std::move(mine.answer);
  }

private:
  struct Waiting {
    gnn::Request request;
    Answer answer{};
    std::exception_ptr error{};
    bool isDone = false;
  };

  /// Answers those who came first.
  void runNext(std::unique_lock<std::mutex> &lock) {
    isRunning = true;
    if (wait.count() > 0)
      arrived.wait_for(lock, wait, [this] { return waiting.size() >= most; });
    const auto end = waiting.begin() + std::ptrdiff_t(std::min(most, waiting.size()));
    const std::vector<Waiting *> batch(waiting.begin(), end);
    waiting.erase(waiting.begin(), end);
    lock.unlock();
    std::exception_ptr error;
    try {
      answer(batch);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    for (Waiting *each : batch) {
      each->error = error;
      each->isDone = true;
    }
    isRunning = false;
    ended.notify_all();
  }

  void answer(const std::vector<Waiting *> &batch) {
    std::vector<gnn::Request> requests;
    for (const Waiting *each : batch)
      requests.push_back(each->request);
    const gnn::Snapshot snapshot = graph.storedSnapshot(model);
    std::vector<gnn::Snapshot::Outputs> outputs = snapshot.inferEach(model, requests);
    for (size_t i = 0; i < batch.size(); ++i)
      batch[i]->answer = {std::move(outputs[i]), snapshot.numEdges()};
  }

  const gnn::GrowingGraph &graph;
  gnn::Model &model;
  const size_t most;
  const std::chrono::microseconds wait;
  std::mutex mutex; // of what follows
  std::condition_variable arrived, ended;
  std::vector<Waiting *> waiting;
  bool isRunning = false;
};

#endif // BATCHING_HPP
