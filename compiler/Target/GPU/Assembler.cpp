//===- Assembler.cpp - PTX to machine code --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Assembler.h"
#include "compiler/Support/ChildProgram.h"
#include "compiler/Support/MemoryFiles.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace gnnc {

std::optional<std::string> findAssembler() {
  if (auto named = llvm::sys::Process::GetEnv("GNNC_PTXAS"))
    return llvm::sys::fs::can_execute(*named) ? named : std::nullopt;
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  if (auto found = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"}))
    return *found;
  return std::nullopt;
}

static llvm::Error failure(const llvm::Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
}

/// The number before `unit` in a line such as `0 bytes stack frame, 12 bytes spill stores`.
static unsigned numberBefore(llvm::StringRef line, llvm::StringRef unit) {
  size_t at = line.find(unit);
  unsigned number = 0;
  if (at != llvm::StringRef::npos)
    line.take_front(at).rtrim().rsplit(' ').second.getAsInteger(10, number);
  return number;
}

static std::vector<ResourceUsage> parseUsage(const llvm::MemoryBuffer &report) {
  std::vector<ResourceUsage> usage;
  for (llvm::line_iterator line(report); !line.is_at_end(); ++line) {
    if (line->contains("Compiling entry function")) {
      usage.emplace_back();
      usage.back().function = line->split('\'').second.split('\'').first.str();
    } else if (usage.empty()) {
      continue;
    } else if (line->contains("stack frame")) {
      usage.back().stackBytes = numberBefore(*line, "bytes stack frame");
      usage.back().spillStores = numberBefore(*line, "bytes spill stores");
      usage.back().spillLoads = numberBefore(*line, "bytes spill loads");
    } else if (line->contains("registers")) {
      auto [registers, rest] = line->split("registers");
      registers.rtrim().rsplit(' ').second.getAsInteger(10, usage.back().registers);
      usage.back().sharedBytes = numberBefore(rest, "bytes smem");
    }
  }
  return usage;
}

llvm::Expected<MachineCode> assemble(const std::string &assembler, llvm::StringRef ptx, llvm::StringRef chip) {
  llvm::Expected<MemoryFile> input = MemoryFile::create(llvm::ArrayRef<char>(ptx.data(), ptx.size()));
  if (!input)
    return input.takeError();
  llvm::Expected<MemoryFile> output = MemoryFile::create();
  if (!output)
    return output.takeError();
  llvm::Expected<MemoryFile> report = MemoryFile::create();
  if (!report)
    return report.takeError();
  const std::string source = input->path(), target = output->path(), messages = report->path();
  const std::string architecture = ("-arch=" + chip).str();
  llvm::StringRef arguments[] = {assembler, "-v", architecture, "-o", target, source};
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, messages, messages};
  std::string error;
  int status = runProgram(assembler, arguments, redirects, error);
  auto said = llvm::MemoryBuffer::getFile(messages, /*IsText=*/true);
  if (status != 0 || !said)
    return failure(assembler + " cannot assemble for " + chip + ": " +
                   (error.empty() && said ? (*said)->getBuffer().str() : error));
  auto code = llvm::MemoryBuffer::getFile(target);
  if (!code || (*code)->getBufferSize() == 0)
    return failure(assembler + " wrote no code");
  return MachineCode{{(*code)->getBufferStart(), (*code)->getBufferEnd()}, parseUsage(**said)};
}

} // namespace gnnc
