//===- CommandLine.cpp - The command line of gnnc -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/CommandLine.h"
#include "compiler/Driver/Options.h"
#include "compiler/Support/Installation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <map>

using namespace gnnc;

static const char *const examples = R"(Examples:
  gnnc gcn.gnn                         gcn.so, gcn.h, gcn.hpp, gcn.json in this folder
  gnnc gcn.gnn -D in=1433 -o m/gcn.so  with a dimension fixed
  gnnc gcn.gnn --emit=star             how the model is fused
  gnnc explain gcn.gnn                 what is fused, kept and read, step by step
  gnnc explain E0311                   what an error means
  gnnc explain GCNConv                 what a layer computes)";

static const std::map<std::string, Emit> emits = {
    {"so", Emit::SharedLibrary}, {"ast", Emit::Ast},          {"gnn", Emit::Gnn},         {"star", Emit::Star},
    {"gpu", Emit::Gpu},          {"ptx", Emit::Ptx},          {"cubin", Emit::Cubin},     {"loops", Emit::Loops},
    {"llvm", Emit::Llvm},        {"asm", Emit::Assembly},     {"program", Emit::Program}, {"obj", Emit::Object},
    {"header", Emit::Header},    {"manifest", Emit::Manifest}};

static const std::map<std::string, pt2::Stage> importStages = {{"graph", pt2::Stage::Graph},
                                                               {"functional", pt2::Stage::Functional},
                                                               {"terms", pt2::Stage::Terms},
                                                               {"program", pt2::Stage::Program}};

namespace {

/// Texts as given; turned into `Options` once CLI11 is done.
struct RawOptions {
  std::vector<std::string> defines;
  std::vector<std::string> targets, schedule;
  std::string time = "60s", like;
  std::string real = "f32", storage = "f32", emit = "so", diagnostics = "rich", colour = "auto", edgeProducts = "auto",
              products = "both", productInputs = "f32", inputs = "both", keep = "fast", importStage = "program";
};

[[noreturn]] void usageError(const std::string &message) { throw CLI::ValidationError(message); }

void setUp(CLI::App &app, Options &options, RawOptions &raw) {
  app.footer(examples);
  app.add_option("-D", raw.defines, "give a dimension or number of the model a value")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("-I", options.frontend.importPaths, "look for imported files in this folder too")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("--schedule", raw.schedule,
                 "set a knob of a kernel, a layer, a field or, without a name, of all kernels")
      ->type_name("[NAME.]KNOB=VALUE")
      ->allow_extra_args(false);
  app.add_option("--tuning", options.tuningFile,
                 "read schedules from this file (default: the .tuning file beside the source, if there is one); none: "
                 "from nowhere")
      ->type_name("FILE");
  app.add_option("--like", raw.like, "of several graphs of the tuning file, take the one most like this")
      ->type_name("VERTICES,EDGES");
  app.add_option("--diagnostics", raw.diagnostics, "how errors are shown")
      ->check(CLI::IsMember({"rich", "short", "json"}));
  app.add_option("--sarif", options.sarif,
                 "write errors and warnings to this file too, as SARIF 2.1.0; - is the standard output")
      ->type_name("FILE");
  app.add_option("--error-limit", options.frontend.errorLimit, "how many errors are shown (default: 20); 0: all");
  app.add_flag("--warnings-as-errors", options.warningsAreErrors, "fail if there are warnings");
  app.add_option_function<std::string>(
         "-W", [&](const std::string &) { options.warningsAreErrors = true; }, "-Werror: fail if there are warnings")
      ->type_name("error")
      ->check(CLI::IsMember({"error"}));
  app.add_option("--color", raw.colour, "colour on terminals")->check(CLI::IsMember({"auto", "always", "never"}));
  app.add_option("--model", options.frontend.model, "which model of the file (default: the last)")->type_name("NAME");
  app.add_option("--layer", options.frontend.layer, "compile this layer alone")->type_name("NAME")->excludes("--model");
  app.add_option("--given", options.frontend.given,
                 "inputs that the layer has, of those that calls may leave out (default: none)")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs("--layer");
}

void setUpCompile(CLI::App &app, Options &options, RawOptions &raw) {
  app.add_option("FILE", options.file, "a model; - is the standard input");
  app.add_option("-o", options.output, "what to write; - is the standard output")->type_name("FILE");
  app.add_option("--real", raw.real, "type of real numbers")->check(CLI::IsMember({"f32", "f64"}));
  app.add_option("--storage", raw.storage,
                 "how features and what steps keep of vertices and edges are stored (default: f32); all is computed "
                 "with f32")
      ->check(CLI::IsMember({"f32", "bf16", "f16"}));
  app.add_option(
         "--target", raw.targets,
         "instruction sets (default: cpu, which is x86-64-v2,x86-64-v3,x86-64-v4; host is this machine's) and devices "
         "(sm_80,sm_90); for --emit=ptx and --emit=cubin one device")
      ->delimiter(',')
      ->type_name("LIST")
      ->allow_extra_args(false);
  app.add_option("--edge-products", raw.edgeProducts,
                 "where products of both ends of edges are computed (default: where it costs less)")
      ->check(CLI::IsMember({"auto", "edges", "vertices"}));
  app.add_option(
         "--products", raw.products,
         "whether products come before or after the sums over edges that they commute with (default: the library "
         "has both, and the runtime chooses)")
      ->check(CLI::IsMember({"both", "first", "last"}));
  app.add_option("--product-inputs", raw.productInputs,
                 "what the numbers are rounded to that dense products multiply (default: f32, which is as they are); "
                 "sums are f32")
      ->check(CLI::IsMember({"f32", "bf16"}));
  app.add_option("--inputs", raw.inputs,
                 "forms of an input that nothing reads elementwise: as the source declares it, or both (default: the "
                 "runtime chooses, by how many zeros it has)")
      ->check(CLI::IsMember({"both", "declared"}));
  app.add_option("--keep", raw.keep,
                 "what training keeps of its forward pass for the backward pass: what makes it fast, or the least")
      ->check(CLI::IsMember({"fast", "least"}));
  app.add_flag("--vjp", options.vjp,
               "make the model a differentiable function too: its outputs, then gradients by parameters and inputs for "
               "gradients of the outputs that the caller gives");
  app.add_option("--emit", raw.emit, "the stage to write (default: the library)")->check(CLI::IsMember(&emits));
  app.add_option("--dump-phases", options.dumpFolder, "write what each phase gives to this folder")->type_name("DIR");
  app.add_option("--depfile", options.depfile, "write the files that were read, as a Makefile rule")->type_name("FILE");
  app.add_flag("--time-phases", options.timePhases, "print the time that each phase took");
  app.add_flag("--resource-usage", options.resourceUsage, "print registers, memory and occupancy of device functions");
  app.add_flag("-q,--quiet", options.quiet, "print errors only");
  // Not in the help: only programs that have AddressSanitizer's runtime, as ours do in tests, can load such a library.
  app.add_flag_callback("--check-memory", [&] { options.effort = CodeEffort::Checked; })
      ->envname("GNNC_CHECK_MEMORY")
      ->group("");
  // Not in the help: for tests of gnnc itself. The runtime reads the same variable.
  app.add_flag("--poison", options.poisons)->envname("GNN_POISON")->group("");
}

/// Returns an error message if `text` does not name a device, else an empty string.
std::string isDeviceName(const std::string &text) {
  llvm::StringRef number(text);
  unsigned index = 0;
  if (text == "cpu" || text == "cuda" || (number.consume_front("cuda:") && !number.getAsInteger(10, index)))
    return "";
  return "unknown device '" + text + "'; there are cpu, cuda, cuda:N";
}

void readTargets(Options &options, const std::vector<std::string> &targets) {
  std::vector<Isa> isas;
  std::vector<llvm::StringRef> chips;
  for (const std::string &name : targets) {
    std::optional<Isa> isa = name == "host" ? hostIsa() : parseIsa(name);
    if (name == "cpu")
      llvm::append_range(isas, allIsas());
    else if (isa)
      isas.push_back(*isa);
    else if (parseChip(name))
      chips.push_back(name);
    else
      usageError("--target: unknown instruction set or device '" + name + "' (gnnc targets lists them)");
  }
  for (Isa isa : allIsas())
    if (isas.empty() || llvm::is_contained(isas, isa))
      options.isas.push_back(isa);
  for (const Chip &chip : allChips())
    if (llvm::is_contained(chips, chip.name))
      options.chips.push_back(chip);
  bool isCode = options.emit == Emit::Ptx || options.emit == Emit::Cubin;
  bool isOfDevice = options.emit == Emit::Gpu || isCode || !options.chips.empty();
  static constexpr Emit withoutDevices[] = {Emit::Ast, Emit::Gnn, Emit::Star, Emit::Loops, Emit::Llvm, Emit::Assembly};
  if (!options.chips.empty() && llvm::is_contained(withoutDevices, options.emit))
    usageError("--target: this stage is none of code for devices; --emit=gpu, ptx and cubin are");
  if (options.resourceUsage && options.chips.empty())
    usageError("--resource-usage is of device functions: --target=sm_90");
  if (isOfDevice && options.real == RealType::F64)
    usageError("--real=f64: device code computes with f32");
  if (isOfDevice && options.roundsProducts)
    usageError("--product-inputs=bf16: products on devices take f32 inputs");
  if (isCode && options.chips.size() != 1)
    usageError("code for devices is written for one: --target=sm_90");
}

void finish(Options &options, const RawOptions &raw) {
  options.emit = emits.at(raw.emit);
  options.importStage = importStages.at(raw.importStage);
  options.real = raw.real == "f64" ? RealType::F64 : RealType::F32;
  options.storage = star::symbolizeStorage(raw.storage).value_or(star::Storage::Elements);
  if (options.real == RealType::F64 && star::isNarrow(options.storage))
    usageError("--storage=" + raw.storage + ": numbers of --real=f64 are stored as they are");
  options.edgeProducts = raw.edgeProducts == "edges"      ? gnnc::gnn::EdgeProducts::Edges
                         : raw.edgeProducts == "vertices" ? gnnc::gnn::EdgeProducts::Vertices
                                                          : gnnc::gnn::EdgeProducts::Auto;
  options.products = raw.products == "first"  ? gnnc::gnn::Products::First
                     : raw.products == "last" ? gnnc::gnn::Products::Last
                                              : gnnc::gnn::Products::Both;
  options.roundsProducts = raw.productInputs == "bf16";
  if (options.roundsProducts && options.real == RealType::F64)
    usageError("--product-inputs=bf16 requires --real=f32: products of --real=f64 take f64 inputs");
  options.bothInputForms = raw.inputs == "both";
  options.keep = raw.keep == "least" ? gnnc::gnn::Keep::Least : gnnc::gnn::Keep::Fast;
  options.diagnostics = raw.diagnostics == "short"  ? DiagnosticFormat::Short
                        : raw.diagnostics == "json" ? DiagnosticFormat::Json
                                                    : DiagnosticFormat::Rich;
  bool terminal = llvm::sys::Process::StandardErrHasColors() && !llvm::sys::Process::GetEnv("NO_COLOR");
  options.colour = raw.colour == "always" || (raw.colour == "auto" && terminal);
  for (const std::string &define : raw.defines) {
    auto [name, value] = llvm::StringRef(define).split('=');
    if (name.empty() || value.empty())
      usageError("-D: expected NAME=VALUE, found '" + define + "'");
    options.frontend.defines.emplace_back(name, value);
  }
  for (const std::string &text : raw.schedule) {
    llvm::Expected<ScheduleRequest> request = parseScheduleRequest(text);
    if (!request)
      usageError("--schedule: " + llvm::toString(request.takeError()));
    options.schedule.push_back(*request);
  }
  if (llvm::StringRef time(raw.time); !time.empty()) {
    double unit = time.consume_back("m") ? 60 : (time.consume_back("s"), 1);
    if (time.getAsDouble(options.seconds) || !(options.seconds > 0) || !std::isfinite(options.seconds))
      usageError("--time: expected a time such as 90s or 5m, found '" + raw.time + "'");
    options.seconds *= unit;
  }
  if (!raw.like.empty()) {
    auto [vertices, edges] = llvm::StringRef(raw.like).split(',');
    GraphStatistics like;
    if (vertices.getAsInteger(10, like.vertices) || edges.getAsInteger(10, like.edges) || like.vertices < 0 ||
        like.edges < 0)
      usageError("--like: expected VERTICES,EDGES, found '" + raw.like + "'");
    options.likeGraph = like;
  }
  readTargets(options, raw.targets);
  if (options.command == Command::Compile && options.file == "-" && options.output.empty() &&
      options.emit == Emit::SharedLibrary)
    usageError("a library compiled from the standard input needs -o");
  const bool isText = options.command == Command::Import;
  if (!isText && (options.emit == Emit::SharedLibrary || options.emit == Emit::Object || options.emit == Emit::Cubin) &&
      options.output == "-")
    usageError("only text is written to the standard output");
}

} // namespace

/// `text` as one word of a shell.
static std::string shellWord(llvm::StringRef text) {
  auto isPlain = [](char c) { return llvm::isAlnum(c) || llvm::StringRef("_-+=.,:/@").contains(c); };
  if (!text.empty() && llvm::all_of(text, isPlain))
    return text.str();
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string gnnc::commandOf(const Options &options) {
  std::string text = "gnnc " + shellWord(llvm::sys::path::filename(options.file));
  auto add = [&](llvm::StringRef option, llvm::StringRef value) {
    if (!value.empty())
      text += (" " + option).str() + shellWord(value);
  };
  for (const auto &[name, value] : options.frontend.defines)
    add("-D ", name + "=" + value);
  for (const std::string &folder : options.frontend.importPaths)
    add("-I ", folder);
  add("--model=", options.frontend.model);
  add("--layer=", options.frontend.layer);
  add("--given=", llvm::join(options.frontend.given, ","));
  add("--real=", options.real == RealType::F64 ? "f64" : "");
  add("--storage=", star::isNarrow(options.storage) ? star::stringifyStorage(options.storage) : "");
  add("--edge-products=", options.edgeProducts == gnnc::gnn::EdgeProducts::Edges      ? "edges"
                          : options.edgeProducts == gnnc::gnn::EdgeProducts::Vertices ? "vertices"
                                                                                      : "");
  add("--products=", options.products == gnnc::gnn::Products::First  ? "first"
                     : options.products == gnnc::gnn::Products::Last ? "last"
                                                                     : "");
  add("--product-inputs=", options.roundsProducts ? "bf16" : "");
  add("--inputs=", options.bothInputForms ? "" : "declared");
  add("--keep=", options.keep == gnnc::gnn::Keep::Least ? "least" : "");
  if (options.vjp)
    text += " --vjp";
  std::vector<std::string> targets;
  if (options.isas.size() != allIsas().size() || !options.chips.empty())
    for (Isa isa : options.isas)
      targets.push_back(isaName(isa).str());
  for (const Chip &chip : options.chips)
    targets.push_back(chip.name.str());
  add("--target=", llvm::join(targets, ","));
  for (const ScheduleRequest &request : options.schedule)
    add("--schedule=", (request.subject.empty() ? "" : request.subject + ".") + request.knob->name.str() + "=" +
                           std::to_string(request.value));
  add("--tuning=", options.tuningFile);
  if (options.effort == CodeEffort::Checked)
    text += " --check-memory";
  if (options.poisons)
    text += " --poison";
  if (options.likeGraph)
    add("--like=", std::to_string(options.likeGraph->vertices) + "," + std::to_string(options.likeGraph->edges));
  return text;
}

std::optional<Options> gnnc::parseCommandLine(int argc, char **argv, int &exitCode) {
  Options options;
  RawOptions raw;
  options.frontend.stdlibPath = stdlibFolder(argv[0]);

  CLI::App app("Compiles a graph neural network to a shared library.", "gnnc");
  setUp(app, options, raw);
  setUpCompile(app, options, raw);
  CLI::App *check = app.add_subcommand("check", "report errors only, write nothing")->fallthrough();
  check->add_option("FILES", options.files, "sources; - is the standard input")->required();
  CLI::App *format = app.add_subcommand("fmt", "lay out sources in the one style, in place")->fallthrough();
  format
      ->add_option("FILES", options.files, "sources or folders of such; - is the standard input, written to the output")
      ->required();
  format->add_flag("--check", options.checkOnly, "only say which files would change; the exit code is 1 if any would");
  CLI::App *explain =
      app.add_subcommand("explain", "say what an error code means, what a layer computes, or what becomes of a model");
  explain->fallthrough();
  explain->add_option("SUBJECT", options.code, "a code, such as E0311, a layer, such as GCNConv, or a model")
      ->required();
  CLI::Option *json = explain->add_flag("--json", options.json, "the report on a model as JSON");
  explain
      ->add_flag("--html", options.html, "the report on a model as a page for a browser, with a drawing of its steps")
      ->excludes(json);
  explain->add_option("--remarks", options.remarks, "write the report as LLVM's remarks (YAML) too")->type_name("FILE");
  CLI::App *import = app.add_subcommand("import", "write the model and the weights of a PyTorch program (.pt2)");
  import->add_option("FILE", options.file, "what torch.export.save of PyTorch 2.8 or later wrote")->required();
  import
      ->add_option("-o", options.output,
                   "the model to write (default: the file's name with .gnn); the weights are written beside it")
      ->type_name("FILE");
  import->add_option("--emit", raw.importStage, "print this stage instead (default: the program)")
      ->check(CLI::IsMember(&importStages));
  import->add_flag("--exist-ok", options.existOk, "replace the files, if there are other ones");
  import->add_flag("-q,--quiet", options.quiet, "print errors only");
  CLI::App *tune = app.add_subcommand("tune", "find out which schedules are the fastest on a data set");
  tune->fallthrough();
  tune->add_option("FILE", options.file, "a model")->required();
  tune->add_option("--data", options.data, "the data set: a folder or a .npz file")->required();
  tune->add_option("--time", raw.time, "how long to measure, 90s or 5m (default: 60s)")->type_name("TIME");
  tune->add_option("--threads", options.threads, "threads to measure with; 0: as many as there are");
  tune->add_option("--device", options.device,
                   "whose schedules to find: cpu (the default), cuda or cuda:N, a GPU, on which is measured")
      ->check(CLI::Validator(isDeviceName, "DEVICE"));
  tune->add_option("--runner", options.runner, "the program that measures (default: gnn-train beside gnnc)")
      ->type_name("PROGRAM");
  CLI::App *targets = app.add_subcommand("targets", "list the instruction sets");
  CLI::App *server = app.add_subcommand("lsp", "serve an editor by the language server protocol")->fallthrough();
  app.require_subcommand(0, 1);

  std::optional<int> code = ::gnn::tools::parseArguments(app, argc, argv);
  if (!code) {
    options.command = *check     ? Command::Check
                      : *format  ? Command::Format
                      : *explain ? Command::Explain
                      : *import  ? Command::Import
                      : *tune    ? Command::Tune
                      : *targets ? Command::Targets
                      : *server  ? Command::LanguageServer
                                 : Command::Compile;
    try {
      if (options.command == Command::Compile && options.file.empty())
        usageError("which model? (gnnc --help)");
      finish(options, raw);
    } catch (const CLI::ParseError &mistake) {
      code = ::gnn::tools::reportMistake(app, mistake);
    }
  }
  if (!code)
    return options;
  exitCode = *code;
  return std::nullopt;
}
