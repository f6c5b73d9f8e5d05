//===- SharedLibrary.cpp - Linking objects into a library -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/SharedLibrary.h"
#include "compiler/Support/MemoryFiles.h"
#include "compiler/Target/CPU/ObjectEmitter.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/CrashRecoveryContext.h"

LLD_HAS_DRIVER(elf)

namespace gnnc {

namespace {

/// Functions of libm.so.6 that kernels of f64 call.
constexpr llvm::StringLiteral libmFunctions[] = {
#define TRANSCENDENTAL(OP, LIBM) LIBM,
#include "compiler/Conversion/MathExpansion/Transcendentals.def"
    "sincos", // which LLVM makes of a sine and a cosine of one number
};

/// The beginning of the names of functions that kernels of CodeEffort::Checked call in the program that loads them.
constexpr llvm::StringLiteral checkerPrefix = "__asan_";

/// Links `objects` with `options` by lld, and returns the library.
llvm::Expected<std::string> runLld(std::vector<std::string> options, llvm::ArrayRef<llvm::ArrayRef<char>> objects) {
  std::vector<MemoryFile> inputs;
  MemoryOutput output;
  if (llvm::Error error = output.open())
    return error;
  options.insert(options.begin(), {"ld.lld", "-m", "elf_x86_64", "--threads=1", "-o", output.path()});
  for (llvm::ArrayRef<char> object : objects) {
    llvm::Expected<MemoryFile> input = MemoryFile::create(object);
    if (!input)
      return input.takeError();
    options.push_back(input->path());
    inputs.push_back(std::move(*input));
  }
  std::vector<const char *> argv;
  for (const std::string &option : options)
    argv.push_back(option.c_str());
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  llvm::CrashRecoveryContext::Enable(); // else lld ends the process where it cannot go on
  const int code = lld::lldMain(argv, stream, stream, {{lld::Gnu, &lld::elf::link}}).retCode;
  llvm::CrashRecoveryContext::Disable();
  llvm::Expected<std::string> written = output.take();
  if (written && code)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), llvm::Twine("cannot link: ") + stream.str());
  return written;
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

/// A library that has libm's name and `functions`, but no code: what lld needs to see to record the dependency. The
/// real one is found when the result is loaded, so that linking needs no development files.
llvm::Expected<std::string> makeLibmStub(llvm::ArrayRef<llvm::StringRef> functions) {
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
  return runLld({"-shared", "-soname", "libm.so.6"}, llvm::ArrayRef<char>(*object));
}

/// `object` with hidden symbols made local: kernels of several models in one program may have the same names.
llvm::Expected<std::string> localizeHidden(llvm::StringRef object) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file)
    return file.takeError();
  llvm::objcopy::ConfigManager config;
  config.ELF.LocalizeHidden = true;
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, **file, stream))
    return error;
  return std::string(bytes.begin(), bytes.end());
}

} // namespace

llvm::Expected<std::string> linkSharedLibrary(llvm::ArrayRef<llvm::ArrayRef<char>> objects, llvm::StringRef soname) {
  llvm::StringSet<> defined, undefined;
  for (llvm::ArrayRef<char> object : objects)
    if (llvm::Error error = collectSymbols(object, defined, undefined))
      return error;

  llvm::SmallVector<llvm::StringRef> libm;
  for (const auto &entry : undefined) {
    llvm::StringRef name = entry.getKey();
    if (llvm::is_contained(libmFunctions, name))
      libm.push_back(name);
    else if (name != "memcpy" && name != "memset" && !name.starts_with(checkerPrefix) && !defined.contains(name))
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "cannot link: nothing defines '" + name + "'");
  }
  llvm::sort(libm); // the order of a hash table is nobody's contract
  llvm::SmallVector<llvm::ArrayRef<char>> inputs(objects);
  std::string stub;
  if (!libm.empty()) {
    if (llvm::Error error = makeLibmStub(libm).moveInto(stub))
      return error;
    inputs.emplace_back(stub.data(), stub.size());
  }
  return runLld({"-shared", "--hash-style=gnu", "--build-id=sha1", "-z", "relro", "-z", "now", "-z", "noexecstack",
                 "--gc-sections", "--no-undefined-version", "-soname", soname.str()},
                inputs);
}

llvm::Expected<std::string> linkObject(llvm::ArrayRef<llvm::ArrayRef<char>> objects) {
  std::string linked;
  if (llvm::Error error = runLld({"-r"}, objects).moveInto(linked))
    return error;
  return localizeHidden(linked);
}

} // namespace gnnc
