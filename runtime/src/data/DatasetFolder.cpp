//===- DatasetFolder.cpp - Data sets in folders ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading and saving the files that a FolderLayout names.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/DatasetFolder.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/data/FolderFiles.h"
#include "runtime/src/graph/KeptEdges.h"
#include "runtime/src/graph/PreparedEdges.h"
#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/io/Npy.h"
#include <filesystem>
#include <unistd.h>

using namespace gnn::rt;
namespace fs = std::filesystem;

namespace {

constexpr char preparedFolder[] = "prepared";

/// A folder to write to, made if it is not there. A new one in which nothing is named is removed unless it is kept.
class MadeFolder {
public:
  explicit MadeFolder(const std::string &folder) : folder(folder) {
    std::error_code error;
    isNew = fs::create_directory(folder, error);
    std::error_code unknown;
    require(fs::is_directory(folder, unknown), GNN_ERROR_IO, folder, ": can't make the folder: ", error.message());
  }
  MadeFolder(const MadeFolder &) = delete;
  MadeFolder &operator=(const MadeFolder &) = delete;
  ~MadeFolder() {
    if (isNew)
      ::rmdir(folder.c_str());
  }

  void keep() { isNew = false; }

private:
  const std::string folder;
  bool isNew = false;
};

/// "symmetric-self-loops-degree".
std::string preparedName(uint32_t transforms, uint32_t order) {
  std::string name;
  auto add = [&](bool isWanted, const char *word) {
    if (isWanted)
      name += (name.empty() ? "" : "-") + std::string(word);
  };
  add(transforms == 0, "given");
  add(transforms & GNN_GRAPH_SYMMETRIC, "symmetric");
  add(transforms & GNN_GRAPH_INVERSE_RELATIONS, "inverse");
  add(transforms & GNN_GRAPH_SELF_LOOPS, "self-loops");
  add(transforms & GNN_GRAPH_ONE_LOOP, "one-loop");
  add(transforms & GNN_GRAPH_MARK_LOOPS, "marked");
  add(transforms & GNN_GRAPH_NO_LOOPS, "no-loops");
  add(transforms & GNN_GRAPH_LOOP_KINDS, "loop-kinds");
  add(order == GNN_ORDER_DEGREE, "degree");
  add(order == GNN_ORDER_LOCALITY, "locality");
  add(order == GNN_ORDER_COMMUNITY, "community");
  add(order == GNN_ORDER_METIS, "metis");
  return name;
}

/// "given-to-source.edges": what was prepared outside of memory has no more than is read.
std::string keptName(const PagingOptions &options) {
  return preparedName(options.transforms, options.order) + (options.ids ? "-ids" : "") +
         (options.toSource ? "-to-source" : "") + ".edges";
}

/// Where prepared edges are kept, and what they are to be of.
struct KeptPlace {
  std::string folder, file, stamp;
};

/// A file that is not read yet.
using TableSource = std::function<std::shared_ptr<const NpyFile>(const std::string &name)>;

/// Fills a data set from the files of a layout.
class DatasetReader {
public:
  /// `tables`: where the dense features that are `left` stay; without it all are read.
  DatasetReader(const std::string &folder, const FileSource &source, TableSource tables = nullptr,
                LeftInFiles left = LeftInFiles::OfVertices)
      : folder(folder), source(source), tables(std::move(tables)), left(left) {}

  /// With `prepared` edges those in the files are not read, if `given` does not ask for them. With `paging` they are
  /// prepared outside of memory if that can be, and kept in a place if there is one; it needs `tables`.
  Dataset read(const FolderLayout &layout, std::shared_ptr<const EdgeSet> prepared, GivenEdges given = GivenEdges::Left,
               const PagingOptions *paging = nullptr, const KeptPlace *place = nullptr) {
    data.source = folder;
    data.name = layout.name;
    data.numVertices = layout.numVertices;
    data.numClasses = layout.numClasses;
    data.numEdgeTypes = layout.numEdgeTypes;
    data.classNames = layout.classNames;
    data.readIds = idsIn(layout.ids);
    data.labelled = layout.labelled;
    data.known = layout.known;
    for (const VertexTypeLayout &type : layout.vertexTypes) {
      VertexTable table{type.name, type.count, {}, idsIn(type.ids)};
      for (const auto &[name, files] : type.features)
        table.features[name] = feature(type.name + "." + name, files);
      data.vertexTypes.push_back(std::move(table));
    }
    data.labels = tensor("labels", layout.labels);
    for (const RelationLayout &relation : layout.relations)
      data.relations.push_back(edgeTable(relation, paging));
    for (const auto &[name, files] : layout.vertex)
      data.vertexFeatures[name] = feature(name, files);
    data.prepared = std::move(prepared);
    if (const int64_t vertices = data.statedVertices(); paging && !layout.edgeIndex.empty() && vertices >= 0)
      data.prepared = place ? keptSet(layout, vertices, *paging, *place) : onlySet(layout, vertices, *paging);
    if (!data.prepared || given == GivenEdges::Read) {
      data.edgeIndex = tensor("edge_index", layout.edgeIndex);
      data.edgeType = tensor("edge_type", layout.edgeType);
    }
    for (const auto &[name, file] : layout.edge)
      data.edgeFeatures[name] = edgeFeature(name, file);
    for (const auto &[name, file] : layout.split)
      data.splits[name] = tensor(name, file);
    for (const auto &[name, file] : layout.pairs)
      data.pairs[name] = tensor(name + "_pairs", file);
    data.finish();
    return std::move(data);
  }

private:
  /// Reads a file of ids when it is called; null without a file.
  std::function<FileBytes()> idsIn(const std::string &name) const {
    if (name.empty())
      return nullptr;
    return [source = source, name] { return source(name); };
  }

  Tensor tensor(const std::string &field, const std::string &name) {
    if (name.empty())
      return Tensor();
    data.files[field] = name;
    return parseNpy(source(name), folder + "/" + name);
  }

  /// A field and its file.
  using Field = std::pair<std::string, std::string>;

  std::shared_ptr<const EdgeSet> pagedSet(const Field &index, const Field &types, int64_t numTypes, int64_t sources,
                                          int64_t destinations, bool isBetweenTypes, const PagingOptions &paging) {
    data.files[index.first] = index.second;
    EdgeTables edges{tables(index.second), nullptr, data.describe(index.first), "", numTypes};
    requireEdgeIndex(edges.index->element(), edges.index->shape(), edges.indexName);
    if (!types.second.empty()) {
      data.files[types.first] = types.second;
      edges.types = tables(types.second);
      edges.typesName = data.describe(types.first);
      requireEdgeTypes(edges.types->element(), edges.types->shape(), edges.index->shape()[1], edges.typesName);
      require(numTypes != 0 && numTypes <= maxEdgeTypes, GNN_ERROR_DATA, edges.typesName, ": ", numTypes,
              " types, expected 1 to ", maxEdgeTypes);
    } else {
      require(numTypes <= 0, GNN_ERROR_DATA, data.describe(types.first),
              ": edge types are announced, but there are none");
    }
    return pagedEdges(edges, sources, destinations, isBetweenTypes, paging);
  }

  std::shared_ptr<const EdgeSet> onlySet(const FolderLayout &layout, int64_t vertices, const PagingOptions &paging) {
    return pagedSet({"edge_index", layout.edgeIndex}, {"edge_type", layout.edgeType}, layout.numEdgeTypes, vertices,
                    vertices, /*isBetweenTypes=*/false, paging);
  }

  /// The set that is kept; else it is made, and kept.
  std::shared_ptr<const EdgeSet> keptSet(const FolderLayout &layout, int64_t vertices, const PagingOptions &paging,
                                         const KeptPlace &place) {
    std::error_code error;
    if (fs::exists(place.file, error))
      if (auto set = readKept(place.file, paging, place.stamp); set && set->relation().numDestinations() == vertices)
        return set; // else features or labels are new
    auto set = onlySet(layout, vertices, paging);
    MadeFolder made(place.folder);
    writeKept(place.file, *set, paging, place.stamp);
    made.keep();
    return set;
  }

  /// -1 where that is not known; of a type that is not there, too.
  int64_t statedVertices(const std::string &type) const {
    for (const VertexTable &table : data.vertexTypes)
      if (table.name == type)
        return data.statedVertices(table);
    return -1;
  }

  EdgeTable edgeTable(const RelationLayout &layout, const PagingOptions *paging) {
    EdgeTable table;
    table.name = layout.name;
    table.source = layout.source;
    table.destination = layout.destination;
    table.numTypes = layout.numTypes;
    table.known = layout.known;
    const Field index{layout.name, layout.edgeIndex}, types{layout.name + " types", layout.edgeType};
    const int64_t sources = statedVertices(layout.source), destinations = statedVertices(layout.destination);
    if (paging && paging->transforms == 0 && paging->order == GNN_ORDER_GIVEN && sources >= 0 && destinations >= 0) {
      table.prepared =
          pagedSet(index, types, layout.numTypes, sources, destinations, layout.source != layout.destination, *paging);
    } else {
      table.index = tensor(index.first, index.second);
      table.types = tensor(types.first, types.second);
    }
    for (const auto &[name, file] : layout.features)
      table.features[name] = edgeFeature(layout.name + "." + name, file);
    return table;
  }

  /// In its file if `leaves`.
  Feature dense(const std::string &name, const std::string &fileName, bool leaves) {
    if (leaves)
      if (auto file = tables(fileName); file->hasRows()) {
        data.files[name] = fileName;
        return {Tensor(), std::nullopt, std::move(file)};
      }
    return {tensor(name, fileName), std::nullopt};
  }

  Feature edgeFeature(const std::string &name, const std::string &file) {
    return dense(name, file, tables && left == LeftInFiles::OfAll);
  }

  Feature feature(const std::string &name, const FeatureFiles &files) {
    if (!files.isSparse())
      return dense(name, files.dense, bool(tables));
    Tensor indptr = tensor(name, files.indptr), indices = tensor(name, files.indices),
           values = tensor(name, files.values);
    Tensor shape = tensor(name, files.shape);
    return {Tensor(), SparseMatrix::fromArrays(indptr, indices, values, shape, folder + ": " + name)};
  }

  const std::string &folder;
  const FileSource &source;
  const TableSource tables;
  const LeftInFiles left;
  Dataset data;
};

class FolderWriter {
public:
  FolderWriter(const Dataset &data, const std::string &folder, FileSystem &files)
      : data(data), folder(folder), made(folder), files(files) {}

  void write(const TextFiles &others, const MadeTables &tables) {
    if (!tables.edgeIndex)
      data.requireEdges("writing it");
    putText(layoutFile, incompleteLayout); // until the last file is renamed
    FolderLayout layout;
    layout.name = data.name;
    layout.numVertices = data.numVertices;
    layout.numClasses = data.numClasses;
    layout.numEdgeTypes = data.numEdgeTypes;
    layout.labelled = data.labelled;
    layout.known = data.known;
    for (const VertexTable &type : data.vertexTypes) {
      VertexTypeLayout files{type.name, type.count, {}};
      for (const auto &[name, feature] : type.features)
        files.features[name] = putFeature(type.name + "_" + name, feature);
      files.ids = putIds(type.readIds, "ids_" + type.name + ".txt");
      layout.vertexTypes.push_back(std::move(files));
    }
    for (const EdgeTable &relation : data.relations)
      layout.relations.push_back(putRelation(relation));
    if (!data.hasSchema())
      layout.edgeIndex =
          tables.edgeIndex ? putMade("edge_index.npy", *tables.edgeIndex) : put("edge_index.npy", data.edgeIndex);
    if (data.edgeType)
      layout.edgeType = put("edge_type.npy", data.edgeType);
    if (data.labels)
      layout.labels = put("y.npy", data.labels);
    layout.classNames = data.classNames;
    layout.ids = putIds(data.readIds, "ids.txt");
    for (const auto &[name, feature] : data.vertexFeatures)
      if (!data.hasSchema()) // whose types have them
        layout.vertex[name] = putFeature(name, feature);
    for (const auto &[name, table] : tables.vertexFeatures) {
      layout.vertex[name] = conventionalFeature(name, /*isSparse=*/false);
      putMade(layout.vertex[name].dense, table);
    }
    for (const auto &[name, feature] : data.edgeFeatures)
      if (!data.hasSchema())
        layout.edge[name] = put(edgeFile(name), feature.table());
    for (const auto &[name, ids] : data.splits)
      layout.split[name] = put(name + ".npy", ids);
    for (const auto &[name, table] : data.pairs)
      layout.pairs[name] = put(name + "_pairs.npy", table);
    for (const auto &[name, text] : others)
      putText(name, text);
    putText(layoutFile, layoutText(layout));
    files.commit();
    made.keep();
  }

private:
  void putText(const std::string &file, const std::string &text) {
    files.write(folder + "/" + file, {{text.data(), text.size()}});
  }

  /// Returns the file; without ids none.
  std::string putIds(const std::function<FileBytes()> &read, const std::string &file) {
    if (!read)
      return "";
    files.write(folder + "/" + file, {read().span()});
    return file;
  }

  std::string put(const std::string &file, const Tensor &tensor) {
    writeNpy(folder + "/" + file, tensor, files);
    return file;
  }

  std::string putMade(const std::string &file, const MadeTable &table) {
    constexpr int64_t atOnce = 1 << 20;
    const std::string header = npyHeader(table.element, table.shape);
    const int64_t all = countElements(table.shape, table.element);
    const size_t bytes = elementBytes(table.element);
    files.write(folder + "/" + file, [&](const AtomicFiles::Put &put) {
      put({header.data(), header.size()});
      Buffer<char> piece(size_t(std::min(all, atOnce)) * bytes);
      for (int64_t first = 0; first < all; first += atOnce) {
        const int64_t count = std::min(atOnce, all - first);
        table.make(first, count, piece.data());
        put({piece.data(), size_t(count) * bytes});
      }
    });
    return file;
  }

  /// Features called as the edges' own files have others.
  static std::string edgeFile(const std::string &name) {
    return "edge_" + name + (name == "index" || name == "type" ? "_feature.npy" : ".npy");
  }

  /// Relations may share a name if they have different ends.
  RelationLayout putRelation(const EdgeTable &relation) {
    std::string stem = relation.source + "_" + relation.name + "_" + relation.destination;
    RelationLayout layout{relation.name,
                          relation.source,
                          relation.destination,
                          put(stem + ".npy", relation.index),
                          "",
                          relation.numTypes,
                          {},
                          relation.known};
    if (relation.types)
      layout.edgeType = put(stem + "_type.npy", relation.types);
    for (const auto &[name, feature] : relation.features)
      layout.features[name] = put(stem + "_edge_" + name + ".npy", feature.table());
    return layout;
  }

  FeatureFiles putFeature(const std::string &name, const Feature &feature) {
    FeatureFiles files = conventionalFeature(name, feature.sparse.has_value());
    if (!feature.sparse) {
      put(files.dense, feature.dense);
      return files;
    }
    const SparseMatrix &matrix = *feature.sparse;
    put(files.indptr, matrix.indptrTensor());
    put(files.indices, matrix.indicesTensor());
    put(files.values, matrix.values());
    put(files.shape, Tensor::of<int64_t>({matrix.rows(), matrix.columns()}));
    return files;
  }

  const Dataset &data;
  const std::string &folder;
  MadeFolder made; // its files are gone before it
  AtomicFiles files;
};

} // namespace

Dataset gnn::rt::readDataset(const FolderLayout &layout, const std::string &folder, const FileSource &source) {
  return DatasetReader(folder, source).read(layout, nullptr);
}

std::shared_ptr<Dataset> gnn::rt::loadDataset(const std::string &path) {
  auto folder = std::make_shared<FolderFiles>(path);
  FileSource source = [folder](const std::string &name) { return folder->read(name); };
  return std::make_shared<Dataset>(readDataset(folder->layout(), path, source));
}

bool gnn::rt::hasTrainingPairs(const std::string &path) { return FolderFiles(path).layout().pairs.count("train") > 0; }

namespace {

std::shared_ptr<Dataset> loadInPieces(const FolderFiles &folder, const std::string &path, LeftInFiles features,
                                      const PagingOptions *edges, bool keepsEdges) {
  TableSource tables = [&](const std::string &name) {
    return std::make_shared<const NpyFile>(folder.resolve(name), path + "/" + name);
  };
  const FolderLayout layout = folder.layout();
  std::optional<KeptPlace> place;
  if (keepsEdges) {
    require(layout.relations.empty(), GNN_ERROR_ARGUMENT, path, ": the graph of a schema is not kept prepared");
    place = {folder.resolve(preparedFolder), folder.resolve(preparedFolder + ("/" + keptName(*edges))),
             folder.stamp(layout, edges->transforms, edges->order)}; // before the files are read
  }
  FileSource source = [folder](const std::string &name) { return folder.read(name); };
  return std::make_shared<Dataset>(DatasetReader(path, source, tables, features)
                                       .read(layout, nullptr, GivenEdges::Left, edges, place ? &*place : nullptr));
}

} // namespace

std::shared_ptr<Dataset> gnn::rt::openPaged(const std::string &path, LeftInFiles features, const PagingOptions *edges) {
  return loadInPieces(FolderFiles(path), path, features, edges, /*keepsEdges=*/false);
}

std::shared_ptr<Dataset> gnn::rt::loadKept(const std::string &path, LeftInFiles features, const PagingOptions &edges) {
  return loadInPieces(FolderFiles(path), path, features, &edges, /*keepsEdges=*/true);
}

std::shared_ptr<Dataset> gnn::rt::loadPrepared(const std::string &path, uint32_t transforms, uint32_t order,
                                               GivenEdges given) {
  auto folder = std::make_shared<FolderFiles>(path);
  const FolderLayout layout = folder->layout();
  require(layout.relations.empty(), GNN_ERROR_ARGUMENT, path, ": the graph of a schema is not kept prepared");
  const std::string prepared = preparedFolder + ("/" + preparedName(transforms, order) + ".safetensors");
  const std::string directory = folder->resolve(preparedFolder), file = folder->resolve(prepared);
  const std::string stamp = folder->stamp(layout, transforms, order); // before the files are read
  FileSource source = [folder](const std::string &name) { return folder->read(name); };
  if (folder->has(prepared))
    if (auto set = parsePrepared(readFile(file), file, stamp)) {
      auto data = std::make_shared<Dataset>(DatasetReader(path, source).read(layout, set, given));
      if (data->numVertices == set->relation().numDestinations()) // else features or labels are new
        return data;
    }
  auto data = std::make_shared<Dataset>(readDataset(layout, path, source));
  auto graph = given == GivenEdges::Read ? data->graph(transforms, order) : data->takeGraph(transforms, order);
  data->prepared = graph->relations()[0].set;
  MadeFolder made(directory);
  writePrepared(file, *data->prepared, stamp);
  made.keep();
  return data;
}

void gnn::rt::saveDataset(const Dataset &dataset, const std::string &folder, const TextFiles &others, FileSystem &files,
                          const MadeTables &made) {
  FolderWriter(dataset, folder, files).write(others, made);
}
