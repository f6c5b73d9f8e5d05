//===- SharedLibrary.cpp - Linking objects into a library -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/SharedLibrary.h"
#include "compiler/Target/CPU/ObjectEmitter.h"
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

LLD_HAS_DRIVER(elf)

namespace gnnc {

namespace {

/// What f64 kernels may call: glibc has each of them in libm.so.6.
constexpr llvm::StringLiteral libmFunctions[] = {"exp", "log", "pow", "tanh"};

/// A directory that is gone, with what is in it, at the end.
class TemporaryDirectory {
public:
  llvm::Error create() { return llvm::errorCodeToError(llvm::sys::fs::createUniqueDirectory("gnnc", path)); }
  ~TemporaryDirectory() {
    if (!path.empty())
      llvm::sys::fs::remove_directories(path);
  }
  /// Writes `bytes` to the new file `name` of the directory and gives its path.
  llvm::Expected<std::string> write(const llvm::Twine &name, llvm::ArrayRef<char> bytes) {
    std::string file = join(name);
    std::error_code code;
    llvm::raw_fd_ostream stream(file, code);
    if (!code) {
      stream.write(bytes.data(), bytes.size());
      stream.close();
      code = stream.error();
      stream.clear_error();
    }
    if (code)
      return llvm::createFileError(file, code);
    return file;
  }
  std::string join(const llvm::Twine &name) const { return (path + "/" + name).str(); }

private:
  llvm::SmallString<64> path;
};

llvm::Error runLld(llvm::ArrayRef<std::string> arguments) {
  std::vector<const char *> argv = {"ld.lld"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  bool linked = lld::elf::link(argv, stream, stream, /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (!linked)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), llvm::Twine("cannot link: ") + stream.str());
  return llvm::Error::success();
}

/// Adds the symbols of the ELF file `object` to those that it defines and those that it leaves to others.
llvm::Error collectSymbols(llvm::ArrayRef<char> object, llvm::StringSet<> &defined, llvm::StringSet<> &undefined) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(llvm::StringRef(object.data(), object.size()), "object"));
  if (!file)
    return file.takeError();
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name)
      return llvm::joinErrors(flags.takeError(), name.takeError());
    if (!name->empty())
      (*flags & llvm::object::SymbolRef::SF_Undefined ? undefined : defined).insert(*name);
  }
  return llvm::Error::success();
}

/// Writes a library that has libm's name and `functions`, but no code: what lld needs to see to record the dependency.
/// The real one is found when the result is loaded, so that linking needs no development files.
llvm::Expected<std::string> writeLibmStub(TemporaryDirectory &directory, llvm::ArrayRef<llvm::StringRef> functions) {
  llvm::LLVMContext context;
  llvm::Module module("libm", context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), /*isVarArg=*/false);
  for (llvm::StringRef name : functions) {
    auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
    builder.CreateRetVoid();
  }
  module.setTargetTriple("x86_64-unknown-linux-gnu");
  auto object = emitObject(module, Isa::X86_64_V2);
  if (!object)
    return object.takeError();
  auto objectPath = directory.write("libm.o", *object);
  if (!objectPath)
    return objectPath.takeError();
  std::string path = directory.join("libm.so.6");
  if (llvm::Error error = runLld({"-shared", "-m", "elf_x86_64", "-soname", "libm.so.6", "-o", path, *objectPath}))
    return error;
  return path;
}

} // namespace

llvm::Error linkSharedLibrary(llvm::ArrayRef<llvm::ArrayRef<char>> objects, llvm::StringRef soname,
                              llvm::StringRef output) {
  TemporaryDirectory directory;
  if (llvm::Error error = directory.create())
    return error;
  std::vector<std::string> arguments = {"-shared",
                                        "-m",
                                        "elf_x86_64",
                                        "--hash-style=gnu",
                                        "--build-id=sha1",
                                        "-z",
                                        "relro",
                                        "-z",
                                        "now",
                                        "-z",
                                        "noexecstack",
                                        "--gc-sections",
                                        "--threads=1",
                                        "--no-undefined-version",
                                        "-soname",
                                        soname.str(),
                                        "-o",
                                        output.str()};

  llvm::StringSet<> defined, undefined;
  for (auto [index, object] : llvm::enumerate(objects)) {
    if (llvm::Error error = collectSymbols(object, defined, undefined))
      return error;
    auto path = directory.write(llvm::Twine(index) + ".o", object);
    if (!path)
      return path.takeError();
    arguments.push_back(*path);
  }

  llvm::SmallVector<llvm::StringRef> libm;
  for (const auto &entry : undefined) {
    llvm::StringRef name = entry.getKey();
    if (llvm::is_contained(libmFunctions, name))
      libm.push_back(name);
    else if (name != "memcpy" && name != "memset" && !defined.contains(name))
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "cannot link: nothing defines '" + name + "'");
  }
  llvm::sort(libm); // the order of a hash table is nobody's contract
  if (!libm.empty()) {
    auto stub = writeLibmStub(directory, libm);
    if (!stub)
      return stub.takeError();
    arguments.push_back(*stub);
  }
  return runLld(arguments);
}

llvm::Error linkObject(llvm::ArrayRef<llvm::ArrayRef<char>> objects, llvm::StringRef output) {
  TemporaryDirectory directory;
  if (llvm::Error error = directory.create())
    return error;
  std::vector<std::string> arguments = {"-r", "-m", "elf_x86_64", "--threads=1", "-o", output.str()};
  for (auto [index, object] : llvm::enumerate(objects)) {
    auto path = directory.write(llvm::Twine(index) + ".o", object);
    if (!path)
      return path.takeError();
    arguments.push_back(*path);
  }
  return runLld(arguments);
}

} // namespace gnnc
