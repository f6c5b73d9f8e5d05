//===- TopologyFile.cpp - A topology as people write it -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/Json.h"
#include "runtime/src/links/Topology.h"

#include <map>
#include <optional>
#include <set>

namespace gnn::rt {

namespace {

using nlohmann::json;

constexpr double giga = 1e9, tera = 1e12, micro = 1e-6;
constexpr double most = 1e6; // of any number, in its unit

class TopologyParser {
public:
  TopologyParser(const json &root, const std::string &file) : root(root), file(file) {}

  Topology parse() {
    allowKeys(root, "", {"device", "links", "peers"});
    parseKind();
    parseLinks();
    placeTree();
    for (const Link &link : links)
      if (link.first && link.second)
        topology.addPeerLink(*link.first, *link.second, link.rate, link.latency);
    if (const json *peers = find(root, "peers"))
      parsePeers(*peers);
    return std::move(topology);
  }

private:
  struct Link {
    std::string key, from, to; // from the host's side
    double rate, latency;
    std::optional<size_t> first, second; // devices
  };

  template <class... Parts> void check(bool isRight, const std::string &key, const Parts &...parts) const {
    require(isRight, GNN_ERROR_DATA, file, ": ", key, ": ", parts...);
  }

  static const json *find(const json &object, const char *key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  void allowKeys(const json &object, const std::string &prefix, const std::set<std::string> &allowed) const {
    std::string names;
    for (const std::string &name : allowed)
      names += (names.empty() ? "" : ", ") + name;
    for (const auto &item : object.items())
      check(allowed.count(item.key()) > 0, prefix + item.key(), "there is no such key; there are ", names);
  }

  /// Above 0, or from 0 on.
  double number(const json &object, const std::string &prefix, const char *key, double unit, double least,
                std::optional<double> otherwise) const {
    const json *value = find(object, key);
    check(value || otherwise, prefix + key, "it is missing");
    if (!value)
      return *otherwise;
    check(value->is_number(), prefix + key, "expected a number, not ", value->dump());
    const double given = value->get<double>();
    check(given > 0 || (given == 0 && least == 0), prefix + key, "expected a number ",
          least == 0 ? "from 0 on" : "above 0", ", not ", value->dump());
    check(given <= most, prefix + key, "expected a number of at most ", most, ", not ", value->dump());
    return given * unit;
  }

  std::string text(const json &object, const std::string &prefix, const char *key) const {
    const json *value = find(object, key);
    check(value && value->is_string() && !value->get<std::string>().empty(), prefix + key,
          "expected a name, as \"host\", \"switch0\" or \"cuda:0\"");
    return value->get<std::string>();
  }

  void parseKind() {
    const json *found = find(root, "device");
    if (!found)
      return;
    check(found->is_object(), "device", "expected an object");
    allowKeys(*found, "device.", {"GB", "GB/s", "Tops/s", "launch_us", "arch", "multiprocessors"});
    DeviceKind &kind = topology.kind;
    kind.memoryBytes = number(*found, "device.", "GB", giga, 1, kind.memoryBytes);
    kind.memoryRate = number(*found, "device.", "GB/s", giga, 1, kind.memoryRate);
    kind.arithmetic = number(*found, "device.", "Tops/s", tera, 1, kind.arithmetic);
    kind.launchSeconds = number(*found, "device.", "launch_us", micro, 0, kind.launchSeconds);
    kind.arch = int(number(*found, "device.", "arch", 1, 1, kind.arch));
    kind.multiprocessors = int(number(*found, "device.", "multiprocessors", 1, 1, kind.multiprocessors));
    check(kind.arch >= 50 && kind.arch < 1000, "device.arch",
          "expected the number of an architecture, as 90 for sm_90");
    check(kind.multiprocessors < 10000, "device.multiprocessors", "there are fewer than 10000");
  }

  std::optional<size_t> deviceIn(const std::string &name, const std::string &key) const {
    if (name.compare(0, 5, "cuda:") != 0)
      return std::nullopt;
    const std::string digits = name.substr(5);
    check(!digits.empty() && digits.size() < 3 && digits.find_first_not_of("0123456789") == std::string::npos &&
              size_t(std::stoi(digits)) < mostLinkedDevices,
          key, "expected a device from cuda:0 to cuda:", mostLinkedDevices - 1, ", not ", name);
    return size_t(std::stoi(digits));
  }

  void parseLinks() {
    const json *found = find(root, "links");
    check(found && found->is_array() && !found->empty(), "links", "expected a list of links, of one at least");
    for (size_t i = 0; i < found->size(); ++i) {
      const json &object = (*found)[i];
      const std::string key = "links[" + std::to_string(i) + "]", prefix = key + ".";
      check(object.is_object(), key, "expected an object, as {\"from\": \"host\", \"to\": \"cuda:0\", \"GB/s\": 16}");
      allowKeys(object, prefix, {"from", "to", "GB/s", "us"});
      Link link{key,
                text(object, prefix, "from"),
                text(object, prefix, "to"),
                number(object, prefix, "GB/s", giga, 1, std::nullopt),
                number(object, prefix, "us", micro, 0, 0.0),
                {},
                {}};
      link.first = deviceIn(link.from, prefix + "from");
      link.second = deviceIn(link.to, prefix + "to");
      check(link.to != "host", prefix + "to", "the host is above all: links of the tree are from it");
      check(link.from != link.to, key, "it begins and ends at ", link.from);
      check(!link.first || link.second, prefix + "from", "nothing hangs from a device but other devices' links, not ",
            link.to);
      links.push_back(std::move(link));
    }
  }

  /// Nodes are below their parents from the host on, devices in the order of their numbers.
  void placeTree() {
    std::map<std::string, const Link *> above;
    std::set<std::pair<size_t, size_t>> peers;
    for (const Link &link : links) {
      if (link.first) {
        check(peers.insert(std::minmax(*link.first, *link.second)).second, link.key, link.from, " and ", link.to,
              " have a link already");
        continue;
      }
      const auto [other, isNew] = above.try_emplace(link.to, &link);
      check(isNew, link.key, link.to, " hangs from ", other->second->from, " already (", other->second->key, ")");
    }
    size_t devices = 0;
    for (; above.count("cuda:" + std::to_string(devices)); ++devices)
      place("cuda:" + std::to_string(devices), above, /*depth=*/0);
    check(devices > 0, "links", "no link leads to cuda:0");
    for (const Link &link : links) {
      for (const std::optional<size_t> &device : {link.first, link.second})
        check(!device || *device < devices, link.key, "no link of the tree leads to cuda:", devices,
              ", so there is no cuda:", device.value_or(0));
      check(nodes.count(link.to) > 0 || link.second, link.key, "no device is below ", link.to);
    }
  }

  size_t place(const std::string &name, const std::map<std::string, const Link *> &above, size_t depth) {
    if (name == "host")
      return 0;
    if (const auto known = nodes.find(name); known != nodes.end())
      return known->second;
    const auto found = above.find(name);
    check(found != above.end(), "links", "no link leads to ", name);
    const Link &link = *found->second;
    check(depth <= links.size(), link.key, "the links to ", name, " are a circle");
    const size_t below = place(link.from, above, depth + 1);
    if (link.second)
      return topology.addDevice(below, link.rate, link.latency);
    return nodes[name] = topology.addSwitch(name, below, link.rate, link.latency);
  }

  /// false: no two but those with links of their own; a list of groups: those of a group.
  void parsePeers(const json &peers) {
    const bool isNone = peers.is_boolean() && !peers.get<bool>();
    check(isNone || peers.is_array(), "peers", "expected false, or lists of devices that reach each other's memory");
    for (size_t d = 0; d < topology.numDevices(); ++d)
      for (size_t e = 0; e < d; ++e)
        topology.setReach(d, e, false);
    for (size_t g = 0; g < peers.size() && !isNone; ++g) {
      const std::string key = "peers[" + std::to_string(g) + "]";
      check(peers[g].is_array(), key, "expected a list of devices");
      std::vector<size_t> group;
      for (const json &name : peers[g]) {
        check(name.is_string(), key, "expected devices, as \"cuda:0\", not ", name.dump());
        const std::optional<size_t> device = deviceIn(name.get<std::string>(), key);
        check(device && *device < topology.numDevices(), key, "there is no ", name.get<std::string>());
        for (size_t other : group)
          if (other != *device)
            topology.setReach(*device, other, true);
        group.push_back(*device);
      }
    }
  }

  const json &root;
  const std::string &file;
  Topology topology;
  std::vector<Link> links;
  std::map<std::string, size_t> nodes; // of switches
};

} // namespace

Topology parseTopology(Span<const char> text, const std::string &file) {
  const json root = parseJson(text, file);
  return TopologyParser(root, file).parse();
}

Topology readTopology(const std::string &file) { return parseTopology(readFile(file).span(), file); }

} // namespace gnn::rt
