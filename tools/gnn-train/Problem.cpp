//===- Problem.cpp - A model and a data set that fit ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Problem.h"

#include "runtime/src/bind/ChosenProgram.h"
#include "runtime/src/bind/InputChoice.h"
#include "runtime/src/bind/NotFiniteInputs.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Sizes.h"
#include "runtime/src/data/DatasetFolder.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/model/OpenEngine.h"
#include "runtime/src/stream/StreamLayout.h"
#include "runtime/src/train/ModelData.h"
#include "tools/gnn-data/UnreadFiles.h"
#include "tools/gnn-train/Display.h"
#include "tools/gnn-train/LoadingBytes.h"
#include "tools/gnn-train/OrderChoice.h"
#include "tools/gnn-train/RankDevices.h"
#include "tools/gnn-train/StreamOrder.h"

#include <algorithm>
#include <charconv>
#include <malloc.h>

namespace gnn::train_tool {

namespace {

std::string routeOf(const ProblemOptions &options) { return options.route.empty() ? "auto" : options.route; }

rt::Model openModel(const ProblemOptions &options, bool linksRanks) {
  if (options.memoryBytes)
    mallopt(M_MMAP_THRESHOLD, 1 << 17); // what is freed goes back at once, so that it does not count beside the limit
  auto library = rt::Library::open(options.model, options.isa);
  std::string whyProcessor;
  const std::string asked = options.device.empty() ? "cpu" : options.device,
                    device = options.comm ? deviceOfRank(asked, *options.comm) : asked;
  rt::TrainingFacts facts = factsOf(options, device); // before a GPU is looked for
  facts.model = library->name();
  facts.links = rt::scoresPairs(*library);
  rt::checkRules(options, facts, {});
  auto engine =
      rt::openEngine(library, device, unsigned(options.threads.value_or(0)), options.deviceBytes.value_or(0),
                     rt::parsePlanChoice(options.plans.empty() ? "tried" : options.plans, "--plans"), &whyProcessor);
  if (!whyProcessor.empty())
    std::fprintf(stderr, "gnn-train: on the processor: %s\n", whyProcessor.c_str());
  if (options.comm && linksRanks)
    linkRanks(*engine, routeOf(options), *options.comm);
  return {std::move(library), std::move(engine)};
}

/// The transforms that the model asks for, where it has one relation: then the edges are prepared once.
uint32_t transformsOf(const rt::Library &library) {
  uint32_t relations = 0, transforms = 0;
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    if (library.table().relations[r].kind == GNN_RELATION_EDGES) {
      ++relations;
      transforms = library.table().relations[r].transforms;
    }
  return relations == 1 ? transforms : 0;
}

bool isAuto(const std::string &order) { return order.empty() || order == "auto"; }

uint32_t orderOf(const ProblemOptions &options) {
  return options.order == "degree"      ? GNN_ORDER_DEGREE
         : options.order == "locality"  ? GNN_ORDER_LOCALITY
         : options.order == "community" ? GNN_ORDER_COMMUNITY
         : options.order == "metis"     ? GNN_ORDER_METIS
                                        : GNN_ORDER_GIVEN;
}

ProblemOptions withOrder(ProblemOptions options, const std::string &order) {
  options.order = order;
  return options;
}

std::string spillFolderOf(const ProblemOptions &options) {
  return options.spillFolder.empty() ? rt::defaultSpillFolder() : options.spillFolder;
}

/// Samples go back over the edges that they were drawn by, so these and what evaluates splits decide.
bool samplesReadBySource(const rt::Library &library) {
  auto readsBySource = [&](uint32_t kind) {
    const gnn_program_t *program = library.program(kind);
    return program && rt::edgesOfSamples(library, *program).toSource;
  };
  const auto tensors = library.tensors();
  return readsBySource(GNN_PROGRAM_TRAIN) || readsBySource(GNN_PROGRAM_EVALUATE) ||
         std::any_of(tensors.begin(), tensors.end(), [](const gnn_tensor_info_t &info) {
           return info.role == GNN_ROLE_DEGREE_OUT || info.role == GNN_ROLE_COUNT_OUT;
         });
}

bool pagesToSource(const ProblemOptions &options, const rt::Library &library) {
  return options.fanOuts.empty() ? rt::edgeNeeds(library).toSource : samplesReadBySource(library);
}

/// Of the limit.
constexpr uint64_t leastShareToSort = 16;

/// For sorting edges: a quarter of the limit, or half of what is left beside all that has a row for each vertex. 0
/// where that leaves too little.
uint64_t bytesForSorting(const ProblemOptions &options, const rt::Library &library) {
  const uint64_t limit = *options.memoryBytes,
                 taken = bytesToPage(options.data, orderOf(options), pagesToSource(options, library)),
                 left = limit - std::min(taken, limit);
  return left < limit / leastShareToSort ? 0 : std::min(limit / 4, left / 2);
}

rt::PagingOptions pagingFor(const ProblemOptions &options, const rt::Library &library) {
  rt::PagingOptions paging;
  paging.folder = spillFolderOf(options);
  paging.workBytes = bytesForSorting(options, library);
  paging.ids = rt::edgeNeeds(library).ids;
  paging.toSource = pagesToSource(options, library);
  paging.transforms = transformsOf(library);
  paging.order = orderOf(options);
  if (!options.comm || options.comm->rank() == 0)
    paging.onProgress = showShare("preparing edges");
  return paging;
}

/// Whether edges of that order, with the transforms of the first relation, are what all of the library reads.
bool canPageEdges(const ProblemOptions &options, const rt::Library &library) {
  const gnn_library_t &table = library.table();
  bool can = rt::canPage(transformsOf(library), orderOf(options));
  for (uint32_t r = 0; r < table.num_relations; ++r) {
    const gnn_relation_t &relation = table.relations[r];
    if (relation.kind != GNN_RELATION_EDGES)
      continue;
    const bool isByIds = table.vertex_types[relation.source_type].rows >= 0; // parameters have rows for vertices
    can &= relation.transforms == transformsOf(library) && (!isByIds || orderOf(options) == GNN_ORDER_GIVEN);
  }
  return can;
}

/// Whether binding the edges makes others of them.
bool isTransformedLater(const rt::Library &library, const rt::EdgeSet &edges) {
  const gnn_library_t &table = library.table();
  return std::any_of(table.relations, table.relations + table.num_relations, [&](const gnn_relation_t &relation) {
    const bool isByIds = table.vertex_types[relation.source_type].rows >= 0; // parameters have rows for vertices
    return relation.kind == GNN_RELATION_EDGES &&
           ((relation.transforms & ~edges.transforms()) != 0 || (isByIds && edges.order()));
  });
}

/// Of memory, where edges are prepared outside of it: what has a row for each vertex is there in any case.
uint64_t leastToPage(const ProblemOptions &options, const rt::Library &library) {
  const uint64_t taken = bytesToPage(options.data, orderOf(options), pagesToSource(options, library));
  return taken + taken / (leastShareToSort - 1) + 2;
}

void requireRoomForVertices(const ProblemOptions &options, const rt::Library &library) {
  rt::require(bytesForSorting(options, library) > 0, GNN_ERROR_MEMORY, library.name(), " does not fit in ",
              rt::sizeText(*options.memoryBytes), " of memory: to read ", options.data, " takes ",
              rt::sizeText(leastToPage(options, library)),
              " at least, for its labels, splits and where the edges of each vertex begin");
}

/// Steps over samples find dense rows in files. Sparse inputs are in memory, so one that is too large is not even read.
void requireRoomForSparse(const ProblemOptions &options, const rt::Library &library) {
  const std::map<std::string, uint64_t> sparse = bytesOfSparse(options.data);
  uint64_t bytes = 0;
  std::string names;
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    if (const gnn_relation_t &relation = library.table().relations[r]; relation.kind == GNN_RELATION_SPARSE_INPUT)
      if (auto found = sparse.find(relation.name); found != sparse.end()) {
        bytes += found->second;
        names += (names.empty() ? "" : ", ") + found->first;
      }
  rt::require(bytes <= *options.memoryBytes, GNN_ERROR_MEMORY, library.name(), " does not fit in ",
              rt::sizeText(*options.memoryBytes), " of memory: samples keep sparse inputs there, and ", names, " of ",
              options.data, " take ", rt::sizeText(bytes), " at least");
}

/// Splits stay as they are; metrics are of one at a time.
uint64_t bytesHeld(const std::map<std::string, rt::Tensor> &splits) {
  uint64_t bytes = 0, largest = 0;
  for (const auto &[name, ids] : splits) {
    bytes += ids.bytes();
    largest = std::max(largest, uint64_t(ids.count()));
  }
  return bytes + rt::RowEvaluator::bytesOfMetrics(largest);
}

/// Of the limit, if there is one. What is drawn of the data, or spilled in memory beside a GPU, takes some of it before
/// the data are given up.
uint64_t roomForData(const ProblemOptions &options) {
  const uint64_t all = options.memoryBytes.value_or(UINT64_MAX);
  return options.fanOuts.empty() && !options.deviceBytes ? all : all / 2;
}

/// Whether preparing the edges in memory would take more of the limit than is good, and can be done outside of it.
bool pagesEdges(const ProblemOptions &options, const rt::Library &library) {
  if (!options.memoryBytes || !canPageEdges(options, library))
    return false;
  if (rt::scoresPairs(library) && !rt::hasTrainingPairs(options.data)) // its edges are those, as they are given
    return false;
  return bytesToLoad(options.data, orderOf(options)) > roomForData(options);
}

std::shared_ptr<rt::Dataset> loadData(const ProblemOptions &options, const rt::Library &library) {
  const bool isPaged = pagesEdges(options, library);
  if (options.keepGraph && !isPaged)
    return rt::loadPrepared(options.data, transformsOf(library), orderOf(options),
                            rt::scoresPairs(library) ? rt::GivenEdges::Read : rt::GivenEdges::Left);
  if (!(options.memoryBytes || (options.comm && options.fanOuts.empty())))
    return rt::loadDataset(options.data);
  if (!options.fanOuts.empty())
    requireRoomForSparse(options, library);
  // Whether it can be read: whether it can stay as well is for WithinMemory to say, which may write it to a file.
  if (options.fanOuts.empty() && bytesToLoad(options.data, orderOf(options)) <= roomForData(options))
    return options.comm ? rt::openPaged(options.data, rt::LeftInFiles::OfVertices, nullptr) // a rank reads its part
                        : rt::loadDataset(options.data);
  requireRoomForVertices(options, library);
  const rt::PagingOptions paging = pagingFor(options, library);
  const rt::LeftInFiles left = // samples gather features of edges in memory
      options.fanOuts.empty() ? rt::LeftInFiles::OfAll : rt::LeftInFiles::OfVertices;
  return options.keepGraph ? rt::loadKept(options.data, left, paging)
                           : rt::openPaged(options.data, left, isPaged ? &paging : nullptr);
}

/// Those that are looked through before the first step. Samples read some rows of a file: going over all of it would
/// take longer than an epoch, so that waits until a step is spoilt.
rt::Features lookedThrough(const ProblemOptions &options, rt::Features features) {
  for (auto feature = features.begin(); feature != features.end();)
    feature = !options.fanOuts.empty() && feature->second.file ? features.erase(feature) : std::next(feature);
  return features;
}

} // namespace

void bindFromCommandLine(rt::Dims &dims, const std::vector<std::string> &settings) {
  for (const std::string &setting : settings) {
    const size_t equals = setting.find('=');
    const char *const begin = setting.c_str() + std::min(equals, setting.size() - 1) + 1, *const last =
                                                                                              setting.c_str() +
                                                                                              setting.size();
    int64_t value = -1;
    const auto [end, error] = std::from_chars(begin, last, value);
    rt::require(equals != std::string::npos && error == std::errc() && end == last && value >= 0, GNN_ERROR_ARGUMENT,
                "-D ", setting, ": expected name=value with a whole number from 0 to ", INT64_MAX);
    dims.bind(setting.substr(0, equals), value, "-D " + setting);
  }
}

Problem::Problem(const ProblemOptions &options, const std::string &weights, Edges edges)
    : model(openModel(options, /*linksRanks=*/true)), order(isAuto(options.order) ? "given" : options.order),
      config(rt::configOf(options, *model.library(), model.engine(), options.comm, {})), edgesInGraph(edges) {
  read(options);
  bindFromCommandLine(model.dims(), options.dims);
  chooseInputForm(options);
  const rt::Library &library = *model.library();
  if (!options.comm || options.comm->rank() == 0)
    for (const std::vector<std::string> &lines :
         {data_tool::unreadFiles(options.data), rt::notFiniteInputs(library, lookedThrough(options, features))})
      for (const std::string &line : lines)
        std::fprintf(stderr, "gnn-train: warning: %s: %s\n", data->source.c_str(), line.c_str());
  prepare(options);
  numEdges = graph->numEdges();
  rt::bindDataset(model.dims(), library, *graph, *data, features);
  if (!weights.empty())
    model.load(weights);
  model.materialize();
}

Problem::Problem(const ProblemOptions &options, const Problem &other)
    : model(openModel(options, /*linksRanks=*/false)), data(other.data), features(other.features), graph(other.graph),
      splits(other.splits), later(other.later), order(other.order), config(other.config), numEdges(other.numEdges),
      edgesInGraph(other.edgesInGraph) {
  bindFromCommandLine(model.dims(), options.dims);
  chooseInputForm(options);
  rt::bindDataset(model.dims(), *model.library(), *graph, *data, features);
  model.materialize();
}

/// What was read before makes room.
void Problem::read(const ProblemOptions &options) {
  graph = nullptr;
  features.clear();
  data = nullptr;
  data = loadData(options, *model.library());
  features = rt::featuresFor(*model.library(), *data);
}

/// The edges of what was read.
void Problem::prepare(const ProblemOptions &options) {
  splits = scoresPairs() ? data->pairSplits() : data->splits;
  if (config.memory && !scoresPairs()) // those of pairs count what is known of pairs
    config.memory->held = countedBeside(bytesHeld(splits));
  if (data->dividesEdges() && edgesInGraph == Edges::OfTraining)
    return divide(options);
  graph = data->prepared ? rt::Graph::fromSet(data->prepared)
                         : data->takeGraph(data->hasSchema() ? 0 : transformsOf(*model.library()), orderOf(options));
}

/// Each split has the edges that are known then.
void Problem::divide(const ProblemOptions &options) {
  rt::require(!options.memoryBytes && !options.comm && !options.keepGraph, GNN_ERROR_MISMATCH, data->source,
              ": training knows fewer edges than testing (--by of gnn-data import): leave out --memory, --ranks and "
              "--keep-graph, with which all would see the same edges");
  const rt::Library &library = *model.library();
  if (scoresPairs())
    splits = data->knownTo("train").pairSplits(); // whose edges may be those of training
  const auto knownTo = [&](const std::string &split) {
    rt::Dataset part = data->knownTo(split);
    rt::TrainingData known{nullptr, rt::featuresFor(library, part), data->source};
    if (scoresPairs())
      known.knownPairs = splits;
    known.graph = part.takeGraph(part.hasSchema() ? 0 : transformsOf(library), orderOf(options));
    return known;
  };
  rt::TrainingData train = knownTo("train");
  graph = train.graph;
  features = train.features;
  for (const auto &[split, ids] : splits)
    if (split != "train")
      later[split] = knownTo(split);
}

void Problem::chooseInputForm(const ProblemOptions &options) {
  const rt::Library &library = *model.library();
  const std::optional<rt::FormedInput> formed = rt::formedInput(library);
  const std::optional<rt::InputForm> asked =
      rt::parseInputForm(options.inputs.empty() ? "auto" : options.inputs, "--inputs");
  if (!asked && !formed)
    return;
  const rt::InputChoice choice =
      asked ? rt::InputChoice{*asked, "as asked for"} : rt::chooseInputForm(library, features);
  model.setInputForm(choice.form);
  if (formed)
    input = {library.tensor(formed->table).name, rt::formName(choice.form), choice.why};
}

std::string Problem::chooseOrder(const ProblemOptions &options, int64_t epochs) {
  if (!isAuto(options.order))
    return "as asked for";
  if (config.memory && model.engine().device() == "cpu" && options.fanOuts.empty())
    return chooseOrderOfStream(options, epochs);
  // Samples draw edges by their order, and nothing was measured of the others.
  if (!options.fanOuts.empty() || config.memory || data->hasSchema() || scoresPairs() || graph->edgeSet().order() ||
      model.engine().device() != "cpu")
    return "another is for steps over whole graphs in memory";
  OrderChoice choice = train_tool::chooseOrder(graph->edgeSet(), *model.library(), model.dims(), epochs);
  if (choice.order) {
    graph = rt::Graph::fromSet(rt::EdgeSet::reordered(graph->edgeSet(), std::move(choice.order)));
    order = "community";
  }
  return choice.why;
}

void Problem::dropEdgeIds(const ProblemOptions &options) {
  const rt::Library &library = *model.library();
  const bool isOverWholeGraph =
      options.fanOuts.empty() && !config.memory && !options.comm && !model.engine().hasDeviceMemory();
  if (!isOverWholeGraph || data->hasSchema() || scoresPairs() || rt::edgeNeeds(library).ids ||
      isTransformedLater(library, graph->edgeSet()))
    return;
  graph = rt::Graph::fromSet(rt::EdgeSet::withoutIds(graph->edgeSet()));
}

/// Those whose edges are prepared within the limit, as the given order's are.
std::vector<uint32_t> Problem::ordersToTry(const ProblemOptions &options) const {
  const rt::Library &library = *model.library();
  std::vector<uint32_t> orders;
  for (const char *name : {"degree", "community"}) {
    const ProblemOptions inOrder = withOrder(options, name);
    const bool isPaged = pagesEdges(inOrder, library);
    const bool fits = isPaged ? bytesForSorting(inOrder, library) > 0
                              : bytesToLoad(options.data, orderOf(inOrder)) <= *options.memoryBytes;
    if (fits)
      orders.push_back(orderOf(inOrder));
  }
  return orders;
}

/// Who says how many intervals there are wants the bits of another run.
std::string Problem::chooseOrderOfStream(const ProblemOptions &options, int64_t epochs) {
  const rt::Library &library = *model.library();
  if (options.comm || options.intervals || !options.memoryBytes)
    return "another is for one process that chooses how many intervals there are";
  if (data->hasSchema() || scoresPairs() || graph->edgeSet().order() || !splits.count("train") ||
      !library.program(GNN_PROGRAM_TRAIN) || !library.program(GNN_PROGRAM_EVALUATE))
    return "another is for training over one relation";
  uint32_t isIn = GNN_ORDER_GIVEN;
  auto putIn = [&](uint32_t asked, bool keeps) {
    ProblemOptions inOrder = withOrder(options, nameOfOrder(asked));
    inOrder.keepGraph = keeps;
    read(inOrder);
    prepare(inOrder);
    isIn = asked;
  };
  auto planIn = [&](uint32_t asked) -> std::optional<rt::StreamPlan> {
    if (asked != isIn)
      putIn(asked, /*keeps=*/false);
    try {
      return rt::planOfTraining(model, {graph, features, data->source}, *config.memory);
    } catch (const Error &error) {
      if (error.code() != GNN_ERROR_MEMORY || asked == GNN_ORDER_GIVEN)
        throw;
      return std::nullopt;
    }
  };
  const StreamOrder choice = chooseStreamOrder(numEdges, epochs, ordersToTry(options), planIn);
  if (choice.order != isIn || (options.keepGraph && isIn != GNN_ORDER_GIVEN))
    putIn(choice.order, options.keepGraph);
  order = nameOfOrder(choice.order);
  return choice.why;
}

bool Problem::scoresPairs() const { return rt::scoresPairs(*model.library()); }

rt::TrainingData Problem::trainingData() const {
  if (scoresPairs())
    return {graph, features, data->source, splits};
  rt::requireSplitsOfLoss(*model.library(), *graph, *data);
  return {graph, features, data->source};
}

/// Evaluates each split on what is known then.
class EvaluationInTime : public rt::Evaluator {
public:
  EvaluationInTime(std::unique_ptr<rt::Evaluator> ofTraining, std::map<std::string, rt::Training> laterSplits)
      : training(std::move(ofTraining)), later(std::move(laterSplits)) {}

  void run() override {
    training->run();
    for (auto &[split, evaluated] : later)
      evaluated.evaluation->run();
  }
  rt::Metrics metrics(const rt::Tensor &split, const std::string &name, bool inFull,
                      const rt::RankingReport &report) const override {
    const auto found = later.find(name);
    const rt::Evaluator &evaluator = found == later.end() ? *training : *found->second.evaluation;
    return evaluator.metrics(split, name, inFull, report);
  }

private:
  const std::unique_ptr<rt::Evaluator> training;
  std::map<std::string, rt::Training> later;
};

void Problem::evaluateLater(rt::Training &training) {
  if (later.empty() || !training.evaluation)
    return;
  std::map<std::string, rt::Training> opened;
  for (const auto &[split, known] : later)
    opened.emplace(split, rt::openEvaluation(model, known, config));
  training.evaluation = std::make_unique<EvaluationInTime>(std::move(training.evaluation), std::move(opened));
}

rt::Training Problem::openEvaluation() {
  rt::Training training = rt::openEvaluation(model, trainingData(), config);
  evaluateLater(training);
  return training;
}

rt::Training Problem::openTraining(bool keepsData) {
  rt::TrainingData trained = trainingData();
  if (!keepsData)
    releaseData(); // before memory is filled
  rt::Training training = rt::openTraining(model, std::move(trained), splits.at("train"), "train", config);
  evaluateLater(training);
  return training;
}

std::optional<uint64_t> Problem::leastLimit(const ProblemOptions &options) {
  const rt::Library &library = *model.library();
  if (scoresPairs() || model.engine().device() != "cpu" || order != "given") // another order takes memory
    return std::nullopt;
  for (uint32_t kind : {GNN_PROGRAM_TRAIN, GNN_PROGRAM_EVALUATE})
    if (!rt::StreamLayout::obstacle(library, *library.program(kind), /*isDevice=*/false, /*isRank=*/false).empty())
      return std::nullopt;
  rt::MemoryLimit limit = config.memory.value_or(rt::MemoryLimit{/*bytes=*/0, spillFolderOf(options)});
  limit.held = countedBeside(bytesHeld(splits));
  const uint64_t all = bytesToLoad(options.data, orderOf(options)),
                 read = canPageEdges(options, library) ? std::min(all, leastToPage(options, library)) : all;
  return std::max<uint64_t>(read, rt::leastLimitOfTraining(model, trainingData(), limit));
}

void Problem::releaseData() {
  graph = nullptr;
  later.clear();
  features.clear();
  data->prepared = nullptr;
  data->labels = rt::Tensor();
  data->vertexFeatures.clear();
  data->edgeFeatures.clear();
  for (rt::EdgeTable &relation : data->relations)
    relation.features.clear();
  for (rt::VertexTable &table : data->vertexTypes)
    table.features.clear();
}

std::unique_ptr<rt::Executor> inferenceWithin(Problem &problem, rt::Binding &binding,
                                              std::unique_ptr<rt::WithinMemory> &within) {
  rt::Model &model = problem.model;
  const rt::Library &library = *model.library();
  const gnn_program_t &infer = *library.program(GNN_PROGRAM_INFER);
  size_t outputs = 0; // which are whole for a moment
  for (uint32_t i = 0; i < infer.num_results; ++i)
    outputs += binding.tensorBytes(infer.results[i]);
  within = rt::openWithin(model, binding, {&infer}, model.engine().chargedBytes(model.parameterBytes() + outputs),
                          *problem.config.memory);
  return std::move(within->takeExecutors()[0]);
}

std::string planText(const rt::WithinMemory &within) {
  const rt::StreamPlan &plan = within.plan();
  const rt::Streamed *together = within.onDevices(0);
  const char *byWork = plan.by == rt::CutBy::Work ? " by work" : "";
  char text[280];
  if (plan.parts == 0)
    std::snprintf(text, sizeof text, "the whole graph is in memory: %zu bytes", plan.bytes);
  else if (together && within.isLimitedHere())
    std::snprintf(text, sizeof text,
                  "streamed in %lld intervals of vertices%s by %zu GPUs (%s): %zu bytes of each one's memory, %llu of "
                  "this machine's, %llu in files",
                  static_cast<long long>(plan.parts), byWork, together->numDevices(), rt::nameOf(together->route()),
                  plan.bytes, static_cast<unsigned long long>(plan.hostBytes),
                  static_cast<unsigned long long>(plan.belowBytes + plan.dataBytes));
  else if (together)
    std::snprintf(text, sizeof text,
                  "streamed in %lld intervals of vertices%s by %zu GPUs (%s): %zu bytes of each one's memory, %llu of "
                  "this machine's",
                  static_cast<long long>(plan.parts), byWork, together->numDevices(), rt::nameOf(together->route()),
                  plan.bytes, static_cast<unsigned long long>(plan.fileBytes));
  else if (within.isLimitedHere())
    std::snprintf(text, sizeof text,
                  "streamed in %lld interval%s of vertices%s: %zu bytes of the GPU's memory, %llu of this machine's, "
                  "%llu in files",
                  static_cast<long long>(plan.parts), plan.parts == 1 ? "" : "s", byWork, plan.bytes,
                  static_cast<unsigned long long>(plan.hostBytes),
                  static_cast<unsigned long long>(plan.belowBytes + plan.dataBytes));
  else if (within.below())
    std::snprintf(text, sizeof text,
                  "streamed in %lld interval%s of vertices%s: %zu bytes of the GPU's memory, %llu of this machine's",
                  static_cast<long long>(plan.parts), plan.parts == 1 ? "" : "s", byWork, plan.bytes,
                  static_cast<unsigned long long>(plan.fileBytes));
  else
    std::snprintf(text, sizeof text, "streamed in %lld interval%s of vertices%s: %zu bytes of memory, %llu%s in a file",
                  static_cast<long long>(plan.parts), plan.parts == 1 ? "" : "s", byWork, plan.bytes,
                  static_cast<unsigned long long>(plan.fileBytes), plan.isFileInMemory ? " of them" : "");
  return text;
}

nlohmann::json trafficJson(const rt::Spill::Traffic &of, bool isCopied) {
  if (isCopied)
    return {{"tables_to_device", of.read[rt::Spill::Tables]},
            {"edges_to_device", of.read[rt::Spill::Edges]},
            {"tables_to_host", of.written[rt::Spill::Tables]}};
  return {{"tables_read", of.read[rt::SpillFile::Tables]},
          {"tables_written", of.written[rt::SpillFile::Tables]},
          {"edges_read", of.read[rt::SpillFile::Edges]}};
}

nlohmann::json planJson(const rt::WithinMemory &within) {
  const rt::StreamPlan &plan = within.plan();
  const bool isOfDevice = within.isOfDevice();
  nlohmann::json json{{"intervals", plan.parts},
                      {isOfDevice ? "device_bytes" : "memory_bytes", plan.bytes},
                      {isOfDevice ? "host_bytes" : "file_bytes", plan.fileBytes}};
  if (plan.parts > 0) {
    json["cut"] = rt::nameOf(plan.by);
    if (!isOfDevice)
      json["look_ahead_bytes"] = plan.ahead;
    json["step"] = trafficJson(within.streamed(0).traffic().host, isOfDevice);
    json["step"]["tables_passed_over"] = within.streamed(0).traffic().passedOver;
    if (!isOfDevice || within.isLimitedHere())
      json["scattered_rows"] = within.readsTogether() ? "io_uring" : "pread";
  }
  if (within.isLimitedHere()) {
    json["memory_bytes"] = plan.hostBytes;
    json["file_bytes"] = plan.belowBytes;
    json["data_bytes"] = plan.dataBytes;
    if (plan.parts > 0)
      json["step"].update(trafficJson(within.streamed(0).traffic().below));
  }
  if (const double seconds = isOfDevice && plan.parts > 0 ? within.streamed(0).stepSeconds() : 0; seconds > 0)
    json["step_seconds"] = seconds;
  if (within.file())
    json["so_far"] = trafficJson(within.file()->traffic(), isOfDevice);
  if (within.file() && within.isLimitedHere())
    json["so_far"].update(trafficJson(within.below()->traffic()));
  if (const rt::Streamed *together = within.onDevices(0)) {
    json["devices"] = together->numDevices();
    json["comm"] = rt::nameOf(together->route());
    json["step"]["between_devices"] = together->traffic().betweenDevices;
    json["so_far"]["between_devices"] = within.movedBetweenDevices();
  }
  return json;
}

Subject::Subject(Problem &of, const std::string &library) : problem(of) {
  rt::Model &model = problem.model;
  if (model.library()->program(GNN_PROGRAM_TRAIN) && problem.splits.count("train")) {
    training = problem.openTraining();
    described = RunDescription::of(problem, training);
    return;
  }
  rt::require(!problem.config.samples, GNN_ERROR_MISMATCH, library, " can't be trained on ", problem.data->source,
              ": samples are for training");
  rt::require(problem.config.rows != rt::StepRows::Reached, GNN_ERROR_MISMATCH, library, " can't be trained on ",
              problem.data->source, ": there is no loss that reaches rows");
  binding = std::make_unique<rt::Binding>(model.library(), model.dims(), problem.graph, problem.features,
                                          /*withTargets=*/false, problem.data->source);
  const gnn_program_t *infer = model.library()->program(GNN_PROGRAM_INFER);
  rt::require(infer != nullptr, GNN_ERROR_MISMATCH, library, " has no program @infer");
  inference = problem.config.memory
                  ? inferenceWithin(problem, *binding, within)
                  : model.executor(*binding, rt::programOver(*model.library(), *binding, infer->kind));
}

rt::Plan Subject::plan() const {
  if (trains())
    if (rt::Plan plan = training.steps->plan(); !plan.samples.empty())
      return plan;
  return rt::Plan::of(*problem.model.library(), data(), executor());
}

nlohmann::json inputJson(const Problem &problem) {
  if (problem.input.name.empty())
    return nlohmann::json::object();
  return {{problem.input.name, {{"chosen", problem.input.form}, {"because", problem.input.why}}}};
}

nlohmann::json valueJson(const rt::MetricValue &value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

nlohmann::json metricsJson(const rt::Metrics &metrics) {
  nlohmann::json json{{"loss", valueJson(metrics.loss)}};
  for (const auto &[name, value] : metrics.others)
    json[name] = valueJson(value);
  if (metrics.numMissingLabels > 0)
    json["missing_labels"] = metrics.numMissingLabels;
  if (metrics.numMissingNegatives > 0)
    json["missing_negatives"] = metrics.numMissingNegatives;
  if (!metrics.confusion.empty())
    json["confusion"] = metrics.confusion;
  return json;
}

std::string jsonText(const nlohmann::json &json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace);
}

} // namespace gnn::train_tool
