//===- Tune.cpp - gnnc tune -----------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Driver/Tune.h"
#include "compiler/Support/ChildProgram.h"
#include "compiler/Support/InputFile.h"
#include "compiler/Support/MemoryFiles.h"
#include "compiler/Support/OutputFile.h"
#include "compiler/Tuning/TuningSearch.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace gnnc;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static std::string besideSource(const Options &options) {
  llvm::SmallString<128> file(options.file);
  path::replace_extension(file, "tuning");
  return file.str().str();
}

/// Whether `file` does not exist. A file whose status cannot be read counts as existing, so that it is not ignored.
static bool isMissing(const std::string &file) {
  fs::file_status status;
  return fs::status(file, status) == std::errc::no_such_file_or_directory;
}

/// An empty file of the version at hand if there is none.
static llvm::Expected<TuningFile> readFile(const std::string &file, bool mustExist) {
  if (!mustExist && isMissing(file))
    return TuningFile();
  constexpr size_t maxBytes = size_t(64) << 20;
  llvm::Expected<std::string> text = readAtMost(file, maxBytes + 1);
  if (!text)
    return failure("cannot read " + file + ": " + llvm::toString(text.takeError()));
  if (text->size() > maxBytes)
    return failure("cannot read " + file + ": a tuning file has at most " + llvm::Twine(maxBytes >> 20) + " MiB");
  return TuningFile::parse(*text, file);
}

std::string gnnc::tuningPath(const Options &options) {
  if (!options.tuningFile.empty())
    return options.tuningFile == "none" ? "" : options.tuningFile;
  std::string beside = options.file == "-" ? "" : besideSource(options);
  return beside.empty() || isMissing(beside) ? "" : beside;
}

llvm::Error gnnc::readTuning(Options &options) {
  std::string file = tuningPath(options);
  if (file.empty())
    return llvm::Error::success();
  llvm::Expected<TuningFile> tuning = readFile(file, /*mustExist=*/true);
  if (!tuning)
    return tuning.takeError();
  std::vector<std::string> chips;
  for (const Chip &chip : options.chips)
    chips.push_back(chip.name.str());
  if (const TuningSection *section = tuning->nearest(Knob::Processors, options.likeGraph))
    llvm::copy_if(section->requests, std::back_inserter(options.tuning),
                  [](const ScheduleRequest &request) { return request.knob->reader == Knob::Compiler; });
  if (const TuningSection *section = tuning->nearest(Knob::Devices, options.likeGraph, chips);
      section && !chips.empty())
    llvm::append_range(options.tuning, section->requests);
  llvm::copy_if(tuning->sections, std::back_inserter(options.tunedGraphs),
                [](const TuningSection &section) { return section.machine() == Knob::Processors; });
  return llvm::Error::success();
}

namespace {
class Tuner {
public:
  Tuner(const Options &options, llvm::function_ref<int(const Options &)> compile)
      : options(options), compile(compile), search(isOnDevice() ? Knob::Devices : Knob::Processors) {}

  /// The exit code.
  int run();

private:
  int fail(llvm::Error error) {
    llvm::errs() << "gnnc: " << llvm::toString(std::move(error)) << "\n";
    return exitFiles;
  }
  bool isOnDevice() const { return options.device != "cpu"; }
  llvm::Error prepare();
  Options trialOptions() const;
  int compileBatch(const TuningSearch::Batch &batch, std::vector<MemoryFile> &libraries);
  llvm::Expected<Measurements> measure(llvm::ArrayRef<MemoryFile> libraries);
  int write(const Measurements &last);

  const Options &options;
  llvm::function_ref<int(const Options &)> compile;
  std::string output, runner;
  TuningFile known;
  TuningSearch search;
};
} // namespace

/// All that can be found out before minutes are spent.
llvm::Error Tuner::prepare() {
  output = options.output.empty() ? besideSource(options) : options.output;
  llvm::StringRef parent = path::parent_path(output);
  if (std::error_code code = fs::access(parent.empty() ? "." : parent, fs::AccessMode::Write))
    return failure("cannot write " + output + ": " + code.message());
  if (!fs::exists(options.data))
    return failure("cannot read " + options.data + ": there is no such data set");
  llvm::Expected<TuningFile> file = readFile(output, /*mustExist=*/false);
  if (!file)
    return file.takeError();
  known = *file;
  runner = options.runner;
  if (runner.empty()) {
    std::string own = fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&gnnc::tune));
    auto found = llvm::sys::findProgramByName("gnn-train", {path::parent_path(own)});
    if (!found)
      found = llvm::sys::findProgramByName("gnn-train");
    if (!found)
      return failure("gnn-train, which measures, is neither beside gnnc nor in the path: --runner says where it is");
    runner = *found;
  }
  return llvm::Error::success();
}

/// For a GPU code of all architectures, unless the command line names some, and of processors as little as there can
/// be.
Options Tuner::trialOptions() const {
  Options own = options;
  own.command = Command::Compile;
  own.emit = Emit::SharedLibrary;
  own.quiet = own.isTrial = true;
  if (isOnDevice()) {
    own.isas.resize(1);
    if (own.chips.empty())
      llvm::append_range(own.chips, allChips());
  }
  return own;
}

int Tuner::compileBatch(const TuningSearch::Batch &batch, std::vector<MemoryFile> &libraries) {
  for (const std::vector<ScheduleRequest> &schedule : batch) {
    llvm::Expected<MemoryFile> library = MemoryFile::create();
    if (!library)
      return fail(library.takeError());
    Options own = trialOptions();
    own.output = library->path();
    own.tuning = schedule;
    libraries.push_back(std::move(*library));
    if (int code = compile(own))
      return code;
  }
  return exitOk;
}

llvm::Expected<Measurements> Tuner::measure(llvm::ArrayRef<MemoryFile> libraries) {
  std::string seconds = std::to_string(options.seconds / search.numBatches());
  std::string threads = std::to_string(options.threads);
  llvm::Expected<MemoryFile> times = MemoryFile::create();
  if (!times)
    return times.takeError();
  std::vector<std::string> paths;
  for (const MemoryFile &library : libraries)
    paths.push_back(library.path());
  const std::string text = times->path();
  llvm::SmallVector<llvm::StringRef> arguments = {runner,  "time",      "--json", "--data", options.data, "--seconds",
                                                  seconds, "--threads", threads,  "--rows", "all"};
  if (isOnDevice())
    arguments.append({"--device", options.device});
  arguments.append(paths.begin(), paths.end());
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(text), std::nullopt};
  std::string message;
  if (int code = runProgram(runner, arguments, redirects, message))
    return failure("measuring failed: " + (message.empty() ? "exit code " + std::to_string(code) : message));
  auto buffer = llvm::MemoryBuffer::getFile(text);
  if (!buffer)
    return failure("cannot read what was measured: " + buffer.getError().message());
  llvm::Expected<Measurements> measured = Measurements::parse((*buffer)->getBuffer());
  if (measured && measured->libraries.size() != libraries.size())
    return failure("what was measured is not what was asked for");
  return measured;
}

int Tuner::write(const Measurements &last) {
  if (!known.model.empty() && known.model != last.model)
    return fail(failure(output + " is for the model " + known.model + ", not " + last.model));
  known.model = last.model;
  TuningSection section = last.section;
  section.requests = search.requests();
  section.comments = search.comments();
  known.put(section);
  if (llvm::Error error = writeOutput(output, known.text()))
    return fail(std::move(error));
  if (!options.quiet)
    llvm::errs() << "wrote " << output << ": " << section.requests.size()
                 << (section.requests.size() == 1 ? " knob\n" : " knobs\n");
  return exitOk;
}

int Tuner::run() {
  if (llvm::Error error = prepare())
    return fail(std::move(error));
  Measurements last;
  unsigned number = 0;
  for (TuningSearch::Batch batch = search.next(); !batch.empty(); batch = search.next()) {
    if (!options.quiet)
      llvm::errs() << "batch " << ++number << " of " << search.numBatches() << ": " << batch.size() << " schedules\n";
    std::vector<MemoryFile> libraries;
    if (int code = compileBatch(batch, libraries))
      return code;
    llvm::Expected<Measurements> measured = measure(libraries);
    if (!measured)
      return fail(measured.takeError());
    last = std::move(*measured);
    search.add(last.libraries);
  }
  return write(last);
}

int gnnc::tune(const Options &options, llvm::function_ref<int(const Options &)> compile) {
  return Tuner(options, compile).run();
}
