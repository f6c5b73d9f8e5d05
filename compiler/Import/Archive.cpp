//===- Archive.cpp - The container of a .pt2 file -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Archive.h"
#include "compiler/Import/ExportedProgram.h"
#include "llvm/ADT/STLExtras.h"
#include <zip.h>

using namespace gnnc::pt2;

static constexpr zip_int64_t maxEntries = 100'000;

void Archive::Close::operator()(zip *archive) const { zip_discard(archive); }

Archive::Archive(const std::string &path, std::optional<llvm::StringRef> bytes) : path(path) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *source = bytes ? zip_source_buffer_create(bytes->data(), bytes->size(), 0, &error)
                               : zip_source_file_create(path.c_str(), 0, -1, &error);
  if (source)
    archive.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
  if (!archive) {
    const int code = zip_error_code_zip(&error);
    std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    zip_source_free(source);
    throw ImportError(code == ZIP_ER_NOZIP || code == ZIP_ER_INCONS
                          ? path + " is no .pt2 file (" + reason + "); write one by torch.export.save"
                          : "cannot read " + path + ": " + reason);
  }
  zip_error_fini(&error);
  zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (count > maxEntries)
    throw ImportError(path + " has " + std::to_string(count) + " entries; at most " + std::to_string(maxEntries) +
                      " are read");
  for (zip_int64_t index = 0; index < count; ++index) {
    const char *raw = zip_get_name(archive.get(), index, ZIP_FL_ENC_RAW);
    std::string name = raw ? raw : "";
    if (index == 0)
      folder = name.substr(0, name.find('/') + 1);
    if (!llvm::StringRef(name).starts_with(folder))
      throw ImportError(path + " has several folders; torch.export.save writes one");
    entries.push_back(name.substr(folder.size()));
  }
  refuseOtherContainers();
}

void Archive::refuseOtherContainers() const {
  static const std::string again = "; export again with PyTorch 2.8 or later";
  if (has("serialized_exported_program.json"))
    throw ImportError(path + " has the container of PyTorch 2.7 or earlier" + again);
  for (const std::string &name : entries)
    if (llvm::StringRef(name).starts_with("data/aotinductor/"))
      throw ImportError(path + " is compiled code of AOTInductor, which cannot be imported; save the exported program "
                               "itself by torch.export.save");
  if (has("constants.pkl") || has("data.pkl"))
    throw ImportError(path +
                      " is TorchScript or a state_dict, not an exported program; write one by torch.export.save");
  if (!has("archive_format") || read("archive_format", 64) != "pt2")
    throw ImportError(path + " is no .pt2 file: the entry archive_format does not say pt2" + again);
  if (std::string version = has("archive_version") ? read("archive_version", 64) : ""; version != "0")
    throw ImportError(path + " has version '" + version + "' of the .pt2 container; gnnc reads version 0");
}

bool Archive::has(const std::string &name) const { return llvm::is_contained(entries, name); }

std::string Archive::read(const std::string &name, uint64_t maxBytes) const {
  auto fail = [&](const std::string &why) -> ImportError { return ImportError(path + ": " + name + " " + why); };
  const std::string whole = folder + name;
  zip_stat_t facts;
  if (zip_stat(archive.get(), whole.c_str(), ZIP_FL_ENC_RAW, &facts) != 0 || !(facts.valid & ZIP_STAT_SIZE))
    throw fail("is missing");
  // Stored entries are no larger than the file, so a small file cannot ask for much memory.
  if (!(facts.valid & ZIP_STAT_COMP_METHOD) || facts.comp_method != ZIP_CM_STORE)
    throw fail("is compressed; torch.export.save does not compress");
  if (facts.size > maxBytes)
    throw fail("has " + std::to_string(facts.size) + " bytes; at most " + std::to_string(maxBytes) + " are read");
  if (!(facts.valid & ZIP_STAT_COMP_SIZE) || facts.comp_size != facts.size)
    throw fail("is damaged");
  std::unique_ptr<zip_file_t, int (*)(zip_file_t *)> file(zip_fopen_index(archive.get(), facts.index, 0), zip_fclose);
  // Read in pieces: the size that a damaged directory claims is not believed before the bytes are there.
  std::string bytes;
  constexpr size_t piece = 1 << 20;
  while (file && bytes.size() < facts.size) {
    size_t done = bytes.size(), wanted = std::min<size_t>(piece, facts.size - done);
    bytes.resize(done + wanted);
    zip_int64_t count = zip_fread(file.get(), bytes.data() + done, wanted);
    if (count <= 0) {
      file.reset();
      break;
    }
    bytes.resize(done + size_t(count));
  }
  if (!file)
    throw fail("is damaged");
  return bytes;
}
