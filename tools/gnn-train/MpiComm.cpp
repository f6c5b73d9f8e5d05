//===- MpiComm.cpp - Ranks that are connected by MPI ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/MpiComm.h"

#include "runtime/src/comm/Socket.h"
#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <list>
#include <mutex>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <thread>

namespace gnn::train_tool {

using namespace rt;

namespace {

constexpr const char *libraryName = "libgnnrt-mpi.so";
/// Open MPI's messages of 4 MB and more are several times slower on one machine.
constexpr size_t mostOfFrame = 256 << 10;
constexpr size_t mostOfCause = 64 << 10;
/// To and from each rank at once: one is copied while another is under way.
constexpr size_t window = 2;
/// Questions with nothing done before this process sleeps in between. Others may need its core from the first on.
constexpr int mostYields = 500;
constexpr std::chrono::milliseconds nap(1), farewell(1000);

/// What is under way when a rank fails stays as long as the process: MPI may still read it, or write to it.
template <class T> const T &kept(T &&value) {
  static std::mutex mutex;
  static std::list<T> &all = *new std::list<T>;
  const std::lock_guard<std::mutex> lock(mutex);
  return all.emplace_back(std::move(value));
}

/// What waits within MPI has an end, too: that of the process.
class Watchdog {
public:
  Watchdog(std::chrono::milliseconds most, std::string message)
      : isOver(eventfd(0, EFD_CLOEXEC)), thread([this, most, message = std::move(message)] {
          pollfd descriptor{isOver.get(), POLLIN, 0};
          for (Deadline deadline(most); deadline.poll(&descriptor, 1) == 0;)
            if (deadline.hasPassed()) {
              std::fprintf(stderr, "gnnrt: error: %s\n", message.c_str());
              _exit(3);
            }
        }) {}
  ~Watchdog() {
    const uint64_t one = 1;
    while (write(isOver.get(), &one, sizeof one) < 0 && errno == EINTR)
      ;
    thread.join();
  }

private:
  Socket isOver;
  std::thread thread;
};

const gnn_mpi_t &openLibrary(const Launched &launched) {
  void *library = dlopen(libraryName, RTLD_NOW | RTLD_GLOBAL); // stays open; MPI's own parts look for each other
  const char *why = library ? nullptr : dlerror();
  require(library, GNN_ERROR_IO, launched.by, " started this process as rank ", launched.rank, " of ", launched.size,
          ", and ranks that it starts send by ", libraryName, ": ", why ? why : "it can't be opened",
          ". The package libgnnrt-mpi has it for Debian's Open MPI; docs/distributed.md says how to build it for "
          "another MPI. With --rendezvous HOST:PORT they send by TCP, with --ranks 1 each process trains alone");
  auto *function = reinterpret_cast<gnn_mpi_function_t *>(dlsym(library, "gnn_mpi"));
  require(function && function()->version == GNN_MPI_VERSION, GNN_ERROR_IO, libraryName,
          " is not of this version of gnn-train");
  return *function();
}

std::string textOf(void (*function)(char *)) {
  char text[GNN_MPI_MOST_OF_TEXT] = "";
  function(text);
  return text;
}

std::string secondsOf(std::chrono::milliseconds time) {
  std::ostringstream seconds;
  seconds << double(time.count()) / 1000 << " seconds";
  return seconds.str();
}

struct Frame {
  std::vector<char> bytes;
  size_t count = 0; // that are sent or expected
  gnn_mpi_request_t request = 0;
};

/// The frames that are under way in one direction, the oldest first.
class Frames {
public:
  bool isEmpty() const { return begun == ended; }
  bool isFull() const { return begun - ended == window; }
  Frame &oldest() { return frames[ended % window]; }
  /// The next to begin, which has begun if nothing is thrown.
  Frame &next(size_t count) {
    Frame &frame = frames[begun % window];
    frame.bytes.resize(mostOfFrame);
    frame.count = count;
    return frame;
  }
  void begin() { ++begun; }
  void end() { ++ended; }

private:
  std::array<Frame, window> frames;
  size_t begun = 0, ended = 0;
};

/// A place in what is sent or received piece by piece.
template <class Piece> struct Cursor {
  size_t piece = 0, at = 0;

  bool isAtEnd(const std::vector<Piece> &pieces) const { return piece == pieces.size(); }
  size_t left(const std::vector<Piece> &pieces) const { return std::min(pieces[piece].size() - at, mostOfFrame); }
  void move(const std::vector<Piece> &pieces, size_t bytes) {
    at += bytes;
    if (at == pieces[piece].size()) {
      ++piece;
      at = 0;
    }
  }
};

} // namespace

struct MpiComm::Lane {
  int rank = 0;
  std::vector<Span<const char>> out;
  Cursor<Span<const char>> sent; // copied to frames
  Frames sending;
  std::vector<Span<char>> in;
  Cursor<Span<char>> expected, received; // in frames; copied from frames
  Frames receiving;

  bool isWanted() const { return !sent.isAtEnd(out) || !sending.isEmpty() || !received.isAtEnd(in); }
  void clear() {
    out.clear();
    in.clear();
    sent = {};
    expected = received = {};
  }
};

std::unique_ptr<MpiComm> MpiComm::open(const Launched &launched, std::chrono::milliseconds patience) {
  const gnn_mpi_t &mpi = openLibrary(launched);
  const std::string name = textOf(mpi.library);
  int rank = 0, size = 0, error = 0;
  {
    Watchdog watchdog(patience, "rank " + std::to_string(launched.rank) + " waited for " + secondsOf(patience) +
                                    " for all ranks of " + launched.by + " to start");
    error = mpi.start(&rank, &size);
  }
  require(error == 0, GNN_ERROR_IO, name, " does not start: error ", error);
  const bool agree = rank == launched.rank && size == launched.size;
  if (!agree && size == 1)
    mpi.finish(); // alone: no rank can keep it waiting, and nothing is left in the folder for temporary files
  require(agree, GNN_ERROR_IO, launched.by, " started this process as rank ", launched.rank, " of ", launched.size,
          ", and for ", name, ", which ", libraryName, " is compiled with, it is rank ", rank, " of ", size,
          ": they are not of one MPI");
  return std::make_unique<MpiComm>(mpi, rank, size, patience);
}

MpiComm::MpiComm(const gnn_mpi_t &functions, int rank, int size, std::chrono::milliseconds most)
    : Comm(rank, size, most), mpi(functions), lanes(static_cast<size_t>(size)), ending(mostOfCause) {
  for (int other = 0; other < size; ++other)
    lanes[size_t(other)].rank = other;
  check(mpi.receive(GNN_MPI_ENDINGS, GNN_MPI_ANY_RANK, ending.data(), int(ending.size()), &endingRequest), rank);
}

MpiComm::~MpiComm() {
  if (hasFailed) { // what is under way stays: MPI may still write to it
    kept(std::move(lanes));
    kept(std::move(ending));
    return;
  }
  Watchdog watchdog(patience(), "rank " + std::to_string(rank()) + " waited for " + secondsOf(patience()) +
                                    " for the end of " + library());
  mpi.cancel(&endingRequest);
  mpi.finish();
}

std::string MpiComm::library() const { return textOf(mpi.library); }

void MpiComm::exchange(const std::vector<Send> &sends, const std::vector<Receive> &receives, const std::string &what) {
  topic = what;
  topicTag = int(checksum(Span<const char>(what)) % (GNN_MPI_MOST_OF_TAG + 1));
  for (const Send &send : sends)
    if (!send.bytes.empty())
      lanes[size_t(send.to)].out.push_back(send.bytes);
  for (const Receive &receive : receives)
    if (!receive.bytes.empty())
      lanes[size_t(receive.from)].in.push_back(receive.bytes);
  hasFailed = true; // unless it is done
  Deadline deadline(patience());
  for (int numIdle = 0;;) {
    bool isDone = true, hasMoved = false;
    for (Lane &lane : lanes)
      if (lane.isWanted()) {
        hasMoved |= advance(lane);
        isDone = isDone && !lane.isWanted();
      }
    if (isDone)
      break;
    if (hasMoved) {
      deadline = Deadline(patience());
      numIdle = 0;
      continue;
    }
    hearEnding();
    deadline.look(); // MPI yields in its tests, which take long where ranks are more than processors
    if (deadline.hasPassed())
      fallSilent(wanted(), topic);
    if (++numIdle < mostYields)
      sched_yield();
    else
      std::this_thread::sleep_for(nap);
  }
  hasFailed = false;
  for (Lane &lane : lanes)
    lane.clear();
}

/// Whether anything was moved.
bool MpiComm::advance(Lane &lane) {
  const bool hasReceived = receive(lane);
  return send(lane) || hasReceived;
}

bool MpiComm::send(Lane &lane) {
  bool hasMoved = false;
  for (gnn_mpi_status_t status{}; !lane.sending.isEmpty(); lane.sending.end()) {
    check(mpi.test(&lane.sending.oldest().request, &status), lane.rank);
    if (!status.is_done)
      break;
    moved.sent += lane.sending.oldest().count;
    hasMoved = true;
  }
  while (!lane.sent.isAtEnd(lane.out) && !lane.sending.isFull()) {
    const size_t count = lane.sent.left(lane.out);
    Frame &frame = lane.sending.next(count);
    std::memcpy(frame.bytes.data(), lane.out[lane.sent.piece].data() + lane.sent.at, count);
    check(mpi.send(GNN_MPI_DATA, lane.rank, topicTag, frame.bytes.data(), int(count), &frame.request), lane.rank);
    lane.sending.begin();
    lane.sent.move(lane.out, count);
    hasMoved = true;
  }
  return hasMoved;
}

bool MpiComm::receive(Lane &lane) {
  bool hasMoved = false;
  for (;;) {
    while (!lane.expected.isAtEnd(lane.in) && !lane.receiving.isFull()) {
      const size_t count = lane.expected.left(lane.in);
      Frame &frame = lane.receiving.next(count);
      check(mpi.receive(GNN_MPI_DATA, lane.rank, frame.bytes.data(), int(mostOfFrame), &frame.request), lane.rank);
      lane.receiving.begin();
      lane.expected.move(lane.in, count);
    }
    if (lane.receiving.isEmpty())
      return hasMoved;
    Frame &frame = lane.receiving.oldest();
    gnn_mpi_status_t status{};
    check(mpi.test(&frame.request, &status), lane.rank);
    if (!status.is_done)
      return hasMoved;
    require(status.tag == topicTag && size_t(status.bytes) == frame.count, GNN_ERROR_INTERNAL, "rank ", lane.rank,
            " is not where rank ", rank(), " is: it sent something else than ", topic);
    std::memcpy(lane.in[lane.received.piece].data() + lane.received.at, frame.bytes.data(), frame.count);
    lane.received.move(lane.in, frame.count);
    lane.receiving.end();
    moved.received += frame.count;
    hasMoved = true;
  }
}

void MpiComm::check(int error, int other) const {
  if (error == 0)
    return;
  char text[GNN_MPI_MOST_OF_TEXT] = "";
  mpi.describe(error, text);
  throw RankLost("rank " + std::to_string(other) + " can't be reached while rank " + std::to_string(rank()) +
                 " waited for " + topic + ": " + text);
}

/// Throws where another rank has said that it ends.
void MpiComm::hearEnding() {
  gnn_mpi_status_t status{};
  check(mpi.test(&endingRequest, &status), rank());
  if (status.is_done)
    throw RankLost(std::string(ending.data(), size_t(status.bytes)));
}

/// A rank that is killed is its launcher's business: that ends all others.
void MpiComm::hear(const std::vector<int> &, const std::string &what) {
  topic = what;
  hearEnding();
}

std::vector<int> MpiComm::wanted() const {
  std::vector<int> ranks;
  for (const Lane &lane : lanes)
    if (lane.isWanted())
      ranks.push_back(lane.rank);
  return ranks;
}

void MpiComm::abort(const std::string &cause) noexcept {
  hasFailed = true;
  try {
    const std::string &text = kept(cause.substr(0, mostOfCause));
    std::vector<gnn_mpi_request_t> requests;
    for (const Lane &lane : lanes)
      if (gnn_mpi_request_t request = 0;
          lane.rank != rank() && mpi.send(GNN_MPI_ENDINGS, lane.rank, 0, text.data(), int(text.size()), &request) == 0)
        requests.push_back(request);
    for (Deadline deadline(farewell); !requests.empty() && !deadline.hasPassed(); deadline.look()) {
      requests.erase(std::remove_if(requests.begin(), requests.end(),
                                    [&](gnn_mpi_request_t &request) {
                                      gnn_mpi_status_t status{};
                                      return mpi.test(&request, &status) != 0 || status.is_done;
                                    }),
                     requests.end());
      std::this_thread::sleep_for(nap);
    }
  } catch (...) { // then they find it out as their launcher ends them
  }
}

} // namespace gnn::train_tool
