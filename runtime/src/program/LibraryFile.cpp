//===- LibraryFile.cpp - The file of a compiled library -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system's loader maps what the headers of a library speak of: where the file is shorter, it dies by a signal.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/LibraryFile.h"

#include "runtime/src/core/Guard.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gnn::rt {

namespace {

struct File {
  explicit File(const std::string &path)
      : path(path), descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status;
    require(descriptor >= 0 && ::fstat(descriptor, &status) == 0, GNN_ERROR_IO, "cannot open compiled library ", path,
            ": ", std::strerror(errno));
    require(S_ISREG(status.st_mode), GNN_ERROR_IO, "cannot open compiled library ", path, ": not a regular file");
    size = uint64_t(status.st_size);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

  /// What is wanted must lie within the file.
  void expect(uint64_t offset, uint64_t bytes) const {
    require(offset <= size && bytes <= size - offset, GNN_ERROR_DATA, path, ": truncated: its headers speak of ", bytes,
            " bytes at ", offset, ", but it has ", size);
  }
  template <class T> T read(uint64_t offset) const {
    T value;
    expect(offset, sizeof value);
    ssize_t got = ::pread(descriptor, &value, sizeof value, off_t(offset));
    require(got == ssize_t(sizeof value), GNN_ERROR_IO, path, ": can't read: ", std::strerror(got < 0 ? errno : EIO));
    return value;
  }

  const std::string &path;
  int descriptor;
  uint64_t size = 0;
};

} // namespace

void checkLibraryFile(const std::string &path) {
  File file(path);
  if (file.size < SELFMAG || std::memcmp(file.read<std::array<char, SELFMAG>>(0).data(), ELFMAG, SELFMAG) != 0)
    return; // the loader says what it thinks of that
  auto header = file.read<Elf64_Ehdr>(0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    auto segment = file.read<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_NULL && segment.p_filesz > 0)
      file.expect(segment.p_offset, segment.p_filesz);
  }
  if (header.e_shoff != 0) // which a strip may have taken away
    file.expect(header.e_shoff, uint64_t(header.e_shnum) * header.e_shentsize);
}

} // namespace gnn::rt
