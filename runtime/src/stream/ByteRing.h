//===- ByteRing.h - Memory that pieces come to ahead of their use *- C++ -*-=//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ring of bytes for data that are freed in the order in which they were allocated, such as rows and edges that are
// loaded while steps go over earlier ones. Memory of the oldest piece is reused first.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_BYTERING_H
#define GNN_STREAM_BYTERING_H

#include "runtime/src/core/Buffer.h"

#include <cassert>
#include <cstdint>
#include <deque>

namespace gnn::rt {

/// Maximum number of pieces in flight if pieces are short: more gain nothing, and each has tickets.
constexpr unsigned mostPieces = 64;

/// How much memory there is, and how many pieces it has room for.
struct RingSize {
  size_t most = 0;       // bytes of the largest piece
  unsigned pieces = 1;   // of which it has room for so many
  size_t ahead = 0;      // and for so many bytes more
  bool keepsLast = true; // the last piece must stay where it is while the next one comes

  size_t bytes() const { return pieces * most + ahead; }
  /// Bytes that are needed to keep the last of several contiguous pieces, wherever it lies.
  size_t bytesToPack() const { return keepsLast ? 3 * most : most; }
  /// Whether they lie so, however short they are; else each has as much room as the largest.
  bool isPacked() const { return bytes() >= bytesToPack() && (ahead > 0 || !keepsLast); }
};

/// `Piece` is what is known of one: made without arguments, and it stays at its place until it ends.
template <class Piece> class ByteRing {
public:
  ByteRing() = default;
  explicit ByteRing(const RingSize &ring)
      : size(ring.bytes()), ofEach(ring.isPacked() ? 0 : ring.most), most(ring.isPacked() ? mostPieces : ring.pieces) {}

  /// A place for so many bytes, `at` them from the begin of the ring. `end` is called before with each piece whose
  /// memory it takes, the oldest first; then they are gone.
  template <class End> Piece &take(size_t bytes, size_t &at, const End &end) {
    bytes = ofEach > 0 ? ofEach : wholeLines(bytes);
    assert(bytes <= size && "a ring has room for the largest piece");
    if (size > 0 && next % size + bytes > size)
      next += size - next % size; // no piece lies around the end
    while (!pieces.empty() && (pieces.size() >= most || pieces.front().begin + size < next + bytes)) {
      end(pieces.front().piece);
      pieces.pop_front();
    }
    pieces.emplace_back();
    pieces.back().begin = next;
    at = size > 0 ? size_t(next % size) : 0;
    next += bytes;
    return pieces.back().piece;
  }

  /// The last of the pieces that have not ended.
  Piece &last() { return pieces.back().piece; }
  template <class Body> void forAll(const Body &body) {
    for (Taken &taken : pieces)
      body(taken.piece);
  }
  /// Where nobody uses any of it: what comes next lies at the begin.
  void clear() {
    pieces.clear();
    next = 0;
  }

private:
  struct Taken {
    uint64_t begin; // of all bytes that ever were taken, and were passed over
    Piece piece;
  };
  size_t size = 0, ofEach = 0, most = 1;
  uint64_t next = 0;
  std::deque<Taken> pieces;
};

} // namespace gnn::rt

#endif // GNN_STREAM_BYTERING_H
