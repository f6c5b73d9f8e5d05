//===- OutputFile.cpp - Files written whole or not at all -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace gnnc;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static Error failed(const llvm::Twine &path, std::error_code code) {
  return llvm::createStringError(code, "cannot write " + path + ": " + code.message());
}

static std::error_code lastError() { return {errno, std::generic_category()}; }

static std::error_code writeTo(llvm::raw_fd_ostream &stream, StringRef contents) {
  stream << contents;
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error(); // else the stream aborts at its end
  return code;
}

namespace {

/// A new file beside another, gone at the end unless it was renamed; after a signal too.
class TemporaryFile {
public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() {
    if (descriptor < 0)
      return;
    ::close(descriptor);
    if (!renamed)
      fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }

  std::error_code create(const std::string &target, FileMode mode) {
    for (unsigned i = 0; descriptor < 0; ++i) {
      path = target + ".tmp-" + std::to_string(llvm::sys::Process::getProcessId()) + "-" + std::to_string(i);
      llvm::sys::RemoveFileOnSignal(path); // before it is there: this allocates
      descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, unsigned(mode));
      if (descriptor >= 0)
        break;
      std::error_code code = lastError();
      llvm::sys::DontRemoveFileOnSignal(path);
      if (code != std::errc::file_exists)
        return code;
    }
    return {};
  }

  /// Gives it the owner and the permissions of `old`. To a group that cannot be had belongs what all others may.
  std::error_code takeOver(const fs::file_status &old) {
    unsigned mode = old.permissions() & fs::all_all;
    if (::fchown(descriptor, old.getUser(), old.getGroup()) < 0)
      mode = (mode & 0707) | (mode & 07) << 3;
    return ::fchmod(descriptor, mode) < 0 ? lastError() : std::error_code();
  }

  std::error_code write(StringRef contents) {
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/false);
    return writeTo(stream, contents);
  }

  std::error_code renameTo(const std::string &target) {
    if (::fsync(descriptor) < 0 && errno != EINVAL) // some file systems cannot
      return lastError();
    std::error_code code = fs::rename(path, target);
    renamed = !code;
    return code;
  }

private:
  std::string path;
  int descriptor = -1;
  bool renamed = false;
};

} // namespace

/// Where links from `path` end: a file that is there or will be. What cannot be looked at may be a link, and is no file
/// to replace.
static llvm::ErrorOr<std::string> followLinks(std::filesystem::path path) {
  constexpr int maxLinks = 40;
  std::error_code failure;
  for (int links = 0; links < maxLinks; ++links) {
    std::filesystem::file_status status = std::filesystem::symlink_status(path, failure);
    if (failure && status.type() != std::filesystem::file_type::not_found)
      return failure;
    if (!std::filesystem::is_symlink(status))
      break;
    path = path.parent_path() / std::filesystem::read_symlink(path, failure);
    if (failure)
      return failure;
  }
  return path.string();
}

static std::error_code writeInPlace(StringRef path, StringRef contents) {
  int descriptor = ::open(path.str().c_str(), O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0)
    return lastError();
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  return writeTo(stream, contents);
}

static std::error_code replace(const std::string &target, StringRef contents, const fs::file_status *old,
                               FileMode mode) {
  TemporaryFile file;
  std::error_code code = file.create(target, mode);
  if (!code && old)
    code = file.takeOver(*old);
  if (!code)
    code = file.write(contents);
  return code ? code : file.renameTo(target);
}

/// Our own output or messages, if that is what `status` is of: /dev/stdout may be a file that others write to as well.
static llvm::raw_fd_ostream *standardStream(const fs::file_status &status) {
  auto isOf = [&](int descriptor) {
    fs::file_status own;
    return !fs::status(descriptor, own) && own.getUniqueID() == status.getUniqueID();
  };
  return isOf(STDOUT_FILENO) ? &llvm::outs() : isOf(STDERR_FILENO) ? &llvm::errs() : nullptr;
}

Error gnnc::writeOutput(StringRef path, StringRef contents, FileMode mode) {
  if (path == "-") {
    std::error_code code = writeTo(llvm::outs(), contents);
    return code ? failed("standard output", code) : Error::success();
  }
  llvm::ErrorOr<std::string> target = followLinks(path.str());
  if (!target)
    return failed(path, target.getError());
  fs::file_status status;
  std::error_code code = fs::status(path, status);
  if (code == std::errc::no_such_file_or_directory)
    code = replace(*target, contents, /*old=*/nullptr, mode);
  else if (code)
    return failed(path, code);
  else if (llvm::raw_fd_ostream *stream = standardStream(status))
    code = writeTo(*stream, contents);
  else if (fs::is_regular_file(status) && fs::equivalent(path, *target)) // links in /proc may lead to what has no name
    code = replace(*target, contents, &status, mode);
  else
    code = writeInPlace(path, contents);
  return code ? failed(path, code) : Error::success();
}

bool gnnc::isSpecialFile(StringRef path) {
  fs::file_status status; // one look: a second that fails would make a file a special one
  return !fs::status(path, status) && !fs::is_regular_file(status);
}
