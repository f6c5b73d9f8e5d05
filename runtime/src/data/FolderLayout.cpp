//===- FolderLayout.cpp - Which file of a folder is what -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing dataset.json, and the convention for folders without one.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/FolderLayout.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/Json.h"
#include <filesystem>
#include <set>

using namespace gnn::rt;
using nlohmann::json;

namespace {

class LayoutParser {
public:
  LayoutParser(const json &root, const std::string &file) : root(root), file(file) {}

  FolderLayout parse() {
    require(!find(root, "incomplete"), GNN_ERROR_DATA, file,
            ": writing this data set was cut short; write it again, or remove the folder");
    FolderLayout layout;
    if (find(root, "vertex_types"))
      parseSchema(layout);
    else
      parsePlain(layout);
    if (const json *name = find(root, "name"))
      layout.name = text(*name, "name");
    if (const json *labelled = find(root, "labelled"))
      layout.labelled = text(*labelled, "labelled");
    layout.numClasses = number(root, "", "num_classes");
    layout.labels = fileOf(root, "", "labels");
    if (const json *names = find(root, "class_names")) {
      require(names->is_array(), GNN_ERROR_DATA, file, ": 'class_names' is no list");
      for (const json &name : *names)
        layout.classNames.push_back(text(name, "class_names"));
    }
    for (auto [key, files] : {std::pair("split", &layout.split), std::pair("pairs", &layout.pairs)}) {
      allowKeys(section(root, key), std::string(key) + ".", {"train", "val", "test"});
      for (const auto &[name, value] : section(root, key).items())
        (*files)[name] = path(value, std::string(key) + "." + name);
    }
    return layout;
  }

private:
  void parsePlain(FolderLayout &layout) {
    allowKeys(root, "",
              {"name", "num_vertices", "num_classes", "num_edge_types", "edge_index", "edge_type", "vertex", "edge",
               "labels", "split", "pairs", "ids", "class_names", "labelled", "known_edges"});
    layout.known = knownEdges(root, "");
    layout.numVertices = number(root, "", "num_vertices");
    layout.numEdgeTypes = number(root, "", "num_edge_types");
    layout.edgeIndex = requiredFile(root, "", "edge_index");
    layout.edgeType = fileOf(root, "", "edge_type");
    layout.ids = fileOf(root, "", "ids");
    for (const auto &[name, value] : section(root, "vertex").items())
      layout.vertex[name] = feature(value, "vertex." + name);
    for (const auto &[name, value] : section(root, "edge").items())
      layout.edge[name] = path(value, "edge." + name);
  }

  void parseSchema(FolderLayout &layout) {
    allowKeys(
        root, "",
        {"name", "num_classes", "vertex_types", "relations", "labelled", "labels", "split", "pairs", "class_names"});
    for (const auto &[name, value] : section(root, "vertex_types").items()) {
      std::string prefix = "vertex_types." + name + ".";
      require(value.is_object(), GNN_ERROR_DATA, file, ": 'vertex_types.", name, "' is no object");
      allowKeys(value, prefix, {"count", "features", "ids"});
      VertexTypeLayout type{name, number(value, prefix, "count"), {}, fileOf(value, prefix, "ids")};
      for (const auto &[featureName, files] : section(value, "features").items())
        type.features[featureName] = feature(files, prefix + "features." + featureName);
      layout.vertexTypes.push_back(std::move(type));
    }
    const json *relations = find(root, "relations");
    require(relations && relations->is_array() && !relations->empty() && !layout.vertexTypes.empty(), GNN_ERROR_DATA,
            file, ": 'vertex_types' and a list 'relations' go together, with at least one of each");
    for (size_t i = 0; i < relations->size(); ++i)
      layout.relations.push_back(relation((*relations)[i], "relations[" + std::to_string(i) + "]"));
  }

  RelationLayout relation(const json &value, const std::string &key) const {
    require(value.is_object(), GNN_ERROR_DATA, file, ": '", key, "' is no object");
    allowKeys(
        value, key + ".",
        {"name", "source", "destination", "edge_index", "edge_type", "num_edge_types", "features", "known_edges"});
    RelationLayout layout;
    for (auto [name, member] : {std::pair("name", &RelationLayout::name), std::pair("source", &RelationLayout::source),
                                std::pair("destination", &RelationLayout::destination)}) {
      const json *found = find(value, name);
      require(found, GNN_ERROR_DATA, file, ": the key '", key, ".", name, "' is missing");
      layout.*member = text(*found, key + "." + name);
    }
    layout.edgeIndex = requiredFile(value, key + ".", "edge_index");
    layout.edgeType = fileOf(value, key + ".", "edge_type");
    layout.numTypes = number(value, key + ".", "num_edge_types");
    layout.known = knownEdges(value, key + ".");
    for (const auto &[name, files] : section(value, "features").items())
      layout.features[name] = path(files, key + ".features." + name);
    return layout;
  }

  std::map<std::string, int64_t> knownEdges(const json &object, const std::string &prefix) const {
    std::map<std::string, int64_t> counts;
    const json &splits = section(object, "known_edges");
    allowKeys(splits, prefix + "known_edges.", {"train", "val"});
    for (const auto &item : splits.items())
      counts[item.key()] = number(splits, prefix + "known_edges.", item.key().c_str());
    return counts;
  }

  std::string requiredFile(const json &object, const std::string &prefix, const char *key) const {
    std::string found = fileOf(object, prefix, key);
    require(!found.empty(), GNN_ERROR_DATA, file, ": the key '", prefix, key, "' is missing");
    return found;
  }

  static const json *find(const json &object, const char *key) {
    auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  void allowKeys(const json &object, const std::string &prefix, const std::set<std::string> &allowed) const {
    for (const auto &item : object.items())
      require(allowed.count(item.key()) != 0, GNN_ERROR_DATA, file, ": unknown key '", prefix, item.key(), "'");
  }

  std::string text(const json &value, const std::string &key) const {
    require(value.is_string(), GNN_ERROR_DATA, file, ": '", key, "' is ", value.dump(), ", expected a string");
    return value.get<std::string>();
  }

  int64_t number(const json &object, const std::string &prefix, const char *key) const {
    const json *value = find(object, key);
    if (!value)
      return -1;
    bool good = value->is_number_unsigned() && value->get<uint64_t>() <= UINT32_MAX;
    require(good, GNN_ERROR_DATA, file, ": '", prefix, key, "' is ", value->dump(),
            ", expected an integer from 0 to 2^32 - 1");
    return value->get<int64_t>();
  }

  const json &section(const json &object, const char *key) const {
    static const json none = json::object();
    const json *value = find(object, key);
    if (!value)
      return none;
    require(value->is_object(), GNN_ERROR_DATA, file, ": '", key, "' is no object");
    return *value;
  }

  std::string path(const json &value, const std::string &key) const {
    std::string name = text(value, key);
    std::filesystem::path path(name);
    bool inside = !name.empty() && path.is_relative() && name.find('\0') == std::string::npos;
    for (const auto &part : path)
      inside &= part != "..";
    require(inside, GNN_ERROR_DATA, file, ": '", key, "' is '", name, "', expected a path inside the folder");
    return name;
  }

  std::string fileOf(const json &object, const std::string &prefix, const char *key) const {
    const json *value = find(object, key);
    return value ? path(*value, prefix + key) : std::string();
  }

  FeatureFiles feature(const json &value, const std::string &key) const {
    FeatureFiles files;
    if (value.is_string()) {
      files.dense = path(value, key);
      return files;
    }
    require(value.is_object(), GNN_ERROR_DATA, file, ": '", key,
            "' is neither a file nor the files of a sparse matrix");
    allowKeys(value, key + ".", {"indptr", "indices", "values", "shape"});
    auto part = [&](const char *name) {
      const json *found = find(value, name);
      require(found, GNN_ERROR_DATA, file, ": the key '", key, ".", name, "' is missing");
      return path(*found, key + "." + name);
    };
    files.indptr = part("indptr");
    files.indices = part("indices");
    files.values = part("values");
    files.shape = part("shape");
    return files;
  }

  const json &root;
  const std::string &file;
};

bool endsWith(const std::string &text, const std::string &suffix) {
  return text.size() > suffix.size() && text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

FeatureFiles featureFiles(const std::string &stem, bool sparse) {
  if (!sparse)
    return {stem + ".npy", "", "", "", ""};
  return {"", stem + "_indptr.npy", stem + "_indices.npy", stem + "_values.npy", stem + "_shape.npy"};
}

} // namespace

FolderLayout gnn::rt::parseLayout(Span<const char> text, const std::string &file) {
  json root = parseJson(text, file);
  return LayoutParser(root, file).parse();
}

FeatureFiles gnn::rt::conventionalFeature(const std::string &name, bool sparse) {
  return featureFiles(name == "x" ? name : "vertex_" + name, sparse);
}

FolderLayout gnn::rt::conventionalLayout(const std::vector<std::string> &names, const std::string &folder) {
  std::set<std::string> files(names.begin(), names.end());
  auto present = [&](const std::string &file) { return files.count(file) ? file : std::string(); };
  FolderLayout layout;
  layout.edgeIndex = present("edge_index.npy");
  require(!layout.edgeIndex.empty(), GNN_ERROR_DATA, folder, ": no dataset.json and no edge_index.npy: not a data set");
  layout.edgeType = present("edge_type.npy");
  layout.labels = present("y.npy");
  for (const char *split : {"train", "val", "test"})
    for (auto [suffix, found] : {std::pair(".npy", &layout.split), std::pair("_pairs.npy", &layout.pairs)})
      if (files.count(split + std::string(suffix)))
        (*found)[split] = split + std::string(suffix);

  const std::string sparseSuffix = "_indptr.npy", vertexPrefix = "vertex_", edgePrefix = "edge_";
  auto addVertex = [&](const std::string &name, bool sparse, const std::string &stem) {
    const FeatureFiles files = featureFiles(stem, sparse);
    const auto [found, isNew] = layout.vertex.emplace(name, files);
    require(isNew, GNN_ERROR_DATA, folder, ": the feature '", name, "' is there twice, in ",
            found->second.isSparse() ? found->second.indptr : found->second.dense, " and ",
            sparse ? files.indptr : files.dense);
  };
  auto isSparsePart = [&](const std::string &file) { // such as vertex_h_shape.npy beside vertex_h_indptr.npy
    for (const char *suffix : {"_indptr.npy", "_indices.npy", "_values.npy", "_shape.npy"})
      if (endsWith(file, suffix) &&
          files.count(file.substr(0, file.size() - std::string(suffix).size()) + sparseSuffix))
        return true;
    return false;
  };
  for (const std::string &file : files) {
    if (file == "x.npy" || file == "x_indptr.npy")
      addVertex("x", file != "x.npy", "x");
    else if (file.rfind(vertexPrefix, 0) == 0 && endsWith(file, ".npy") &&
             (endsWith(file, sparseSuffix) || !isSparsePart(file))) {
      const bool isSparse = endsWith(file, sparseSuffix);
      const std::string stem = file.substr(0, file.size() - (isSparse ? sparseSuffix.size() : 4));
      addVertex(stem.substr(vertexPrefix.size()), isSparse, stem);
    } else if (file.rfind(edgePrefix, 0) == 0 && endsWith(file, ".npy") && file != "edge_index.npy" &&
               file != "edge_type.npy")
      layout.edge[file.substr(edgePrefix.size(), file.size() - edgePrefix.size() - 4)] = file;
  }
  return layout;
}

namespace {

using nlohmann::ordered_json;

template <class T> void put(ordered_json &object, const char *key, const T &value, bool present) {
  if (present)
    object[key] = value;
}

ordered_json featureJson(const FeatureFiles &files) {
  if (!files.isSparse())
    return files.dense;
  return {{"indptr", files.indptr}, {"indices", files.indices}, {"values", files.values}, {"shape", files.shape}};
}

} // namespace

std::string gnn::rt::layoutText(const FolderLayout &layout) {
  ordered_json root;
  put(root, "name", layout.name, !layout.name.empty());
  put(root, "num_vertices", layout.numVertices, layout.numVertices >= 0 && layout.vertexTypes.empty());
  put(root, "num_classes", layout.numClasses, layout.numClasses > 0);
  put(root, "num_edge_types", layout.numEdgeTypes, layout.numEdgeTypes > 0);
  put(root, "edge_index", layout.edgeIndex, layout.vertexTypes.empty());
  put(root, "edge_type", layout.edgeType, !layout.edgeType.empty());
  put(root, "known_edges", layout.known, !layout.known.empty());
  for (const auto &[name, files] : layout.vertex)
    root["vertex"][name] = featureJson(files);
  put(root, "edge", layout.edge, !layout.edge.empty());
  for (const VertexTypeLayout &type : layout.vertexTypes) {
    ordered_json &object = root["vertex_types"][type.name];
    object["count"] = type.count;
    for (const auto &[name, files] : type.features)
      object["features"][name] = featureJson(files);
    put(object, "ids", type.ids, !type.ids.empty());
  }
  for (const RelationLayout &relation : layout.relations) {
    ordered_json object{{"name", relation.name},
                        {"source", relation.source},
                        {"destination", relation.destination},
                        {"edge_index", relation.edgeIndex}};
    put(object, "edge_type", relation.edgeType, !relation.edgeType.empty());
    put(object, "num_edge_types", relation.numTypes, relation.numTypes > 0);
    put(object, "known_edges", relation.known, !relation.known.empty());
    put(object, "features", relation.features, !relation.features.empty());
    root["relations"].push_back(object);
  }
  put(root, "labelled", layout.labelled, !layout.labelled.empty());
  put(root, "labels", layout.labels, !layout.labels.empty());
  put(root, "class_names", layout.classNames, !layout.classNames.empty());
  put(root, "ids", layout.ids, !layout.ids.empty());
  for (auto [key, files] : {std::pair("split", &layout.split), std::pair("pairs", &layout.pairs)})
    for (const char *split : {"train", "val", "test"})
      if (files->count(split))
        root[key][split] = files->at(split);
  // The name may be that of a folder, which need not be UTF-8; all others are identifiers.
  return root.dump(2, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace) + "\n";
}
