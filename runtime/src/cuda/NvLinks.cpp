//===- NvLinks.cpp - Links from GPU to GPU --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/NvLinks.h"

#include "runtime/src/cuda/Device.h"
#include "runtime/src/links/FoundTopology.h"

#include <algorithm>
#include <dlfcn.h>
#include <map>

namespace gnn::rt {

namespace {

constexpr double latency = 1e-6;

/// Bytes a second of a link in either direction, as NVIDIA states them: 20 GB/s of P100, 25 of V100, A100 (12 links are
/// 300) and H100 (18 are 450), 50 of B200 (18 are 900).
double rateOf(unsigned version) { return version == nvml::version1 ? 20e9 : version >= nvml::version5 ? 50e9 : 25e9; }

class Nvml {
public:
  Nvml() {
    opened = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    bool isWhole = opened != nullptr;
#define GNN_NVML_FIND(member, symbol, parameters) isWhole = isWhole && find(#symbol, member);
    GNN_NVML_FUNCTIONS(GNN_NVML_FIND)
#undef GNN_NVML_FIND
    isThere = isWhole && init() == nvml::success;
  }
  ~Nvml() {
    if (isThere)
      shutdown();
    if (opened)
      dlclose(opened);
  }
  Nvml(const Nvml &) = delete;
  Nvml &operator=(const Nvml &) = delete;

  explicit operator bool() const { return isThere; }

  /// Rates of the links of a device together, by the PCI names of what they lead to.
  std::map<std::string, double> linksOf(const std::string &name) const {
    std::map<std::string, double> rates;
    nvml::Handle device = nullptr;
    if (deviceOf(name.c_str(), &device) != nvml::success)
      return rates;
    for (unsigned link = 0; link < nvml::mostLinks; ++link) {
      unsigned state = 0, version = 0;
      nvml::PciInfo remote{};
      if (linkState(device, link, &state) == nvml::success && state == nvml::enabled &&
          linkVersion(device, link, &version) == nvml::success && linkRemote(device, link, &remote) == nvml::success)
        rates[pciName(int(remote.domain), int(remote.bus), int(remote.device))] += rateOf(version);
    }
    return rates;
  }

private:
  template <class Member> bool find(const char *symbol, Member &member) {
    member = reinterpret_cast<Member>(dlsym(opened, symbol));
    return member != nullptr;
  }

  void *opened = nullptr;
  bool isThere = false;
#define GNN_NVML_MEMBER(member, symbol, parameters) nvml::Status(*member) parameters = nullptr;
  using Handle = nvml::Handle;
  using PciInfo = nvml::PciInfo;
  GNN_NVML_FUNCTIONS(GNN_NVML_MEMBER)
#undef GNN_NVML_MEMBER
};

} // namespace

void addNvLinks(Topology &topology, const std::vector<Device *> &devices) {
  const Nvml nvml;
  std::vector<std::string> names;
  std::vector<std::map<std::string, double>> links;
  for (Device *device : devices) {
    names.push_back(device->pciName());
    links.push_back(nvml ? nvml.linksOf(names.back()) : std::map<std::string, double>());
  }
  for (size_t d = 0; d < devices.size(); ++d)
    for (size_t e = 0; e < d; ++e) {
      double rate = nvml || !devices[d]->hasAtomicsTo(*devices[e]) ? 0 : rateOf(nvml::version3);
      for (const auto &[remote, mine] : links[d]) {
        const bool isDevice = std::find(names.begin(), names.end(), remote) != names.end();
        const auto theirs = links[e].find(remote);
        if (remote == names[e])
          rate += mine;
        else if (!isDevice && theirs != links[e].end())
          rate += std::min(mine, theirs->second);
      }
      if (rate > 0 && devices[d]->reaches(*devices[e]))
        topology.addPeerLink(e, d, rate, latency);
    }
}

} // namespace gnn::rt
