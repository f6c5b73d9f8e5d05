//===- Npz.cpp - Archives of NumPy arrays ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libzip reads the archive from memory; a member's header is read and checked before its data gets memory.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/Npz.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/Npy.h"
#include <algorithm>
#include <cstring>
#include <zip.h>

using namespace gnn::rt;

struct NpzArchive::Zip {
  zip_t *handle = nullptr;
  ~Zip() {
    if (handle)
      zip_discard(handle);
  }
};

namespace {

constexpr char suffix[] = ".npy";
constexpr uint64_t maxDeflateRatio = 1032;

} // namespace

/// An open member that is read from front to back.
class NpzArchive::Member {
public:
  Member(zip_t *zip, uint64_t index, const std::string &name) : name(name), handle(zip_fopen_index(zip, index, 0)) {
    require(handle, GNN_ERROR_DATA, name, ": can't open the member: ", zip_strerror(zip));
  }
  ~Member() { zip_fclose(handle); }
  Member(const Member &) = delete;
  Member &operator=(const Member &) = delete;

  void read(char *to, uint64_t size) {
    for (uint64_t done = 0; done < size;) {
      zip_int64_t got = zip_fread(handle, to + done, size - done);
      require(got > 0, GNN_ERROR_DATA, name, ": the member is damaged after ", done,
              " bytes: ", got < 0 ? zip_file_strerror(handle) : "unexpected end");
      done += uint64_t(got);
    }
  }
  /// The check sum is compared when the end is met.
  void expectEnd() {
    char more;
    zip_int64_t got = zip_fread(handle, &more, 1);
    require(got == 0, GNN_ERROR_DATA, name,
            ": the member is damaged: ", got < 0 ? zip_file_strerror(handle) : "it is longer than its directory entry");
  }

  const std::string name;

private:
  zip_file_t *handle;
};

NpzArchive::NpzArchive(FileBytes archive, std::string path, uint64_t maxBytes)
    : file(std::move(path)), maxBytes(maxBytes), bytes(std::move(archive)), zip(std::make_unique<Zip>()) {
  // libzip takes no bytes at all for an archive that is yet to be written.
  require(bytes.size > 0, GNN_ERROR_DATA, file, ": not a sound zip archive: the file is empty");
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source = zip_source_buffer_create(bytes.data, bytes.size, 0, &error);
  if (source) {
    zip->handle = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    if (!zip->handle)
      zip_source_free(source);
  }
  if (!zip->handle) {
    std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail(GNN_ERROR_DATA, file, ": not a sound zip archive: ", reason);
  }
  zip_error_fini(&error);
  for (zip_int64_t i = 0, count = zip_get_num_entries(zip->handle, 0); i < count; ++i) {
    const char *name = zip_get_name(zip->handle, zip_uint64_t(i), ZIP_FL_ENC_RAW);
    size_t length = name ? std::strlen(name) : 0;
    if (length < sizeof(suffix) || std::strcmp(name + length - 4, suffix) != 0)
      continue;
    bool fresh = members.emplace(std::string(name, length - 4), uint64_t(i)).second;
    require(fresh, GNN_ERROR_DATA, file, ": the member '", name, "' occurs twice");
  }
}

NpzArchive::NpzArchive(NpzArchive &&) noexcept = default;
NpzArchive::~NpzArchive() = default;

NpzArchive::Member NpzArchive::open(const std::string &name, uint64_t &size) const {
  auto found = members.find(name);
  require(found != members.end(), GNN_ERROR_DATA, file, ": no array '", name, "' in the archive");
  std::string what = file + "(" + name + ")";
  zip_stat_t status;
  zip_stat_init(&status);
  constexpr zip_uint64_t needed =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  bool known = zip_stat_index(zip->handle, found->second, 0, &status) == 0 && (status.valid & needed) == needed;
  require(known, GNN_ERROR_DATA, what, ": the directory entry is incomplete");
  bool plain = status.comp_method == ZIP_CM_STORE || status.comp_method == ZIP_CM_DEFLATE;
  require(plain && status.encryption_method == ZIP_EM_NONE, GNN_ERROR_DATA, what, ": compressed by method ",
          status.comp_method, " or encrypted, expected stored or deflated");
  require(status.size <= maxBytes, GNN_ERROR_MEMORY, what, ": expands to ", status.size, " bytes, the limit is ",
          maxBytes);
  require(status.comp_size <= bytes.size && status.size / maxDeflateRatio <= status.comp_size, GNN_ERROR_DATA, what,
          ": ", status.comp_size, " compressed bytes can't hold ", status.size);

  size = status.size;
  return Member(zip->handle, found->second, what);
}

Tensor NpzArchive::read(const std::string &name) const {
  uint64_t size = 0;
  Member member = open(name, size);
  std::vector<char> start(std::min<uint64_t>(size, maxNpyHeaderBytes));
  member.read(start.data(), start.size());
  parseNpyHeader(start, size, member.name);
  Tensor whole = Tensor::empty(GNN_BOOL, {int64_t(size)});
  char *data = static_cast<char *>(whole.mutableData());
  std::copy(start.begin(), start.end(), data);
  member.read(data + start.size(), size - start.size());
  member.expectEnd();
  FileBytes content{std::make_shared<Tensor>(whole), data, size_t(size)};
  return parseNpy(content, member.name);
}

std::string NpzArchive::readText(const std::string &name) const {
  constexpr uint64_t maxBytes = 1 << 12, preamble = 10; // of version 1, which all but headers of 64 KiB have
  uint64_t size = 0;
  Member member = open(name, size);
  std::string bytes(std::min(size, maxBytes), '\0');
  member.read(bytes.data(), bytes.size());
  const bool isArray = bytes.size() > preamble && bytes.compare(0, 7, "\x93NUMPY\x01") == 0;
  const size_t begin = isArray ? preamble + uint8_t(bytes[8]) + 256 * uint8_t(bytes[9]) : 0;
  require(isArray && size <= maxBytes && begin <= size, GNN_ERROR_DATA, member.name, ": no array of a short text");
  std::string text = bytes.substr(begin);
  text.erase(std::remove(text.begin(), text.end(), '\0'), text.end()); // behind bytes, and in characters of 4 bytes
  return text;
}
