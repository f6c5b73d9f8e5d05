//===- PlainThreads.h - What we use of oneTBB, on std::thread ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadSanitizer must see what orders the work of two threads. Inside oneTBB, which is installed without its
// instrumentation, it does not, and would report every task; a build with it takes these instead. However small a range
// is, it is cut, so that small tests have threads.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_SANITIZERS_PLAINTHREADS_H
#define GNNC_TEST_SANITIZERS_PLAINTHREADS_H

#include <algorithm>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tbb {

constexpr size_t numPieces = 3;

template <class Index> class blocked_range {
public:
  blocked_range(Index first, Index last, size_t = 1) : first(first), last(last) {}
  Index begin() const { return first; }
  Index end() const { return last; }
  size_t size() const { return first < last ? size_t(last - first) : 0; }
  bool empty() const { return size() == 0; }

private:
  Index first, last;
};

/// Calls `work(i, range)` for each of the pieces, on threads of their own, and throws what one of them threw.
template <class Index, class Work> void forPieces(const blocked_range<Index> &all, const Work &work) {
  size_t pieces = std::min(numPieces, all.size());
  std::vector<std::exception_ptr> thrown(pieces);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < pieces; ++i) {
    Index begin = all.begin() + Index(all.size() * i / pieces),
          end = all.begin() + Index(all.size() * (i + 1) / pieces);
    threads.emplace_back([&work, &thrown, i, begin, end] {
      try {
        work(i, blocked_range<Index>(begin, end));
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  for (const std::exception_ptr &exception : thrown)
    if (exception)
      std::rethrow_exception(exception);
}

template <class Index, class Body> void parallel_for(const blocked_range<Index> &range, const Body &body) {
  forPieces(range, [&](size_t, const blocked_range<Index> &piece) { body(piece); });
}

template <class Index, class Body> void parallel_for(Index first, Index last, const Body &body) {
  parallel_for(blocked_range<Index>(first, last), [&](const blocked_range<Index> &piece) {
    for (Index i = piece.begin(); i < piece.end(); ++i)
      body(i);
  });
}

template <class Index, class Value, class Body, class Join>
Value parallel_reduce(const blocked_range<Index> &range, const Value &identity, const Body &body, const Join &join) {
  std::vector<Value> values(numPieces, identity);
  forPieces(range, [&](size_t i, const blocked_range<Index> &piece) { values[i] = body(piece, identity); });
  Value result = identity;
  for (const Value &value : values)
    result = join(result, value);
  return result;
}

template <class Iterator, class Compare = std::less<>>
void parallel_sort(Iterator first, Iterator last, const Compare &compare = {}) {
  std::sort(first, last, compare);
}
template <class Container> void parallel_sort(Container &container) { std::sort(container.begin(), container.end()); }

template <class T> class enumerable_thread_specific {
public:
  explicit enumerable_thread_specific(T first = {}) : first(std::move(first)) {}
  T &local() {
    std::lock_guard<std::mutex> guard(lock);
    auto [place, isNew] = places.try_emplace(std::this_thread::get_id(), values.size());
    if (isNew)
      values.push_back(first);
    return values[place->second];
  }
  auto begin() { return values.begin(); }
  auto end() { return values.end(); }

private:
  T first;
  std::mutex lock;
  std::map<std::thread::id, size_t> places;
  std::deque<T> values;
};

class global_control {
public:
  enum parameter { max_allowed_parallelism };
  global_control(parameter, size_t) {}
};

class task_arena {
public:
  explicit task_arena(int, unsigned = 1) {}
  template <class Task> void enqueue(Task &&task) { std::thread(std::forward<Task>(task)).detach(); }
};

namespace this_task_arena {
/// Nothing else runs on the threads of a range: they are its own.
template <class Task> auto isolate(const Task &task) { return task(); }
inline int max_concurrency() { return int(numPieces); }
} // namespace this_task_arena

namespace info {
inline int default_concurrency() { return int(std::max(1u, std::thread::hardware_concurrency())); }
} // namespace info

} // namespace tbb

namespace oneapi {
namespace tbb = ::tbb;
}

#endif // GNNC_TEST_SANITIZERS_PLAINTHREADS_H
