//===- NcclExchange.cpp - Between GPUs, by NCCL ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/NcclExchange.h"

#include "runtime/src/comm/Socket.h"
#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <dlfcn.h>
#include <sched.h>
#include <set>
#include <thread>
#include <utility>

namespace gnn::rt {

namespace nccl {

namespace {

constexpr const char *libraryName = "libnccl.so.2";
/// 2.14, the first whose functions need not wait.
constexpr int leastVersion = 21400;

std::string versionText(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

template <class Member> void find(void *opened, const char *symbol, Member &member) {
  member = reinterpret_cast<Member>(dlsym(opened, symbol));
  require(member != nullptr, GNN_ERROR_DEVICE, libraryName, " is too old: it has no ", symbol,
          "; NCCL 2.14 or newer is needed");
}

Library open() {
  void *opened = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL); // stays open: its threads run in it
  const char *why = opened ? nullptr : dlerror();
  require(opened, GNN_ERROR_DEVICE, "no NCCL: ", why ? why : libraryName);
  Library library{};
  find(opened, "ncclGetVersion", library.getVersion);
  require(library.getVersion(&library.version) == success && library.version >= leastVersion, GNN_ERROR_DEVICE,
          libraryName, " is too old: it is NCCL ", versionText(library.version), "; 2.14 or newer is needed");
#define GNN_NCCL_FIND(member, symbol, parameters) find(opened, #symbol, library.member);
  GNN_NCCL_FUNCTIONS(GNN_NCCL_FIND)
#undef GNN_NCCL_FIND
  find(opened, "ncclGetErrorString", library.errorString);
  return library;
}

} // namespace

const Library &Library::get() {
  static const Library library = open(); // where that throws it is tried again
  return library;
}

} // namespace nccl

namespace {

/// In which all ranks connect, unless they wait for each other for less.
constexpr std::chrono::seconds mostToConnect(30);
/// In which ranks that end tell why.
constexpr std::chrono::seconds farewell(2);
/// Questions with nothing done before this process sleeps in between.
constexpr int mostYields = 500;
constexpr std::chrono::microseconds nap(100);
constexpr char connecting[] = "NCCL to connect the GPUs of all ranks";

/// What one rank can't do, none does: each throws RanksDiffer with what the first of those says.
template <class Work> void inAll(Comm &comm, const std::string &what, Work work) {
  std::string mine;
  try {
    work();
  } catch (const RankLost &) {
    throw;
  } catch (const Error &error) {
    mine = error.what();
  }
  const std::vector<std::string> all = comm.gather(mine, what);
  for (size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].empty())
      throw RanksDiffer("rank " + std::to_string(rank) + ": " + all[rank]);
}

/// False: not in that time.
template <class IsDone, class Hear> bool await(std::chrono::milliseconds patience, IsDone isDone, Hear hear) {
  Deadline deadline(patience);
  for (int numIdle = 0; !isDone(); ++numIdle) {
    hear();
    deadline.look();
    if (deadline.hasPassed())
      return false;
    if (numIdle < mostYields)
      sched_yield();
    else
      std::this_thread::sleep_for(nap);
  }
  return true;
}

/// Waits as above, but throws RankLost if one of `ranks` has ended and the bytes that it sent before do not arrive. A
/// rank ends as soon as its own last exchange is over; its bytes may still be on their way to others.
template <class IsDone>
bool await(Comm &comm, std::chrono::milliseconds patience, const std::vector<int> &ranks, const std::string &what,
           IsDone isDone) {
  try {
    return await(patience, isDone, [&] { comm.hear(ranks, what); });
  } catch (const RankLost &) {
    try {
      if (await(farewell, isDone, [] {}))
        return true;
    } catch (const Error &) { // the library noticed, too, that a rank is gone
    }
    throw;
  }
}

/// With which there is something to exchange.
std::vector<int> ranksOf(const std::vector<Exchange::Send> &sends, const std::vector<Exchange::Receive> &receives) {
  std::set<int> ranks;
  for (const Exchange::Send &send : sends)
    if (!send.bytes.empty())
      ranks.insert(send.to);
  for (const Exchange::Receive &receive : receives)
    if (!receive.bytes.empty())
      ranks.insert(receive.from);
  return {ranks.begin(), ranks.end()};
}

std::vector<int> othersOf(const Comm &comm) {
  std::vector<int> ranks;
  for (int rank = 0; rank < comm.size(); ++rank)
    if (rank != comm.rank())
      ranks.push_back(rank);
  return ranks;
}

} // namespace

std::unique_ptr<NcclExchange> NcclExchange::open(Comm &comm, const std::shared_ptr<Device> &device) {
  const nccl::Library *library = nullptr;
  inAll(comm, "which NCCL there is", [&] {
    require(!device->api().isOnPaper, GNN_ERROR_DEVICE, "no NCCL: its device is on paper");
    library = &nccl::Library::get();
  });
  std::unique_ptr<NcclExchange> made(new NcclExchange(comm, device, *library));
  comm.agree({{"NCCL", made->name()}});
  nccl::UniqueId id{};
  inAll(comm, "the name of what NCCL connects", [&] {
    if (comm.rank() == 0)
      made->check(library->getUniqueId(&id));
  });
  comm.broadcast(Span<char>(id.bytes, sizeof id.bytes), "the name of what NCCL connects");
  inAll(comm, connecting, [&] { made->connect(id); });
  inAll(comm, connecting, [&] { made->sendToAll(); });
  return made;
}

NcclExchange::NcclExchange(Comm &ranks, std::shared_ptr<Device> used, const nccl::Library &found)
    : Exchange(ranks.rank(), ranks.size()), comm(ranks), device(std::move(used)), library(found),
      fullName("NCCL " + nccl::versionText(library.version)),
      functionName(device->addFunctionName("an exchange by " + fullName)) {
  Device::Scope scope(*device);
  done = device->createEvent();
}

NcclExchange::~NcclExchange() {
  leave();
  Device::Scope scope(*device);
  device->destroy(done);
}

/// Waits for nobody, unlike a destruction: all that was asked for is done, or never will be.
void NcclExchange::leave() noexcept {
  Device::Scope scope(*device);
  if (communicator)
    library.abort(std::exchange(communicator, nullptr));
}

void NcclExchange::check(nccl::Status status) const {
  require(status == nccl::success || status == nccl::inProgress, GNN_ERROR_DEVICE, device->label(), ": ", fullName,
          " failed: ", library.errorString(status));
}

/// Whether the library has passed on to the device what it was asked for last.
bool NcclExchange::isAsked() {
  nccl::Status status = nccl::success;
  check(library.asyncError(communicator, &status));
  check(status);
  return status != nccl::inProgress;
}

/// A rank that can't leaves at once, so that the others need not wait for it.
void NcclExchange::connect(const nccl::UniqueId &id) try {
  nccl::Config config;
  {
    Device::Scope scope(*device); // the library takes the GPU whose context it is
    check(library.connect(&communicator, size(), id, rank(), &config));
  }
  const auto patience = std::min<std::chrono::milliseconds>(comm.patience(), mostToConnect);
  require(await(comm, patience, othersOf(comm), connecting, [&] { return isAsked(); }), GNN_ERROR_DEVICE, fullName,
          " has not connected the GPUs of all ranks in ", double(patience.count()) / 1000, " seconds");
} catch (const Error &) {
  leave();
  throw;
}

/// The library makes a connection when it is first used.
void NcclExchange::sendToAll() try {
  DeviceArray memory;
  {
    Device::Scope scope(*device);
    memory = device->allocate(size_t(size()));
  }
  auto *bytes = reinterpret_cast<char *>(memory.address());
  std::vector<Send> sends;
  std::vector<Receive> receives;
  for (int other : othersOf(comm)) {
    sends.push_back({other, {bytes + rank(), 1}});
    receives.push_back({other, {bytes + other, 1}});
  }
  const auto patience = std::min<std::chrono::milliseconds>(comm.patience(), mostToConnect);
  require(exchangeWithin(patience, sends, receives, connecting), GNN_ERROR_DEVICE, fullName,
          " has not sent a byte between the GPUs of all ranks in ", double(patience.count()) / 1000, " seconds");
  moved = {};
} catch (const Error &) {
  leave();
  throw;
}

void NcclExchange::ask(const std::vector<Send> &sends, const std::vector<Receive> &receives) {
  Device::Scope scope(*device);
  device->announce(functionName, isFirst);
  isFirst = false;
  check(library.groupStart());
  for (const Send &send : sends)
    if (!send.bytes.empty())
      check(library.send(send.bytes.data(), send.bytes.size(), nccl::typeByte, send.to, communicator,
                         device->workStream()));
  for (const Receive &receive : receives)
    if (!receive.bytes.empty())
      check(library.receive(receive.bytes.data(), receive.bytes.size(), nccl::typeByte, receive.from, communicator,
                            device->workStream()));
  check(library.groupEnd());
}

/// False: not in that time.
bool NcclExchange::exchangeWithin(std::chrono::milliseconds patience, const std::vector<Send> &sends,
                                  const std::vector<Receive> &receives, const std::string &what) {
  const std::vector<int> with = ranksOf(sends, receives);
  if (with.empty())
    return true;
  require(communicator, GNN_ERROR_DEVICE, device->label(), ": ", fullName, " has failed before");
  ask(sends, receives);
  bool isRecorded = false;
  auto isDone = [&] {
    if (!isAsked())
      return false;
    Device::Scope scope(*device);
    if (!std::exchange(isRecorded, true))
      device->record(done);
    return device->isOver(done);
  };
  if (!await(comm, patience, with, what, isDone))
    return false;
  for (const Send &send : sends)
    moved.sent += send.bytes.size();
  for (const Receive &receive : receives)
    moved.received += receive.bytes.size();
  return true;
}

void NcclExchange::exchange(const std::vector<Send> &sends, const std::vector<Receive> &receives,
                            const std::string &what) {
  try {
    if (exchangeWithin(comm.patience(), sends, receives, what))
      return;
    leave();
  } catch (const RankLost &) {
    leave();
    throw;
  } catch (const Error &) { // perhaps as another rank has ended, which says why
    leave();
    await(
        farewell, [] { return false; }, [&] { comm.hear(othersOf(comm), what); });
    throw;
  }
  comm.fallSilent(ranksOf(sends, receives), what);
}

} // namespace gnn::rt
