//===- FakeNccl.cpp - A libnccl for machines without a GPU ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of NCCL that the runtime calls, over sockets between the processes whose memory has the emulated
// devices: in the library of the fake libcuda, which libnccl.so.2 is a link to. As with the real one nothing waits.
// Communicators connect, and what a group asks for comes to the stream, once somebody has asked for the state often
// enough. A rank that is gone is waited for, and nothing says so, as between GPUs of one machine.
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"
#include "runtime/src/cuda/NcclApi.h"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace gnn::rt::nccl;
namespace cuda = gnn::rt::cuda;

namespace {

Status refuse(const char *why) {
  std::fprintf(stderr, "fake libnccl: %s\n", why);
  return invalidArgument;
}

/// Bytes that went between ranks, by from and to, of this process.
struct Links {
  std::map<std::pair<int, int>, uint64_t> moved;
  ~Links() {
    if (fake::setting("links"))
      for (const auto &[ends, bytes] : moved)
        std::fprintf(stderr, "fake libnccl: rank %d -> rank %d: %llu bytes\n", ends.first, ends.second,
                     static_cast<unsigned long long>(bytes));
  }
} links;

/// Of one rank of one communicator: a thread moves bytes between its sockets and its memory.
class FakeCommunicator {
public:
  FakeCommunicator(std::string id, int rank, int ranks)
      : name(std::move(id)), number(rank), lanes(size_t(ranks)), thread([this] { connectAndMove(); }) {}
  ~FakeCommunicator() {
    abort();
    thread.join();
  }

  int rank() const { return number; }
  int ranks() const { return int(lanes.size()); }
  Status state() const { return status; }
  void abort() { isAborted = true; }
  bool wasAborted() const { return isAborted; }

  void send(int to, const uint8_t *bytes, size_t count) {
    const std::lock_guard lock(mutex);
    lanes[size_t(to)].out.insert(lanes[size_t(to)].out.end(), bytes, bytes + count);
    links.moved[{number, to}] += count;
  }
  /// Whether all that was sent is on its way, and so much has come of each rank.
  bool isDone(const std::vector<size_t> &expected) {
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < lanes.size(); ++i)
      if (!lanes[i].out.empty() || lanes[i].in.size() < expected[i])
        return false;
    return true;
  }
  void receive(int from, uint8_t *bytes, size_t count) {
    const std::lock_guard lock(mutex);
    std::deque<uint8_t> &in = lanes[size_t(from)].in;
    std::copy_n(in.begin(), count, bytes);
    in.erase(in.begin(), in.begin() + std::ptrdiff_t(count));
  }

private:
  struct Lane {
    int socket = -1;
    bool isGone = false;
    std::deque<uint8_t> out, in;
  };

  socklen_t addressOf(int rank, sockaddr_un &address) const {
    const std::string text = "gnn-fake-nccl-" + name + "-" + std::to_string(rank);
    address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, text.data(), text.size()); // of no file
    return socklen_t(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  }

  /// To the lower ranks; those above come.
  bool connectAll() {
    sockaddr_un address{};
    const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const socklen_t length = addressOf(number, address);
    bool isFine = bind(listening, reinterpret_cast<sockaddr *>(&address), length) == 0 && listen(listening, 64) == 0;
    for (int other = 0; other < number && isFine; ++other) {
      const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const socklen_t size = addressOf(other, address);
      while (!isAborted && connect(made, reinterpret_cast<sockaddr *>(&address), size) != 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      lanes[size_t(other)].socket = made;
      isFine = !isAborted && ::send(made, &number, sizeof number, MSG_NOSIGNAL) == ssize_t(sizeof number);
    }
    for (int more = ranks() - 1 - number; more > 0 && isFine && !isAborted;) {
      pollfd descriptor{listening, POLLIN, 0};
      int other = 0;
      const int made = poll(&descriptor, 1, 1) > 0 ? accept4(listening, nullptr, nullptr, SOCK_CLOEXEC) : -1;
      if (made < 0)
        continue;
      isFine =
          recv(made, &other, sizeof other, MSG_WAITALL) == ssize_t(sizeof other) && other > number && other < ranks();
      if (isFine)
        lanes[size_t(other)].socket = made;
      --more;
    }
    close(listening);
    return isFine;
  }

  void connectAndMove() {
    const bool isFine = connectAll() && fake::number("nccl-fails", UINT64_MAX) != uint64_t(number);
    status = isFine ? success : systemError;
    while (isFine && !isAborted)
      move();
    for (Lane &lane : lanes)
      if (lane.socket >= 0)
        close(lane.socket);
  }

  void move() {
    std::vector<pollfd> descriptors;
    {
      const std::lock_guard lock(mutex);
      for (const Lane &lane : lanes)
        descriptors.push_back({lane.isGone ? -1 : lane.socket, short(POLLIN | (lane.out.empty() ? 0 : POLLOUT)), 0});
    }
    poll(descriptors.data(), nfds_t(descriptors.size()), 1);
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < lanes.size(); ++i)
      if (descriptors[i].revents != 0)
        move(lanes[i]);
  }

  void move(Lane &lane) {
    uint8_t bytes[4096];
    const ssize_t come = recv(lane.socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (come > 0)
      lane.in.insert(lane.in.end(), bytes, bytes + come);
    lane.isGone = come == 0;
    if (lane.isGone && fake::setting("nccl-tells"))
      status = remoteError;
    const size_t count = std::min(lane.out.size(), sizeof bytes);
    std::copy_n(lane.out.begin(), count, bytes);
    const ssize_t gone = count > 0 ? ::send(lane.socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
    if (gone > 0)
      lane.out.erase(lane.out.begin(), lane.out.begin() + gone);
  }

  const std::string name;
  const int number;
  std::mutex mutex; // of the lanes, once they are connected
  std::vector<Lane> lanes;
  std::atomic<Status> status{inProgress};
  std::atomic<bool> isAborted{false};
  std::thread thread; // last: it uses the others
};

struct Ask {
  bool isSend;
  int peer;
  cuda::Address address;
  size_t bytes;
};

struct Open {
  std::shared_ptr<FakeCommunicator> made;
  std::vector<Ask> asked; // of a group, which are not on the stream yet
  cuda::Stream stream = nullptr;
  int numQuestions = 0;
  uint64_t numGroups = 0;
};

std::map<Communicator, std::unique_ptr<Open>> communicators;
int groupDepth = 0;

Open *find(Communicator communicator) {
  const auto found = communicators.find(communicator);
  return found == communicators.end() ? nullptr : found->second.get();
}

/// Whoever asks for the state need not have entered the context.
struct Entered {
  explicit Entered(cuda::Stream stream) {
    fake::entered.push_back(reinterpret_cast<fake::FakeStream *>(stream)->device);
  }
  ~Entered() { fake::entered.pop_back(); }
};

/// What a group asks for, in its turn on the stream.
Status pass(Open &open) {
  const Entered entered(open.stream);
  const std::vector<Ask> asked = std::move(open.asked);
  open.asked.clear();
  const std::shared_ptr<FakeCommunicator> with = open.made;
  const bool isStalled = fake::number("nccl-stalls", UINT64_MAX) == ++open.numGroups;
  std::vector<size_t> expected(size_t(with->ranks()), 0);
  for (const Ask &ask : asked)
    expected[size_t(ask.peer)] += ask.isSend ? 0 : ask.bytes;
  const cuda::Result begun = fake::queue(open.stream, [=] {
    for (const Ask &ask : asked)
      if (const uint8_t *memory = ask.isSend ? fake::find(ask.address, ask.bytes) : nullptr)
        with->send(ask.peer, memory, ask.bytes);
      else if (ask.isSend)
        fake::fail("memory that is sent is no more");
  });
  const cuda::Result ended = fake::queue(
      open.stream,
      [=] {
        for (const Ask &ask : asked)
          if (uint8_t *memory = ask.isSend ? nullptr : fake::find(ask.address, ask.bytes); with->wasAborted())
            return;
          else if (memory)
            with->receive(ask.peer, memory, ask.bytes);
          else if (!ask.isSend)
            fake::fail("memory that is received is no more");
      },
      [=] { return with->wasAborted() || (!isStalled && with->isDone(expected)); });
  return begun == cuda::success && ended == cuda::success ? success : Status(1);
}

Status add(bool isSend, const void *memory, size_t count, int type, int peer, Communicator communicator,
           cuda::Stream stream) {
  const fake::Alone alone;
  Open *open = find(communicator);
  const auto address = reinterpret_cast<cuda::Address>(memory);
  if (!open || open->made->state() != success)
    return refuse("a communicator is not connected");
  if (type != typeByte || peer < 0 || peer >= open->made->ranks() || peer == open->made->rank())
    return refuse("what is sent is no bytes, or to no other rank");
  if (groupDepth == 0 || (open->stream && open->stream != stream) || fake::capturing())
    return refuse("the fake sends in groups, and on one stream, that is not recorded");
  if (!fake::find(address, count))
    return refuse("what is sent or received is outside of memory");
  open->stream = stream;
  open->asked.push_back({isSend, peer, address, count});
  return success;
}

} // namespace

extern "C" {

#pragma GCC visibility push(default)
#define DECLARE(member, symbol, parameters) Status symbol parameters;
GNN_NCCL_FUNCTIONS(DECLARE)
#undef DECLARE
const char *ncclGetErrorString(Status status);
#pragma GCC visibility pop

Status ncclGetVersion(int *version) {
  *version = int(fake::number("nccl", 21903));
  return success;
}

const char *ncclGetErrorString(Status status) {
  return status == remoteError   ? "remote process exited or there was a network error"
         : status == systemError ? "unhandled system error"
                                 : "another error";
}

Status ncclGetUniqueId(UniqueId *id) {
  std::random_device random;
  *id = {};
  std::snprintf(id->bytes, sizeof id->bytes, "%08x%08x", random(), random());
  return success;
}

Status ncclCommInitRankConfig(Communicator *communicator, int ranks, UniqueId id, int rank, Config *config) {
  const fake::Alone alone;
  if (!fake::current() || rank < 0 || rank >= ranks)
    return refuse("there is no device, or no such rank");
  if (config->magic != 0xcafebeef || config->version < 21400 || config->blocking != 0)
    return refuse("functions that wait are not in the fake");
  auto open = std::make_unique<Open>();
  open->made = std::make_shared<FakeCommunicator>(id.bytes, rank, ranks);
  *communicator = reinterpret_cast<Communicator>(open.get());
  communicators[*communicator] = std::move(open);
  return inProgress;
}

/// What waits for others on a stream ends.
Status ncclCommAbort(Communicator communicator) {
  const fake::Alone alone;
  if (Open *open = find(communicator))
    open->made->abort();
  return communicators.erase(communicator) > 0 ? success : refuse("there is no such communicator");
}

Status ncclCommGetAsyncError(Communicator communicator, Status *status) {
  const fake::Alone alone;
  Open *open = find(communicator);
  if (!open)
    return refuse("there is no such communicator");
  *status = open->made->state();
  if (*status != success || open->asked.empty())
    return success;
  *status = inProgress;
  return ++open->numQuestions % 3 == 0 ? pass(*open) : success;
}

Status ncclGroupStart() {
  const fake::Alone alone;
  ++groupDepth;
  return success;
}

Status ncclGroupEnd() {
  const fake::Alone alone;
  return --groupDepth == 0 ? inProgress : success;
}

Status ncclSend(const void *from, size_t count, int type, int peer, Communicator communicator, cuda::Stream stream) {
  return add(/*isSend=*/true, from, count, type, peer, communicator, stream);
}

Status ncclRecv(void *to, size_t count, int type, int peer, Communicator communicator, cuda::Stream stream) {
  return add(/*isSend=*/false, to, count, type, peer, communicator, stream);
}

} // extern "C"
