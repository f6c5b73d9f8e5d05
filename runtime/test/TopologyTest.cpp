//===- TopologyTest.cpp - How the devices of a machine are connected ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight machines written by hand, of 1 to 8 devices, and what is wrong with files.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/links/FoundTopology.h"
#include "runtime/src/links/Loaders.h"
#include "runtime/test/Machines.h"
#include "runtime/test/TemporaryFolder.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace gnn::rt;
using namespace machines;
using Catch::Matchers::Contains;

namespace {

using Chains = std::vector<Devices>;

std::string names(const Topology &topology, const std::vector<Topology::Hop> &way) {
  std::string text;
  for (const Topology::Hop &hop : way)
    text += (text.empty() ? "" : ", ") + topology.name(hop);
  return text;
}

Topology parsed(const std::string &text) { return parseTopology({text.data(), text.size()}, "server.json"); }

} // namespace

TEST_CASE("loaders are the leaves of the maximal fat tree, chains the devices under a switch", "[topology]") {
  struct Case {
    const char *name;
    Topology topology;
    Devices loaders, ring;
    Chains chains;
  };
  const std::vector<Case> cases{
      {"one device", switches({1}), {0}, {0}, {{0}}},
      {"one switch of two", some(switches({8}), 2), {0}, {0, 1}, {{0, 1}}},
      {"one switch of four", some(switches({8}), 4), {0}, {0, 1, 2, 3}, {{0, 1, 2, 3}}},
      {"one switch of eight", switches({8}), {0}, {0, 1, 2, 3, 4, 5, 6, 7}, {{0, 1, 2, 3, 4, 5, 6, 7}}},
      {"two switches of two", switches({2, 2}), {0, 2}, {0, 1, 2, 3}, {{0, 1}, {2, 3}}},
      {"two switches, two of them", some(switches({1, 1}), 2), {0, 1}, {0, 1}, {{0}, {1}}},
      {"NGra", ofNgra(), {0, 2, 4, 6}, {0, 1, 2, 3, 4, 5, 6, 7}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}},
      {"NGra, four", some(ofNgra(), 4), {0, 2}, {0, 1, 2, 3}, {{0, 1}, {2, 3}}},
      {"DGX-1", cube(), {0, 2, 4, 6}, {0, 1, 2, 3, 7, 5, 6, 4}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}},
      {"NVLink of two", linked(switches({1, 1}), allPairs(2), 50e9), {0, 1}, {0, 1}, {{0}, {1}}},
      {"NVLink of eight",
       linked(ofNgra(), allPairs(8), 100e9),
       {0, 2, 4, 6},
       {0, 1, 2, 3, 4, 5, 6, 7},
       {{0, 1}, {2, 3}, {4, 5}, {6, 7}}},
      {"no peers", withoutPeers(switches({2, 2})), {0, 2}, {0, 1, 2, 3}, {{0, 1}, {2, 3}}},
      {"five and three", switches({5, 3}), {0, 5}, {0, 1, 2, 3, 4, 5, 6, 7}, {{0, 1, 2, 3, 4}, {5, 6, 7}}},
  };
  for (const Case &of : cases) {
    CAPTURE(of.name);
    CHECK(loadersOf(of.topology) == of.loaders);
    CHECK(chainsOf(of.topology) == of.chains);
    CHECK(ringOf(of.topology) == of.ring);
  }
}

TEST_CASE("loaders share no link that is too narrow, and no other could join them", "[topology]") {
  Topology topology; // 24 of the switch are enough for the device with 8 beside one of 16
  const size_t below = topology.addSwitch("switch", 0, 24e9, latency);
  for (double rate : {8e9, 16e9, 16e9, 8e9})
    topology.addDevice(below, rate, latency);
  CHECK(loadersOf(topology) == Devices{0, 1});
  Topology direct; // without any switch each has its own link, and all are one chain
  for (int d = 0; d < 3; ++d)
    direct.addDevice(0, x16, latency);
  CHECK(loadersOf(direct) == Devices{0, 1, 2});
  CHECK(chainsOf(direct) == Chains{{0, 1, 2}});
}

TEST_CASE("ways go by the host where devices do not reach each other", "[topology]") {
  const Topology ngra = ofNgra();
  CHECK(ngra.reaches(0, 1));
  CHECK(names(ngra, ngra.way(0, 1)) == "cuda:0 -> bridge0/0, bridge0/0 -> cuda:1");
  CHECK(ngra.reaches(0, 3)); // by their bridge
  CHECK(ngra.way(0, 3).size() == 4);
  CHECK(!ngra.reaches(0, 4));
  CHECK(names(ngra, ngra.way(0, 4)) == "cuda:0 -> bridge0/0, bridge0/0 -> bridge0, bridge0 -> host, host -> bridge1, "
                                       "bridge1 -> bridge1/0, bridge1/0 -> cuda:4");
  CHECK(ngra.rateOf(ngra.way(Topology::host, 3)) == x16);
  CHECK(ngra.latencyOf(ngra.way(3, Topology::host)) == Approx(3e-6));
  const Topology none = withoutPeers(ofNgra());
  CHECK(none.way(0, 1).size() == 6); // up to the host and down again
  const Topology peers = linked(none, {{1, 0}}, 50e9);
  CHECK(names(peers, peers.way(0, 1)) == "cuda:0 -> cuda:1");
  CHECK(peers.rateOf(peers.way(1, 0)) == 50e9);
}

TEST_CASE("a slow way is not of the ring where there is another", "[topology]") {
  const Topology topology = linked(withoutPeers(switches({4})), {{0, 2}, {2, 1}, {1, 3}, {3, 0}}, 50e9);
  CHECK(ringOf(topology) == Devices{0, 2, 1, 3});
  const Topology other = topology.of({1, 0, 3, 2}, "the test"); // the same machine by other numbers
  CHECK(ringOf(other) == Devices{0, 3, 1, 2});
  CHECK(names(other, other.way(0, 2)) == "cuda:1 -> cuda:3");
}

TEST_CASE("a topology is read of a file", "[topology]") {
  const Topology read = parsed(R"({
    "device": {"GB": 16, "GB/s": 900, "Tops/s": 14, "launch_us": 5, "arch": 70, "multiprocessors": 80},
    "links": [{"from": "switch", "to": "cuda:1", "GB/s": 16},
              {"from": "host", "to": "switch", "GB/s": 32, "us": 2},
              {"from": "switch", "to": "cuda:0", "GB/s": 16, "us": 0.5},
              {"from": "host", "to": "cuda:2", "GB/s": 12},
              {"from": "cuda:2", "to": "cuda:0", "GB/s": 25}]})");
  CHECK(read.numDevices() == 3);
  CHECK(read.kind.memoryBytes == 16e9);
  CHECK(read.kind.memoryRate == 900e9);
  CHECK(read.kind.arithmetic == 14e12);
  CHECK(read.kind.launchSeconds == Approx(5e-6));
  CHECK((read.kind.arch == 70 && read.kind.multiprocessors == 80));
  CHECK(names(read, read.way(Topology::host, 0)) == "host -> switch, switch -> cuda:0");
  CHECK(read.latencyOf(read.wayDown(0)) == Approx(2.5e-6));
  CHECK(names(read, read.way(0, 2)) == "cuda:0 -> cuda:2");
  CHECK((read.reaches(0, 1) && !read.reaches(1, 2)));
  const std::string two =
      R"("links": [{"from": "host", "to": "s", "GB/s": 16}, {"from": "s", "to": "cuda:0", "GB/s": 16},
                                       {"from": "s", "to": "cuda:1", "GB/s": 16}])";
  CHECK(parsed("{" + two + "}").reaches(0, 1));
  CHECK(!parsed("{" + two + R"(, "peers": false})").reaches(0, 1));
  CHECK(parsed("{" + two + R"(, "peers": [["cuda:0", "cuda:1"]]})").reaches(1, 0));
}

TEST_CASE("what is wrong with a file is said with its place", "[topology]") {
  auto fails = [](const std::string &text, const std::string &message) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parsed(text), Contains(message));
  };
  auto links = [&](const std::string &list, const std::string &message) {
    fails("{\"links\": [" + list + "]}", message);
  };
  const std::string device = R"({"from": "host", "to": "cuda:0", "GB/s": 16})";
  fails("{\n \"links\": [\n,]}", "server.json: bad JSON: [json.exception.parse_error.101] parse error at line 3");
  fails("{}", "server.json: links: expected a list of links");
  fails("{\"link\": []}", "server.json: link: there is no such key; there are device, links, peers");
  links("3", "server.json: links[0]: expected an object");
  links(R"({"from": "host", "to": "cuda:0"})", "server.json: links[0].GB/s: it is missing");
  links(R"({"from": "host", "to": "cuda:0", "GB/s": 0})", "links[0].GB/s: expected a number above 0, not 0");
  links(R"({"from": "host", "to": "cuda:0", "GB/s": 1e300})",
        "links[0].GB/s: expected a number of at most 1e+06, not 1e+300");
  links(R"({"from": "host", "to": "cuda:0", "GB/s": "16"})", "links[0].GB/s: expected a number, not \"16\"");
  links(R"({"from": "host", "to": "cuda:0", "GB/s": 1, "us": -1})", "links[0].us: expected a number from 0 on, not -1");
  links(R"({"from": "host", "to": "cuda:0", "Gb/s": 1})", "links[0].Gb/s: there is no such key; there are GB/s");
  links(R"({"to": "cuda:0", "GB/s": 1})", "links[0].from: expected a name");
  links(R"({"from": "host", "to": "cuda:16", "GB/s": 1})", "links[0].to: expected a device from cuda:0 to cuda:15");
  links(R"({"from": "cuda:0", "to": "host", "GB/s": 1})", "links[0].to: the host is above all");
  links(R"({"from": "cuda:0", "to": "switch", "GB/s": 1})", "links[0].from: nothing hangs from a device");
  links(R"({"from": "a", "to": "a", "GB/s": 1})", "links[0]: it begins and ends at a");
  links(device + "," + device, "links[1]: cuda:0 hangs from host already (links[0])");
  links(R"({"from": "host", "to": "switch", "GB/s": 1})", "links: no link leads to cuda:0");
  links(R"({"from": "switch", "to": "cuda:0", "GB/s": 1})", "links: no link leads to switch");
  links(device + R"(,{"from": "host", "to": "cuda:2", "GB/s": 1})",
        "links[1]: no link of the tree leads to cuda:1, so there is no cuda:2");
  links(device + R"(,{"from": "cuda:0", "to": "cuda:3", "GB/s": 1})", "links[1]: no link of the tree leads to cuda:1");
  links(device + R"(,{"from": "host", "to": "switch", "GB/s": 1})", "links[1]: no device is below switch");
  links(R"({"from": "b", "to": "a", "GB/s": 1},{"from": "a", "to": "b", "GB/s": 1},
           {"from": "a", "to": "cuda:0", "GB/s": 1})",
        "are a circle");
  const std::string pair = device + R"(,{"from": "host", "to": "cuda:1", "GB/s": 16},{"from": "cuda:0", "to": "cuda:1",
                                        "GB/s": 1},{"from": "cuda:1", "to": "cuda:0", "GB/s": 1})";
  links(pair, "links[3]: cuda:1 and cuda:0 have a link already");
  fails("{\"device\": 1, \"links\": [" + device + "]}", "device: expected an object");
  fails("{\"device\": {\"arch\": 9}, \"links\": [" + device + "]}", "device.arch: expected the number");
  fails("{\"peers\": true, \"links\": [" + device + "]}", "peers: expected false, or lists of devices");
  fails("{\"peers\": [[\"cuda:1\"]], \"links\": [" + device + "]}", "peers[0]: there is no cuda:1");
  CHECK_THROWS_WITH(readTopology("no-such.json"), Contains("no-such.json"));
  CHECK_THROWS_WITH(parsed("{\"links\": [" + device + "]}").of({0, 3}, "server.json"),
                    Contains("server.json: there is no cuda:3, but 1 device"));
}

TEST_CASE("bridges are those that the system names", "[topology]") {
  namespace fs = std::filesystem;
  const TemporaryFolder sysfs;
  const fs::path root = sysfs.path("devices/pci0000:00"), named = sysfs.path("bus/pci/devices");
  fs::create_directories(named);
  auto make = [&](const std::string &place, const char *speed, const char *width) {
    fs::create_directories(root / place);
    std::ofstream(root / place / "current_link_speed") << speed << "\n";
    std::ofstream(root / place / "current_link_width") << width << "\n";
  };
  auto makeDevice = [&](const std::string &place) {
    make(place, "8.0 GT/s PCIe", "16");
    fs::create_symlink(root / place, named / fs::path(place).filename());
  };
  make("0000:00:01.0", "16.0 GT/s PCIe", "16");
  makeDevice("0000:00:01.0/0000:02:00.0");
  makeDevice("0000:00:01.0/0000:03:00.0");
  make("0000:00:02.0", "Unknown", "255");
  makeDevice("0000:00:02.0/0000:81:00.0");

  const Topology found = foundTopology({"0000:02:00.0", "0000:03:00.0", "0000:81:00.0", "0000:99:00.0"}, sysfs.path());
  REQUIRE(found.numDevices() == 4);
  CHECK(names(found, found.way(0, 1)) == "cuda:0 -> 0000:00:01.0, 0000:00:01.0 -> cuda:1");
  CHECK((found.reaches(0, 1) && !found.reaches(0, 2)));
  CHECK(found.rateOf(found.wayDown(0)) == Approx(12e9));     // 8 GT/s on 16 lanes
  CHECK(found.links()[0].rate == Approx(24e9));              // 16 GT/s on 16 lanes
  CHECK(names(found, found.wayDown(3)) == "host -> cuda:3"); // one that is not named there
}
