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
#include <system_error>
#include <unistd.h>

using namespace gnnc;

static std::string pathOf(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

static llvm::Error failed(const llvm::Twine &what, int number) {
  std::error_code code(number, std::generic_category());
  return llvm::createStringError(code, "cannot " + what + " a file in memory: " + code.message());
}

llvm::Expected<MemoryFile> MemoryFile::create(llvm::ArrayRef<char> bytes) {
  MemoryFile file(::memfd_create("gnnc", /*flags=*/0));
  if (file.descriptor < 0)
    return failed("make", errno);
  while (!bytes.empty()) {
    ssize_t written = ::write(file.descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return failed("write", errno);
    bytes = bytes.drop_front(written < 0 ? 0 : size_t(written));
  }
  return std::move(file);
}

MemoryFile::~MemoryFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

std::string MemoryFile::path() const { return pathOf(descriptor); }

static const sigset_t &pipeSignal() {
  static const sigset_t signals = [] {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGPIPE);
    return set;
  }();
  return signals;
}

llvm::Error MemoryOutput::open() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) < 0)
    return failed("make", errno);
  try {
    reader = std::thread([this, readEnd = ends[0]] {
      char chunk[1 << 16];
      ssize_t count;
      while ((count = ::read(readEnd, chunk, sizeof chunk)) > 0 || (count < 0 && errno == EINTR))
        bytes.append(chunk, count < 0 ? 0 : size_t(count));
      readError = count < 0 ? errno : 0;
      ::close(readEnd);
    });
  } catch (const std::system_error &error) {
    ::close(ends[0]);
    ::close(ends[1]);
    return failed("make", error.code().value());
  }
  writeEnd = ends[1];
  ::pthread_sigmask(SIG_BLOCK, &pipeSignal(), &signalsBefore);
  return llvm::Error::success();
}

std::string MemoryOutput::path() const { return pathOf(writeEnd); }

llvm::Expected<std::string> MemoryOutput::take() {
  if (writeEnd >= 0) {
    ::close(std::exchange(writeEnd, -1));
    reader.join();
    const timespec none{};
    ::sigtimedwait(&pipeSignal(), /*info=*/nullptr, &none); // one that a write got
    ::pthread_sigmask(SIG_SETMASK, &signalsBefore, nullptr);
  }
  if (readError)
    return failed("read", readError);
  return std::move(bytes);
}
