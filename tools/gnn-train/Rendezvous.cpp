//===- Rendezvous.cpp - How ranks find each other -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Rendezvous.h"

#include "runtime/src/core/Guard.h"

#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace gnn::train_tool {

using namespace rt;

namespace {

constexpr char word[8] = {'g', 'n', 'n', 'r', 'a', 'n', 'k', '1'};
/// A connection that says nothing at all is none of ours.
constexpr std::chrono::milliseconds ofHello(5000);
constexpr std::chrono::milliseconds betweenTries(200);
/// A machine that is gone is noticed in nine seconds.
constexpr int idleSeconds = 3, probeSeconds = 2, probes = 3, unansweredMilliseconds = 9000;

struct Hello {
  char magic[8];
  int32_t rank, size;
  uint32_t port; // where this rank listens
};
struct Answer {
  uint32_t bytes; // of what follows
  uint32_t isRefusal;
};
struct Address {
  sockaddr_storage where{};
  socklen_t length = sizeof where;

  sockaddr *get() { return reinterpret_cast<sockaddr *>(&where); }
  in_port_t &port() {
    return where.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6 &>(where).sin6_port
                                       : reinterpret_cast<sockaddr_in &>(where).sin_port;
  }
  bool isLoopback() const {
    return where.ss_family == AF_INET6
               ? IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6 &>(where).sin6_addr)
               : ntohl(reinterpret_cast<const sockaddr_in &>(where).sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  }
  /// A socket for both has IPv4's addresses as such of IPv6, which machines without IPv6 can't connect to.
  void unmap() {
    const auto six = reinterpret_cast<const sockaddr_in6 &>(where);
    if (where.ss_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&six.sin6_addr))
      return;
    where = {};
    auto &four = reinterpret_cast<sockaddr_in &>(where);
    four.sin_family = AF_INET;
    four.sin_port = six.sin6_port;
    std::memcpy(&four.sin_addr, six.sin6_addr.s6_addr + 12, sizeof four.sin_addr);
    length = sizeof four;
  }
};

std::string textOf(const Place &place) { return place.host + ":" + place.port; }

/// Waits for events; whether there are any before the deadline.
bool await(int fd, short events, Deadline &deadline) {
  for (pollfd descriptor{fd, events, 0}; !deadline.hasPassed();)
    if (deadline.poll(&descriptor, 1) > 0)
      return true;
  return false;
}

bool sendAll(int fd, const void *from, size_t bytes, Deadline deadline) {
  for (auto *at = static_cast<const char *>(from); bytes > 0;) {
    const ssize_t done = send(fd, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (!await(fd, POLLOUT, deadline))
        return false;
      continue;
    }
    if (done < 0)
      return false;
    at += done;
    bytes -= size_t(done);
  }
  return true;
}

bool receiveAll(int fd, void *to, size_t bytes, Deadline &deadline) {
  for (auto *at = static_cast<char *>(to); bytes > 0;) {
    const ssize_t done = recv(fd, at, bytes, MSG_DONTWAIT);
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) {
      if (!await(fd, POLLIN, deadline))
        return false;
      continue;
    }
    if (done <= 0)
      return false;
    at += done;
    bytes -= size_t(done);
  }
  return true;
}

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

/// Null as the host is all addresses of this machine.
Addresses lookUp(const Place &place, const char *host, int flags) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  const int error = getaddrinfo(host, place.port.c_str(), &hints, &found);
  require(error == 0, GNN_ERROR_IO, "cannot find ", textOf(place), ": ", gai_strerror(error));
  return {found, freeaddrinfo};
}

/// For small messages at once, and so that a machine that is gone ends the connection.
void prepare(int fd) {
  auto set = [fd](int level, int option, int value) { setsockopt(fd, level, option, &value, sizeof value); };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, idleSeconds);
  set(IPPROTO_TCP, TCP_KEEPINTVL, probeSeconds);
  set(IPPROTO_TCP, TCP_KEEPCNT, probes);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, unansweredMilliseconds);
}

Socket listenAt(sockaddr *address, socklen_t length, int backlog) {
  Socket socket(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1, no = 0;
  if (socket && address->sa_family == AF_INET6) // IPv4 as well, at the address of all
    setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  if (!socket || setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(socket.get(), address, length) != 0 || listen(socket.get(), backlog) != 0)
    return {};
  return socket;
}

bool isName(const std::string &host) {
  in_addr address;
  return host.find(':') == std::string::npos && inet_aton(host.c_str(), &address) == 0;
}

/// At an address where it is given as one. A name may be that of a loopback address on its own machine (Debian's
/// /etc/hosts), where ranks of others do not come: then at all addresses.
Socket listenAt(const Place &place, int backlog) {
  const Addresses found = lookUp(place, isName(place.host) ? nullptr : place.host.c_str(), AI_PASSIVE);
  for (bool isForBoth : {true, false})
    for (const addrinfo *info = found.get(); info; info = info->ai_next)
      if ((info->ai_family == AF_INET6) == isForBoth)
        if (Socket socket = listenAt(info->ai_addr, info->ai_addrlen, backlog))
          return socket;
  fail(GNN_ERROR_IO, "rank 0 cannot listen at ", textOf(place), ": ", std::strerror(errno));
}

/// None, and errno, if nobody is there.
Socket tryToConnect(const sockaddr *address, socklen_t length, Deadline &deadline) {
  Socket socket(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket)
    return {};
  if (connect(socket.get(), address, length) != 0) {
    int error = errno;
    socklen_t bytes = sizeof error;
    if (error == EINPROGRESS)
      error = !await(socket.get(), POLLOUT, deadline)                               ? ETIMEDOUT
              : getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &bytes) == 0 ? error
                                                                                    : errno;
    if (error != 0) {
      errno = error;
      return {};
    }
  }
  prepare(socket.get());
  return socket;
}

Socket connectToFirst(const Place &place, Deadline deadline) {
  const Addresses found = lookUp(place, place.host.c_str(), 0);
  int error = 0;
  while (!deadline.hasPassed()) {
    for (const addrinfo *info = found.get(); info; info = info->ai_next)
      if (Socket socket = tryToConnect(info->ai_addr, info->ai_addrlen, deadline))
        return socket;
    error = errno;
    deadline.poll(nullptr, 0, betweenTries);
  }
  fail(GNN_ERROR_IO, "rank 0 is not at ", textOf(place), ": ", std::strerror(error));
}

/// A rank that has connected, and from where. None if it is no rank, or does not come before the deadline.
struct Guest {
  Socket socket;
  Hello hello{};
  Address address;
};
Guest acceptAt(const Socket &listening, Deadline &deadline) {
  Guest guest;
  if (!await(listening.get(), POLLIN, deadline))
    return guest;
  Socket socket(accept4(listening.get(), guest.address.get(), &guest.address.length, SOCK_CLOEXEC));
  Deadline toSpeak(ofHello);
  if (!socket || !receiveAll(socket.get(), &guest.hello, sizeof guest.hello, toSpeak) ||
      std::memcmp(guest.hello.magic, word, sizeof word) != 0)
    return guest;
  prepare(socket.get());
  guest.address.unmap();
  guest.socket = std::move(socket);
  return guest;
}

std::string missing(const std::vector<Socket> &sockets, int rank) {
  std::string names;
  for (size_t other = 0; other < sockets.size(); ++other)
    if (!sockets[other] && int(other) != rank)
      names += (names.empty() ? "rank " : ", rank ") + std::to_string(other);
  return names;
}

void refuse(const Socket &socket, const std::string &why) {
  const Answer answer{uint32_t(why.size()), 1};
  if (sendAll(socket.get(), &answer, sizeof answer, Deadline(ofHello)))
    sendAll(socket.get(), why.data(), why.size(), Deadline(ofHello));
}

/// Ranks connect to those before them, so one of another machine must not be told to do so within itself.
void requireReachable(const Place &place, const std::vector<Socket> &sockets, const std::vector<Address> &addresses) {
  size_t inside = 1;
  while (inside < addresses.size() && !addresses[inside].isLoopback())
    ++inside;
  for (size_t other = inside + 1; other < addresses.size(); ++other) {
    if (addresses[other].isLoopback())
      continue;
    const std::string why = "rank " + std::to_string(inside) + " came to rank 0 by a loopback address, where rank " +
                            std::to_string(other) + " of another machine can't reach it: in place of '" + place.host +
                            "' give rank " + std::to_string(inside) + " the address of its machine in the network";
    for (size_t rank = 1; rank < sockets.size(); ++rank)
      refuse(sockets[rank], why);
    fail(GNN_ERROR_MISMATCH, why);
  }
}

std::vector<Socket> receiveAllRanks(const Place &place, int size, Deadline deadline) {
  const Socket listening = listenAt(place, size);
  std::vector<Socket> sockets(static_cast<size_t>(size));
  std::vector<Address> addresses(static_cast<size_t>(size));
  for (int have = 1; have < size;) {
    Guest guest = acceptAt(listening, deadline);
    require(!deadline.hasPassed(), GNN_ERROR_IO, missing(sockets, 0), " did not come to ", textOf(place));
    if (!guest.socket)
      continue;
    const Hello &hello = guest.hello;
    if (hello.size != size || hello.rank <= 0 || hello.rank >= size || sockets[size_t(hello.rank)]) {
      refuse(guest.socket, hello.size != size
                               ? "rank 0 has --ranks " + std::to_string(size) + ", and rank " +
                                     std::to_string(hello.rank) + " has --ranks " + std::to_string(hello.size)
                               : "there is a rank " + std::to_string(hello.rank) + " already");
      continue;
    }
    guest.address.port() = htons(uint16_t(hello.port));
    addresses[size_t(hello.rank)] = guest.address;
    sockets[size_t(hello.rank)] = std::move(guest.socket);
    ++have;
  }
  requireReachable(place, sockets, addresses);
  const Answer answer{uint32_t(addresses.size() * sizeof(Address)), 0};
  for (int other = 1; other < size; ++other)
    require(sendAll(sockets[size_t(other)].get(), &answer, sizeof answer, deadline) &&
                sendAll(sockets[size_t(other)].get(), addresses.data(), answer.bytes, deadline),
            GNN_ERROR_IO, "rank ", other, " came to ", textOf(place), " and is gone");
  return sockets;
}

/// Ranks connect to those before them.
std::vector<Socket> joinRanks(const Place &place, int rank, int size, Deadline deadline) {
  std::vector<Socket> sockets(static_cast<size_t>(size));
  sockets[0] = connectToFirst(place, deadline);
  Address own;
  require(getsockname(sockets[0].get(), own.get(), &own.length) == 0, GNN_ERROR_IO,
          "getsockname: ", std::strerror(errno));
  own.port() = 0;
  const Socket listening = listenAt(own.get(), own.length, size);
  require(bool(listening) && getsockname(listening.get(), own.get(), &own.length) == 0, GNN_ERROR_IO, "rank ", rank,
          " cannot listen: ", std::strerror(errno));
  Hello hello{{}, rank, size, ntohs(own.port())};
  std::memcpy(hello.magic, word, sizeof word);
  Answer answer{};
  require(sendAll(sockets[0].get(), &hello, sizeof hello, deadline) &&
              receiveAll(sockets[0].get(), &answer, sizeof answer, deadline),
          GNN_ERROR_IO, "rank 0 at ", textOf(place), " has ended, or not all ranks came to it");
  std::vector<Address> addresses(static_cast<size_t>(size));
  std::string why(answer.isRefusal ? answer.bytes : 0, '\0');
  require(receiveAll(sockets[0].get(), answer.isRefusal ? static_cast<void *>(why.data()) : addresses.data(),
                     answer.isRefusal ? why.size() : addresses.size() * sizeof(Address), deadline),
          GNN_ERROR_IO, "rank 0 at ", textOf(place), " has ended");
  require(!answer.isRefusal, GNN_ERROR_MISMATCH, why);
  for (int other = 1; other < rank; ++other) {
    Address &there = addresses[size_t(other)];
    sockets[size_t(other)] = tryToConnect(there.get(), there.length, deadline);
    require(sockets[size_t(other)] && sendAll(sockets[size_t(other)].get(), &hello, sizeof hello, deadline),
            GNN_ERROR_IO, "rank ", rank, " cannot reach rank ", other, ": ", std::strerror(errno));
  }
  for (int have = rank + 1; have < size;) {
    Guest guest = acceptAt(listening, deadline);
    require(!deadline.hasPassed(), GNN_ERROR_IO, missing(sockets, rank), " did not come to rank ", rank);
    const int other = guest.hello.rank;
    if (!guest.socket || guest.hello.size != size || other <= rank || other >= size || sockets[size_t(other)])
      continue;
    sockets[size_t(other)] = std::move(guest.socket);
    ++have;
  }
  return sockets;
}

} // namespace

Place Place::parse(const std::string &text) {
  const size_t colon = text.rfind(':');
  require(colon != std::string::npos && colon > 0 && colon + 1 < text.size(), GNN_ERROR_ARGUMENT, "'", text,
          "' is no place: expected host:port");
  Place place{text.substr(0, colon), text.substr(colon + 1)};
  unsigned port = 0;
  const char *const last = place.port.data() + place.port.size();
  const auto [end, error] = std::from_chars(place.port.data(), last, port);
  require(error == std::errc() && end == last && port >= 1 && port <= UINT16_MAX, GNN_ERROR_ARGUMENT, "'", text,
          "': expected a port from 1 to ", UINT16_MAX, ", not ", place.port);
  if (place.host.front() == '[' && place.host.back() == ']')
    place.host = place.host.substr(1, place.host.size() - 2);
  return place;
}

std::vector<Socket> connectRanks(const Place &place, int rank, int size, std::chrono::milliseconds most) {
  return rank == 0 ? receiveAllRanks(place, size, Deadline(most)) : joinRanks(place, rank, size, Deadline(most));
}

} // namespace gnn::train_tool
