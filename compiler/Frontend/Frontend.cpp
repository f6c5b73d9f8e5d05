//===- Frontend.cpp - From .gnn files to a checked model --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads files, resolves imports, collects declarations and runs Sema over the main file.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Frontend.h"
#include "compiler/Frontend/EmbeddedTexts.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Parser.h"
#include "compiler/Frontend/Sema/Sema.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "compiler/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <filesystem>
#include <set>

using namespace gnnc;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using Entries = std::filesystem::directory_iterator;

static bool isMissing(std::error_code code) {
  return code == std::errc::no_such_file_or_directory || code == std::errc::not_a_directory;
}

std::optional<llvm::StringRef> gnnc::explanation(llvm::StringRef code) {
  return parseCode(code) ? embeddedText(code) : std::nullopt;
}

Frontend::Frontend(FrontendOptions given) : options(std::move(given)), engine(options.errorLimit) {
  llvm::StringRef prelude = addBuffer(*embeddedText("Prelude"), "<prelude>");
  engine.addLibrary(prelude);
  declare(parse(prelude, arena, engine));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::StringRef Frontend::addBuffer(llvm::StringRef text, llvm::StringRef name) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = copyToBuffer(text, name);
  llvm::StringRef contents = buffer->getBuffer();
  sourceMgr.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return contents;
}

std::optional<llvm::StringRef> Frontend::readFile(llvm::StringRef file, llvm::SMRange importedAt) {
  auto fail = [&](DiagnosticCode code, const llvm::Twine &why) {
    engine.report(code, importedAt, "cannot read `" + file + "`: " + why).at("imported here");
    return std::nullopt;
  };
  if (auto open = options.openFiles.find(file.str()); open != options.openFiles.end()) {
    readFiles.push_back(file.str());
    return addBuffer(open->second, file);
  }
  bool isStdin = file == "-";
  if (!isStdin && fs::is_directory(file))
    return fail(DiagnosticCode::E0601, "it is a directory");
  llvm::Expected<std::string> text = readAtMost(file, maxFileSize + 1);
  if (!text)
    return fail(DiagnosticCode::E0601, llvm::toString(text.takeError()));
  if (text->size() > maxFileSize)
    return fail(DiagnosticCode::E0602, "a source has at most " + llvm::Twine(maxFileSize >> 20) + " MiB");
  if (!isStdin)
    readFiles.push_back(file.str());
  return addBuffer(*text, isStdin ? "<stdin>" : file);
}

bool Frontend::loadFile(llvm::StringRef file) {
  std::optional<llvm::StringRef> text = readFile(file, {});
  return text && loadMain(*text, file == "-" ? "." : path::parent_path(file));
}

bool Frontend::loadBuffer(llvm::StringRef text, llvm::StringRef name) {
  if (text.size() <= maxFileSize)
    return loadMain(addBuffer(text, name), path::parent_path(name));
  engine.report(DiagnosticCode::E0602, {}, "`" + name + "` has more than " + llvm::Twine(maxFileSize >> 20) + " MiB");
  return false;
}

bool Frontend::reloadBuffer(llvm::StringRef text, llvm::StringRef name) {
  assert(llvm::all_of(mainFile.components, [](const auto *component) { return component->isModel; }) &&
         mainFile.functions.empty() && "the previous file declares layers or functions");
  engine.clear();
  return loadBuffer(text, name);
}

bool Frontend::loadMain(llvm::StringRef text, llvm::StringRef folder) {
  mainBegin = llvm::SMLoc::getFromPointer(text.begin());
  mainFile = parse(text, arena, engine);
  // Imported names come first, so that a name taken twice is reported in the main file.
  resolveImports(mainFile, folder.empty() ? "." : folder);
  declare(mainFile);
  return !engine.hasErrors();
}

/// Where imports are looked for, first things first.
std::vector<std::string> Frontend::importPlaces(llvm::StringRef folder) const {
  std::vector<std::string> places{folder.empty() ? "." : folder.str()};
  places.insert(places.end(), options.importPaths.begin(), options.importPaths.end());
  if (!options.stdlibPath.empty())
    places.push_back(options.stdlibPath);
  return places;
}

std::vector<std::string> Frontend::importable(llvm::StringRef folder) const {
  size_t budget = 4096; // entries of folders that are looked at
  auto isSource = [](const std::filesystem::path &file) { return file.extension() == ".gnn"; };
  auto holdsSource = [&](const std::filesystem::path &place) {
    std::error_code failure;
    for (Entries it(place, failure), end; !failure && it != end && budget > 0; it.increment(failure)) {
      --budget;
      if (isSource(it->path()))
        return true;
    }
    return false;
  };
  std::set<std::string> names;
  for (const std::string &place : importPlaces(folder)) {
    std::error_code failure;
    for (Entries it(place, failure), end; !failure && it != end && budget > 0; it.increment(failure)) {
      --budget;
      if (isSource(it->path()) || holdsSource(it->path()))
        names.insert(it->path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

/// Whether `file` is one, or cannot be looked at, of which reading it says why.
static bool mayBeRead(const std::string &file) {
  fs::file_status status;
  std::error_code failure = fs::status(file, status);
  return failure ? !isMissing(failure) : fs::is_regular_file(status);
}

static std::vector<std::string> sourcesIn(const std::string &folder, std::error_code &failure) {
  std::vector<std::string> files;
  for (Entries it(folder, failure), end; !failure && it != end; it.increment(failure))
    if (it->path().extension() == ".gnn" && mayBeRead(it->path().string()))
      files.push_back(it->path().string());
  llvm::sort(files);
  return files;
}

/// The files that an import means: `name.gnn`, or all files of the folder `name`, from the first place that has either.
/// A file or folder that exists but cannot be read is an error, since the next place may have another of that name.
std::vector<std::string> Frontend::findImport(const ast::Name &import, llvm::StringRef folder) {
  for (const std::string &place : importPlaces(folder)) {
    llvm::SmallString<128> candidate(place == "." ? "" : place);
    path::append(candidate, import.text);
    if (std::string file = (candidate + ".gnn").str(); mayBeRead(file))
      return {file};
    std::error_code failure;
    std::vector<std::string> files = sourcesIn(candidate.str().str(), failure);
    if (failure && !isMissing(failure)) {
      engine.report(DiagnosticCode::E0601, import.range, "cannot read `" + candidate + "`: " + failure.message())
          .at("imported here");
      return {};
    }
    if (!files.empty())
      return files;
  }
  engine.report(DiagnosticCode::E0105, import.range, "cannot find `" + import.text + "`")
      .at("neither `" + import.text + ".gnn` nor a folder `" + import.text + "` with such files")
      .note("looked beside this file, in the import paths and in the standard library")
      .help("the layers of the standard library are in `nn`: `import nn`");
  declarations.isIncomplete = true;
  return {};
}

void Frontend::resolveImports(const ast::File &file, llvm::StringRef folder) {
  for (const ast::Name &import : file.imports) {
    for (const std::string &name : findImport(import, folder)) {
      if (llvm::is_contained(readFiles, name))
        continue;
      if (readFiles.size() >= maxFiles) {
        engine.report(DiagnosticCode::E0602, import.range, "a program has at most " + llvm::Twine(maxFiles) + " files")
            .at("imported here");
        return;
      }
      std::optional<llvm::StringRef> text = readFile(name, import.range);
      declarations.isIncomplete |= !text;
      if (!text)
        continue;
      if (!options.stdlibPath.empty() && llvm::StringRef(name).starts_with(options.stdlibPath))
        engine.addLibrary(*text);
      ast::File imported = parse(*text, arena, engine);
      resolveImports(imported, path::parent_path(name));
      declare(imported);
    }
  }
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

bool Frontend::taken(const ast::Name &name) {
  llvm::SMRange other;
  if (auto it = declarations.layers.find(name.text); it != declarations.layers.end())
    other = it->second->name.range;
  else if (auto it = declarations.functions.find(name.text); it != declarations.functions.end())
    other = it->second->name.range;
  else if (!isBuiltin(name.text))
    return false;
  Diagnostic &twice = engine.report(DiagnosticCode::E0102, name.range, "`" + name.text + "` is already a name");
  twice.at("taken").label(other, "first defined here");
  if (!other.isValid())
    twice.note("it is a function of the language");
  return true;
}

void Frontend::declare(const ast::File &file) {
  declarations.isIncomplete |= file.isIncomplete;
  for (const ast::FunctionDecl *function : file.functions)
    if (!taken(function->name))
      declarations.functions[function->name.text] = function;
  for (const ast::ComponentDecl *component : file.components)
    if (!component->isModel && !taken(component->name))
      declarations.layers[component->name.text] = component;
  llvm::StringMap<llvm::SMRange> models;
  for (const ast::ComponentDecl *component : file.components) {
    if (!component->isModel)
      continue;
    const ast::Name &name = component->name;
    if (auto [first, isNew] = models.try_emplace(name.text, name.range); !isNew)
      engine.report(DiagnosticCode::E0102, name.range, "there is already a model `" + name.text + "`")
          .at("taken")
          .label(first->second, "first defined here");
  }
}

/// The component to compile; null if there is none, with a diagnostic unless the file just has no model.
const ast::ComponentDecl *Frontend::choose() {
  bool wantsLayer = !options.layer.empty();
  const std::string &wanted = wantsLayer ? options.layer : options.model;
  const ast::ComponentDecl *chosen = nullptr;
  std::vector<std::string> names;
  for (const ast::ComponentDecl *component : mainFile.components) {
    if (component->isModel == wantsLayer)
      continue;
    names.push_back(component->name.text.str());
    if (wanted.empty() || component->name.text == wanted)
      chosen = component;
  }
  if (wantsLayer && !chosen)
    if (auto it = declarations.layers.find(wanted); it != declarations.layers.end())
      chosen = it->second;
  if (chosen || wanted.empty())
    return chosen;
  Diagnostic &missing = engine.report(
      DiagnosticCode::E0603, {}, llvm::Twine("there is no ") + (wantsLayer ? "layer" : "model") + " `" + wanted + "`");
  if (std::string suggestion = suggest(wanted, names); !suggestion.empty())
    missing.help(suggestion);
  else if (!names.empty())
    missing.help("the file has `" + llvm::join(names, "`, `") + "`");
  return nullptr;
}

/// Where a layer is not declared, notes what the modules of the standard library have: one may have been meant.
void Frontend::noteLibrary() {
  bool isAsked = false;
  for (const ast::ComponentDecl *component : mainFile.components)
    for (const ast::InstanceDecl &instance : component->instances)
      isAsked |= !instance.isDamaged && !declarations.layers.count(instance.layer.text);
  std::error_code failure;
  for (Entries module(options.stdlibPath, failure), end; isAsked && !failure && module != end;
       module.increment(failure)) {
    std::error_code unreadable;
    for (const std::string &file : sourcesIn(module->path().string(), unreadable)) {
      auto text = llvm::MemoryBuffer::getFile(file);
      DiagnosticEngine ignored;
      ast::Arena scratch;
      if (!text || (*text)->getBufferSize() > maxFileSize)
        continue;
      for (const ast::ComponentDecl *component : parse((*text)->getBuffer(), scratch, ignored).components)
        if (!component->isModel)
          declarations.notImported[component->name.text] = module->path().filename().string();
    }
  }
}

/// Checks a component, and then the sides of its `if`s that are not in the resulting model.
CheckedModel Frontend::checkSides(const ast::ComponentDecl &component, SemaOptions sema, SemaBudget &budget) {
  BranchCoverage branches;
  sema.branches = &branches;
  sema.index = options.index;
  sema.warnsOfUnused = options.warnsOfUnused;
  CheckedModel model = Sema(declarations, engine, sema, budget).run(component);
  SemaBudget ofSides;
  ofSides.isQuiet = true;
  while (!engine.hasErrors() && branches.startNext())
    Sema(declarations, engine, sema, ofSides).run(component);
  return model;
}

std::optional<CheckedModel> Frontend::check(bool needsModel) {
  noteLibrary();
  const ast::ComponentDecl *chosen = choose();
  std::optional<CheckedModel> result;
  SemaBudget budget;
  for (const ast::ComponentDecl *component : mainFile.components) {
    if (component->isDamaged || component == chosen)
      continue;
    SemaOptions sema;
    sema.generic = true;
    checkSides(*component, sema, budget);
  }
  if (!chosen && needsModel && engine.numErrors() == 0) // else those say more
    engine.report(DiagnosticCode::E0603, {mainBegin, mainBegin}, "there is no model in this file")
        .help(mainFile.components.empty() ? "`model NAME(in: dim) { ... }` declares one"
                                          : "a layer can be compiled alone: `--layer=NAME`");
  if (chosen && !chosen->isDamaged) {
    SemaOptions sema;
    sema.defines = options.defines;
    sema.given = options.given;
    result = checkSides(*chosen, sema, budget);
  }
  return engine.hasErrors() ? std::nullopt : std::move(result);
}

/// The elements of a vertex, if the source or -D says.
static std::optional<int64_t> knownWidth(const CheckedModel &model, const Input &input) {
  const DimExpr width =
      input.sparse ? model.vertexTypes[model.relations[input.relation].sourceType].rows : input.type.shape.front();
  auto fixed = [&](llvm::StringRef name) -> std::optional<DimExpr> {
    auto dim = llvm::find_if(model.dims, [&](const Dimension &each) { return each.name == name; });
    return dim != model.dims.end() && dim->fixed >= 0 ? std::optional<DimExpr>(DimExpr(dim->fixed)) : std::nullopt;
  };
  const std::optional<DimExpr> known = width.substitute(fixed);
  return known ? known->constant() : std::nullopt;
}

std::optional<CheckedModel> Frontend::checkInForm(const ast::ComponentDecl &component, const std::string &input,
                                                  bool isSparse) {
  DiagnosticEngine quiet;
  SemaOptions sema;
  sema.defines = options.defines;
  sema.given = options.given;
  sema.warnsOfUnused = false;
  sema.form = {input, isSparse};
  SemaBudget budget;
  CheckedModel model = Sema(declarations, quiet, sema, budget).run(component);
  return quiet.hasErrors() ? std::nullopt : std::optional<CheckedModel>(std::move(model));
}

std::optional<InputForms> Frontend::inputForms(const CheckedModel &model) {
  const ast::ComponentDecl *chosen = choose();
  for (auto [index, input] : llvm::enumerate(model.inputs)) {
    const bool isRow = input.sparse || (input.type.kind == GraphKind::V && input.type.shape.size() == 1);
    const bool isReal = input.type.element == ElementKind::Real || input.type.element == ElementKind::F32 ||
                        input.type.element == ElementKind::F64;
    if (input.isTarget || !isRow || !isReal || knownWidth(model, input).value_or(leastSparseWidth) < leastSparseWidth)
      continue;
    std::optional<CheckedModel> sparse = checkInForm(*chosen, input.name, /*isSparse=*/true);
    std::optional<CheckedModel> dense = sparse ? checkInForm(*chosen, input.name, /*isSparse=*/false) : std::nullopt;
    if (dense)
      return InputForms{unsigned(index), std::move(*dense), std::move(*sparse)};
  }
  return std::nullopt;
}
