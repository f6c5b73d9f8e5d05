//===- MemoryFiles.cpp - Files that no disk has ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/MemoryFiles.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace gnnc;

static std::string pathOf(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

static llvm::Error lastError() {
  std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, "cannot make a file in memory: " + code.message());
}

llvm::Expected<MemoryInput> MemoryInput::create(llvm::ArrayRef<char> bytes) {
  MemoryInput file(::memfd_create("gnnc", MFD_CLOEXEC));
  if (file.descriptor < 0)
    return lastError();
  while (!bytes.empty()) {
    ssize_t written = ::write(file.descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return lastError();
    bytes = bytes.drop_front(written < 0 ? 0 : size_t(written));
  }
  return std::move(file);
}

MemoryInput::~MemoryInput() {
  if (descriptor >= 0)
    ::close(descriptor);
}

std::string MemoryInput::path() const { return pathOf(descriptor); }

llvm::Error MemoryOutput::open() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) < 0)
    return lastError();
  writeEnd = ends[1];
  reader = std::thread([this, readEnd = ends[0]] {
    char chunk[1 << 16];
    for (ssize_t count; (count = ::read(readEnd, chunk, sizeof chunk)) > 0 || (count < 0 && errno == EINTR);)
      bytes.append(chunk, count < 0 ? 0 : size_t(count));
    ::close(readEnd);
  });
  return llvm::Error::success();
}

std::string MemoryOutput::path() const { return pathOf(writeEnd); }

std::string MemoryOutput::take() {
  if (writeEnd >= 0)
    ::close(std::exchange(writeEnd, -1));
  if (reader.joinable())
    reader.join();
  return std::move(bytes);
}
