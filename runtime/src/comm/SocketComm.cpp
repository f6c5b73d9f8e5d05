//===- SocketComm.cpp - Ranks that are connected by sockets ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/comm/SocketComm.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace gnn::rt {

namespace {

constexpr size_t mostOfFrame = 256 << 10;
constexpr size_t mostOfCause = 64 << 10;
constexpr uint32_t data = 0x676e6464, ending = 0x676e6465; // kinds of frames
/// To tell the others why this rank ends.
constexpr std::chrono::milliseconds farewell(1000);

/// FNV-1a.
uint32_t tagOf(const std::string &text) {
  uint32_t tag = 2166136261u;
  for (unsigned char c : text)
    tag = (tag ^ c) * 16777619u;
  return tag;
}

bool isTryAgain(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

} // namespace

struct SocketComm::Lane {
  Socket socket;
  int rank = 0;
  bool isClosed = false; // by the other rank, when nothing was expected of it

  std::vector<Span<const char>> out; // what is left to send; of the first [sent, ...)
  size_t sent = 0, numOut = 0;
  Header outFrame{};
  size_t outHeaderAt = 0, outLeft = 0; // of the frame under way

  std::vector<Span<char>> in;
  size_t received = 0, numIn = 0;
  Header inFrame{};
  size_t inHeaderAt = 0, inLeft = 0;

  std::string rest; // of the frame that was under way where an exchange failed

  bool hasOut() const { return numOut < out.size(); }
  bool hasIn() const { return numIn < in.size(); }
  /// A frame of what nothing waits for yet.
  bool isParked() const { return inHeaderAt == sizeof inFrame && !hasIn(); }
  void clear() {
    out.clear();
    in.clear();
    sent = numOut = received = numIn = 0;
  }
  /// Without what it is of, which may be gone by the time that others are told.
  void keepRest() {
    if (outLeft > 0)
      rest.assign(reinterpret_cast<const char *>(&outFrame) + outHeaderAt, sizeof outFrame - outHeaderAt)
          .append(out[numOut].data() + sent, outLeft);
    clear();
  }
  /// Whether that is done, or can't be.
  bool sendRest() {
    while (!rest.empty()) {
      const ssize_t done = ::send(socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (done < 0)
        return !isTryAgain(errno);
      rest.erase(0, size_t(done));
    }
    return true;
  }
};

SocketComm::SocketComm(int rank, std::vector<Socket> sockets, std::chrono::milliseconds most)
    : Comm(rank, int(sockets.size()), most), lanes(sockets.size()) {
  for (size_t i = 0; i < lanes.size(); ++i) {
    lanes[i].socket = std::move(sockets[i]);
    lanes[i].rank = int(i);
  }
}

SocketComm::~SocketComm() = default;

void SocketComm::exchange(const std::vector<Send> &sends, const std::vector<Receive> &receives,
                          const std::string &what) {
  topic = what;
  topicTag = tagOf(what);
  for (const Send &send : sends)
    if (!send.bytes.empty())
      lanes[size_t(send.to)].out.push_back(send.bytes);
  for (const Receive &receive : receives)
    if (!receive.bytes.empty())
      lanes[size_t(receive.from)].in.push_back(receive.bytes);
  try {
    Deadline deadline(patience());
    while (wait(deadline))
      ;
  } catch (...) {
    for (Lane &lane : lanes)
      lane.keepRest();
    throw;
  }
  for (Lane &lane : lanes)
    lane.clear();
}

std::vector<int> SocketComm::wanted() const {
  std::vector<int> ranks;
  for (const Lane &lane : lanes)
    if (lane.hasIn() || lane.hasOut())
      ranks.push_back(lane.rank);
  return ranks;
}

/// Moves what can be moved; false if there is nothing left. A rank of which nothing is wanted is listened to as well:
/// it may say that it ends.
bool SocketComm::wait(Deadline &deadline) {
  std::vector<pollfd> descriptors;
  std::vector<Lane *> polled;
  bool isDone = true;
  for (Lane &lane : lanes) {
    if (!lane.socket)
      continue;
    const bool isWanted = lane.hasOut() || lane.hasIn();
    if (lane.isClosed && isWanted)
      lost(lane);
    isDone = isDone && !isWanted;
    const auto events = short((lane.isParked() ? 0 : POLLIN) | (lane.hasOut() ? POLLOUT : 0));
    if (lane.isClosed || events == 0)
      continue;
    descriptors.push_back({lane.socket.get(), events, 0});
    polled.push_back(&lane);
  }
  if (isDone)
    return false;
  if (deadline.hasPassed())
    fallSilent(wanted(), topic);
  if (deadline.poll(descriptors.data(), descriptors.size()) == 0)
    return true;
  bool hasMoved = false;
  for (size_t i = 0; i < polled.size(); ++i)
    if (descriptors[i].revents != 0)
      hasMoved |= advance(*polled[i], descriptors[i].revents);
  if (hasMoved)
    deadline = Deadline(patience());
  return true;
}

/// Whether anything was moved. What was received comes first: it may say why nothing can be sent.
bool SocketComm::advance(Lane &lane, short events) {
  bool hasMoved = false;
  if (!lane.isParked() && (events & (POLLIN | POLLHUP | POLLERR)))
    hasMoved = receive(lane);
  if (lane.hasOut() && (events & (POLLOUT | POLLHUP | POLLERR)))
    hasMoved |= send(lane);
  return hasMoved;
}

bool SocketComm::send(Lane &lane) {
  bool hasMoved = false;
  while (lane.hasOut()) {
    const Span<const char> from = lane.out[lane.numOut];
    if (lane.outLeft == 0 && lane.outHeaderAt == 0) {
      lane.outLeft = std::min(from.size() - lane.sent, mostOfFrame);
      lane.outFrame = {data, topicTag, lane.outLeft};
    }
    iovec parts[2] = {
        {reinterpret_cast<char *>(&lane.outFrame) + lane.outHeaderAt, sizeof lane.outFrame - lane.outHeaderAt},
        {const_cast<char *>(from.data()) + lane.sent, lane.outLeft}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    const ssize_t done = sendmsg(lane.socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (done < 0 && isTryAgain(errno))
      return hasMoved;
    if (done < 0) {
      while (!lane.isParked() && !lane.isClosed && receive(lane)) // it may have said why
        ;
      lost(lane);
    }
    hasMoved = true;
    const size_t ofHeader = std::min(size_t(done), parts[0].iov_len), ofBytes = size_t(done) - ofHeader;
    lane.outHeaderAt += ofHeader;
    lane.outLeft -= ofBytes;
    lane.sent += ofBytes;
    moved.sent += ofBytes;
    if (lane.outLeft == 0)
      lane.outHeaderAt = 0;
    if (lane.sent == from.size()) {
      ++lane.numOut;
      lane.sent = 0;
    }
  }
  return hasMoved;
}

bool SocketComm::receive(Lane &lane) {
  bool hasMoved = false;
  for (;;) {
    const bool isHeader = lane.inHeaderAt < sizeof lane.inFrame;
    if (!isHeader && !lane.hasIn())
      return hasMoved; // parked
    char *to = isHeader ? reinterpret_cast<char *>(&lane.inFrame) + lane.inHeaderAt
                        : lane.in[lane.numIn].data() + lane.received;
    if (!isHeader && lane.inLeft == 0) {
      requireFrame(lane);
      lane.inLeft = lane.inFrame.bytes;
    }
    const ssize_t done =
        recv(lane.socket.get(), to, isHeader ? sizeof lane.inFrame - lane.inHeaderAt : lane.inLeft, MSG_DONTWAIT);
    if (done < 0 && isTryAgain(errno))
      return hasMoved;
    if (done <= 0) {
      lane.isClosed = true;
      if (lane.hasIn() || lane.hasOut() || lane.inHeaderAt > 0)
        lost(lane);
      return hasMoved;
    }
    hasMoved = true;
    if (isHeader) {
      lane.inHeaderAt += size_t(done);
      if (lane.inHeaderAt == sizeof lane.inFrame && lane.inFrame.kind == ending)
        readAbort(lane);
      continue;
    }
    lane.inLeft -= size_t(done);
    lane.received += size_t(done);
    moved.received += uint64_t(done);
    if (lane.inLeft == 0)
      lane.inHeaderAt = 0;
    if (lane.received == lane.in[lane.numIn].size()) {
      ++lane.numIn;
      lane.received = 0;
    }
    if (!lane.hasIn() && lane.inHeaderAt == 0)
      return hasMoved; // what else there is belongs to later
  }
}

/// Ranks that do not do the same would take one table for another.
void SocketComm::requireFrame(const Lane &lane) const {
  const Header &frame = lane.inFrame;
  require(frame.kind == data && frame.tag == topicTag && frame.bytes > 0 &&
              frame.bytes <= lane.in[lane.numIn].size() - lane.received,
          GNN_ERROR_INTERNAL, "rank ", lane.rank, " is not where rank ", rank(), " is: it sent something else than ",
          topic);
}

void SocketComm::readAbort(Lane &lane) {
  std::string cause(std::min(size_t(lane.inFrame.bytes), mostOfCause), '\0');
  size_t have = 0;
  for (Deadline deadline(farewell); have < cause.size() && !deadline.hasPassed();) {
    pollfd descriptor{lane.socket.get(), POLLIN, 0};
    if (deadline.poll(&descriptor, 1) == 0)
      continue;
    const ssize_t done = recv(lane.socket.get(), cause.data() + have, cause.size() - have, MSG_DONTWAIT);
    if (done == 0 || (done < 0 && !isTryAgain(errno)))
      break;
    have += size_t(std::max<ssize_t>(done, 0));
  }
  cause.resize(have);
  throw RankLost(cause);
}

void SocketComm::lost(const Lane &lane) const {
  throw RankLost("rank " + std::to_string(lane.rank) + " has ended while rank " + std::to_string(rank()) +
                 " waited for " + topic);
}

/// Of a rank that is further on, and has sent what comes later, no more than its end is seen.
void SocketComm::hear(const std::vector<int> &from, const std::string &what) {
  topic = what;
  for (Lane &lane : lanes) {
    pollfd descriptor{lane.socket.get(), short((lane.isParked() ? 0 : POLLIN) | POLLRDHUP), 0};
    if (!lane.socket || (!lane.isClosed && poll(&descriptor, 1, 0) <= 0))
      continue;
    if (!lane.isClosed && !lane.isParked())
      receive(lane);
    const bool hasEnded = lane.isClosed || (descriptor.revents & (POLLRDHUP | POLLHUP | POLLERR));
    if (hasEnded && std::find(from.begin(), from.end(), lane.rank) != from.end())
      lost(lane);
  }
}

void SocketComm::abort(const std::string &cause) noexcept {
  try {
    const std::string text = cause.substr(0, mostOfCause);
    const Header header{ending, 0, text.size()};
    for (Lane &lane : lanes)
      lane.rest.append(reinterpret_cast<const char *>(&header), sizeof header).append(text);
    for (Deadline deadline(farewell); !deadline.hasPassed();) {
      std::vector<pollfd> blocked;
      for (Lane &lane : lanes)
        if (lane.socket && !lane.isClosed && !lane.sendRest())
          blocked.push_back({lane.socket.get(), POLLOUT, 0});
      if (blocked.empty())
        break;
      deadline.poll(blocked.data(), blocked.size());
    }
  } catch (...) { // then they find it out by the connection's end
  }
  for (Lane &lane : lanes)
    if (lane.socket)
      shutdown(lane.socket.get(), SHUT_WR);
}

std::vector<std::vector<Socket>> pairUp(int size) {
  std::vector<std::vector<Socket>> sockets;
  for (int rank = 0; rank < size; ++rank)
    sockets.emplace_back(size_t(size));
  for (size_t one = 0; one < sockets.size(); ++one)
    for (size_t other = 0; other < one; ++other) {
      int ends[2];
      require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, GNN_ERROR_IO, "cannot connect ", size,
              " ranks: ", std::strerror(errno));
      sockets[one][other] = Socket(ends[0]);
      sockets[other][one] = Socket(ends[1]);
    }
  return sockets;
}

} // namespace gnn::rt
