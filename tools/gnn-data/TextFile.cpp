//===- TextFile.cpp - A text file, compressed or not ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/TextFile.h"
#include "runtime/src/core/Guard.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

/// The standard input, read once: the path of a file without a name, which ends with the process.
const std::string &standardInput() {
  static const std::string kept = [] {
    const char *named = std::getenv("TMPDIR");
    const std::string folder = named && *named ? named : "/tmp";
    std::string name = folder + "/gnn-data-XXXXXX";
    const int file = ::mkstemp(name.data());
    require(file >= 0, GNN_ERROR_IO, name, ": ", std::strerror(errno));
    ::unlink(name.c_str());
    std::vector<char> buffer(size_t(1) << 17);
    ssize_t count;
    while ((count = ::read(STDIN_FILENO, buffer.data(), buffer.size())) > 0)
      for (ssize_t written = 0; written < count;) {
        const ssize_t more = ::write(file, buffer.data() + written, size_t(count - written));
        require(more >= 0, GNN_ERROR_IO, folder, ": keeping the standard input: ", std::strerror(errno));
        written += more;
      }
    require(count == 0, GNN_ERROR_IO, "the standard input: ", std::strerror(errno));
    return "/proc/self/fd/" + std::to_string(file);
  }();
  return kept;
}

/// With a frame, or with one that is to be skipped, as pzstd writes.
bool beginsAsZstd(int file) {
  unsigned char start[4];
  if (::pread(file, start, sizeof start, 0) != ssize_t(sizeof start))
    return false;
  const uint32_t magic = start[0] | start[1] << 8 | start[2] << 16 | uint32_t(start[3]) << 24;
  return magic == ZSTD_MAGICNUMBER || (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

} // namespace

/// Frames of zstd, one behind the other.
class gnn::data_tool::ZstdFile {
public:
  ZstdFile(int opened, const std::string &path)
      : file(opened), path(path), stream(ZSTD_createDStream(), ZSTD_freeDStream), buffer(ZSTD_DStreamInSize()) {
    require(stream != nullptr, GNN_ERROR_MEMORY, path, ": memory is exhausted");
  }
  ~ZstdFile() { ::close(file); }
  ZstdFile(const ZstdFile &) = delete;
  ZstdFile &operator=(const ZstdFile &) = delete;

  size_t read(char *to, size_t size) {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0) {
      if (in.pos == in.size && !fill()) {
        require(isWhole, GNN_ERROR_DATA, path, ": ends in the middle of what zstd wrote");
        return 0;
      }
      const size_t left = ZSTD_decompressStream(stream.get(), &out, &in);
      require(ZSTD_getErrorCode(left) != ZSTD_error_frameParameter_windowTooLarge, GNN_ERROR_DATA, path,
              ": packed with a window of more than 128 MiB: 'zstd -d --long=31' unpacks it");
      require(!ZSTD_isError(left), GNN_ERROR_DATA, path, ": ", ZSTD_getErrorName(left));
      isWhole = left == 0;
    }
    return out.pos;
  }

private:
  bool fill() {
    const ssize_t count = ::read(file, buffer.data(), buffer.size());
    require(count >= 0, GNN_ERROR_IO, path, ": ", std::strerror(errno));
    in = {buffer.data(), size_t(count), 0};
    return count > 0;
  }

  const int file;
  const std::string path;
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream *)> stream;
  std::vector<char> buffer;
  ZSTD_inBuffer in{nullptr, 0, 0};
  bool isWhole = true; // no frame is begun and not ended
};

TextFile::TextFile(const std::string &path, bool isLatin1) : path(path), isLatin1(isLatin1), file(nullptr, gzclose) {
  const std::string &name = path == "-" ? standardInput() : path;
  const int opened = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO without a writer
  require(opened >= 0, GNN_ERROR_IO, path, ": ", std::strerror(errno));
  struct stat status {};
  const bool isRegular = ::fstat(opened, &status) == 0 && S_ISREG(status.st_mode);
  if (isRegular && beginsAsZstd(opened)) {
    packed = std::make_unique<ZstdFile>(opened, path);
    return;
  }
  if (isRegular)
    file.reset(gzdopen(opened, "rb"));
  if (!file)
    ::close(opened);
  require(isRegular, GNN_ERROR_IO, path, ": not a regular file, as which it can be read twice");
  require(file != nullptr, GNN_ERROR_MEMORY, path, ": memory is exhausted");
  gzbuffer(file.get(), 1 << 17);
}

TextFile::~TextFile() = default;

size_t TextFile::read(char *to, size_t size) {
  if (!isLatin1)
    return readBytes(to, size);
  if (taken == converted.size()) {
    char bytes[1 << 14];
    const size_t count = readBytes(bytes, sizeof bytes);
    converted.clear();
    taken = 0;
    for (size_t i = 0; i < count; ++i) {
      const auto code = static_cast<unsigned char>(bytes[i]);
      if (code >= 0x80)
        converted += char(0xc0 | code >> 6);
      converted += char(code < 0x80 ? code : 0x80 | (code & 0x3f));
    }
  }
  const size_t count = converted.copy(to, size, taken);
  taken += count;
  return count;
}

size_t TextFile::readBytes(char *to, size_t size) {
  if (packed)
    return packed->read(to, size);
  const int count = gzread(file.get(), to, unsigned(std::min(size, size_t(1) << 30)));
  if (count > 0)
    return size_t(count);
  int code = Z_OK;
  const char *text = gzerror(file.get(), &code);
  require(code != Z_ERRNO, GNN_ERROR_IO, path, ": ", std::strerror(errno));
  require(code != Z_BUF_ERROR, GNN_ERROR_DATA, path, ": ends in the middle of what gzip wrote");
  require(count == 0 && (code == Z_OK || code == Z_STREAM_END), GNN_ERROR_DATA, path, ": ", text);
  return 0;
}
