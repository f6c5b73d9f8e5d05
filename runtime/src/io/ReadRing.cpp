//===- ReadRing.cpp - Reads that are under way together -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/ReadRing.h"

#ifdef GNN_HAS_IO_URING

#include <cerrno>
#include <fcntl.h>
#include <liburing.h>
#include <optional>
#include <unistd.h>

namespace gnn::rt {

namespace {

constexpr unsigned depth = 64; // more gain little on any disk that was measured
/// Larger ones are no scattered reads, and the system reads ahead for them.
constexpr size_t mostBytes = size_t(1) << 20;

/// Of one thread.
class Ring {
public:
  Ring() : owner(::getpid()) {
    // Completions are looked at by the thread that waits for them: without that (before Linux 6.1) it is interrupted
    // for each, and reads of half the depth are under way.
    isOpen = ::io_uring_queue_init(depth, &ring, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN) == 0 ||
             ::io_uring_queue_init(depth, &ring, 0) == 0;
    if (!isOpen)
      return;
    io_uring_probe *known = ::io_uring_get_probe_ring(&ring);
    if (!known || !::io_uring_opcode_supported(known, IORING_OP_READ)) // before Linux 5.6
      close();
    if (known)
      ::io_uring_free_probe(known);
  }
  ~Ring() {
    if (isOpen)
      close();
  }
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;

  /// Not in a process that was forked since: it shares the memory of the ring.
  bool isUsable() const { return isOpen && owner == ::getpid(); }
  std::vector<bool> read(int file, Span<const WantedPiece> pieces);

private:
  void close() {
    ::io_uring_queue_exit(&ring);
    isOpen = false;
  }
  bool submit(unsigned &asked, unsigned &underWay);

  io_uring ring;
  const pid_t owner;
  bool isOpen = false;
};

/// Gives the system what was asked for, and waits for one of those that are under way. False: it takes no more.
bool Ring::submit(unsigned &asked, unsigned &underWay) {
  const int taken = ::io_uring_submit_and_wait(&ring, 1);
  if (taken >= 0) {
    asked -= unsigned(taken);
    underWay += unsigned(taken);
    return true;
  }
  return taken == -EINTR || ((taken == -EAGAIN || taken == -EBUSY) && underWay > 0);
}

/// Returns when nothing writes to memory of the pieces any more, whatever fails.
std::vector<bool> Ring::read(int file, Span<const WantedPiece> pieces) {
  std::vector<bool> isThere(pieces.size(), false);
  unsigned asked = 0, underWay = 0;
  bool goesOn = true;
  for (size_t next = 0; underWay > 0 || (goesOn && (asked > 0 || next < pieces.size()));) {
    for (; goesOn && asked + underWay < depth && next < pieces.size(); ++next) {
      const WantedPiece &piece = pieces[next];
      if (piece.bytes > mostBytes)
        continue;
      io_uring_sqe *entry = ::io_uring_get_sqe(&ring); // there is one: they are as many as the depth
      ::io_uring_prep_read(entry, file, piece.to, unsigned(piece.bytes), piece.at);
      ::io_uring_sqe_set_data64(entry, next);
      ++asked;
    }
    if (goesOn && asked + underWay > 0)
      goesOn = submit(asked, underWay);
    else if (io_uring_cqe *first = nullptr; underWay > 0)
      (void)::io_uring_wait_cqe(&ring, &first);
    io_uring_cqe *done;
    unsigned head, count = 0;
    io_uring_for_each_cqe(&ring, head, done) {
      const size_t i = size_t(::io_uring_cqe_get_data64(done));
      isThere[i] = done->res >= 0 && size_t(done->res) == pieces[i].bytes;
      ++count;
    }
    ::io_uring_cq_advance(&ring, count);
    underWay -= count;
  }
  if (!goesOn)
    close(); // entries are left in it
  return isThere;
}

Ring *ringOfThread() {
  thread_local std::optional<Ring> ring;
  if (!ring)
    ring.emplace();
  return ring->isUsable() ? &*ring : nullptr;
}

} // namespace

bool canReadInRings() {
  static const bool can = Ring().isUsable();
  return can;
}

/// Pieces that lie not far from each other look as if the file was read from one end to the other, and the system would
/// read ahead what nobody asks for: several times as much.
std::vector<bool> readInRing(int file, Span<const WantedPiece> pieces) {
  Ring *ring = canReadInRings() ? ringOfThread() : nullptr;
  if (!ring)
    return std::vector<bool>(pieces.size(), false);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
  std::vector<bool> isThere = ring->read(file, pieces);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_NORMAL); // others may go through the same file
  return isThere;
}

} // namespace gnn::rt

#else

bool gnn::rt::canReadInRings() { return false; }

std::vector<bool> gnn::rt::readInRing(int, Span<const WantedPiece> pieces) {
  return std::vector<bool>(pieces.size(), false);
}

#endif
