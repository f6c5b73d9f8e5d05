//===- DeviceEdges.cpp - Rows of edges that a GPU draws of ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceEdges.h"

#include "runtime/src/bind/Binding.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Sizes.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

namespace gnn::rt {

/// On a stream of its own, so that drawing goes on beside what the device computes. What it is asked for it reads in
/// pinned memory of this process; what it draws comes from there in one copy.
class DeviceEdges::Draws : public EdgeDraws {
public:
  explicit Draws(std::shared_ptr<const DeviceEdges> drawn) : edges(std::move(drawn)), gpu(edges->gpu) {
    Device::Scope scope(*gpu);
    try {
      stream = gpu->openStream();
      allocated = gpu->createEvent();
      done = gpu->createEvent();
    } catch (...) {
      close();
      throw;
    }
  }
  ~Draws() override {
    Device::Scope scope(*gpu);
    close();
  }

  void draw(const RowsOfEdges &rows, const RowDraw &how, ChosenEdges &chosen) override;
  size_t bytes() const override { return room.bytes(); }
  void reserve(size_t bytes) override;

private:
  static constexpr size_t spare = 16; // a part of so many more is taken
  /// Where what is drawn of some rows lies, on the device and in pinned memory.
  struct Layout {
    Layout(const RowsOfEdges &rows, const RowDraw &how)
        : drawn(rows.vertices.size() * size_t(how.most)), seenAt(rows.needsPlaces() ? drawn * sizeof(int64_t) : 0),
          drawnAt(seenAt + rows.vertices.size() * sizeof(uint32_t)), bytes(drawnAt + drawn * sizeof(uint32_t)) {}
    size_t drawn, seenAt, drawnAt, bytes; // places first
  };

  void close() {
    gpu->close(stream);
    gpu->destroy(allocated);
    gpu->destroy(done);
  }
  void makePinned(std::shared_ptr<void> &memory, size_t &size, size_t bytes, bool isMapped);
  void ask(const RowsOfEdges &rows, const RowDraw &how, const Layout &layout);
  void take(const RowsOfEdges &rows, const RowDraw &how, const Layout &layout, ChosenEdges &chosen);

  std::shared_ptr<const DeviceEdges> edges;
  std::shared_ptr<Device> gpu;
  cuda::Stream stream = nullptr;
  cuda::Event allocated = nullptr, done = nullptr;
  std::shared_ptr<void> asked, found; // pinned: ids and rows; what was drawn
  size_t askedBytes = 0, foundBytes = 0;
  const uint32_t *asksKept = nullptr; // [rows] in `asked`: Places::ofRows; null: nobody keeps any
  DeviceArray room;
};

void DeviceEdges::Draws::makePinned(std::shared_ptr<void> &memory, size_t &size, size_t bytes, bool isMapped) {
  if (bytes <= size)
    return;
  memory = nullptr; // not two at a time
  size = 0;
  memory = gpu->pinned(bytes + bytes / spare, isMapped);
  size = bytes + bytes / spare;
}

/// What the device was asked for before may still use what it gets.
void DeviceEdges::Draws::reserve(size_t bytes) {
  if (bytes <= room.bytes())
    return;
  Device::Scope scope(*gpu);
  room = DeviceArray(); // not two at a time
  room = gpu->allocate(bytes + bytes / spare);
  gpu->record(allocated);
  gpu->await(allocated, stream);
}

void DeviceEdges::Draws::draw(const RowsOfEdges &rows, const RowDraw &how, ChosenEdges &chosen) {
  assert(how.most >= 0 && how.most <= mostOfRow);
  chosen.clear();
  if (rows.vertices.empty())
    return;
  const Layout layout(rows, how);
  ask(rows, how, layout);
  gpu->awaitAside(done);
  take(rows, how, layout, chosen);
}

void DeviceEdges::Draws::ask(const RowsOfEdges &rows, const RowDraw &how, const Layout &layout) {
  const size_t count = rows.vertices.size();
  const Rows &table = edges->tables.at({rows.relation, rows.direction});
  const size_t idBytes = rows.order ? count * sizeof(int64_t) : 0;
  reserve(layout.bytes);
  {
    Device::Scope scope(*gpu);
    makePinned(asked, askedBytes, idBytes + (table.places ? 2 : 1) * count * sizeof(uint32_t), /*isMapped=*/true);
    makePinned(found, foundBytes, layout.bytes, /*isMapped=*/false);
  }
  auto *ids = static_cast<int64_t *>(asked.get());
  auto *numbers = reinterpret_cast<uint32_t *>(static_cast<char *>(asked.get()) + idBytes);
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = uint32_t(rows.vertices[i]);
    if (rows.order)
      ids[i] = rows.order->id[size_t(rows.vertices[i])];
  }
  asksKept = nullptr;
  if (table.places) {
    constexpr size_t ahead = 16; // they lie here and there
    uint32_t *kept = numbers + count;
    const uint32_t *ofRows = table.places->ofRows.data();
    for (size_t i = 0; i < count; ++i) {
      __builtin_prefetch(ofRows + numbers[std::min(i + ahead, count - 1)]);
      kept[i] = ofRows[numbers[i]];
    }
    asksKept = kept;
  }
  Device::Scope scope(*gpu);
  const cuda::Address askedThere = gpu->addressOf(asked), there = room.address();
  const cuda::Address rowsThere = askedThere + idBytes;
  const uint32_t numTables = table.places ? uint32_t(table.places->firsts.size() - 1) : 0;
  edges->kernels
      .drawEdges({table.offsets->address(), table.cols->address(),
                  numTables > 0 ? table.kept.address() + table.keptTables : 0, numTables},
                 {rowsThere, numTables > 0 ? rowsThere + count * sizeof(uint32_t) : 0, rows.order ? askedThere : 0,
                  int64_t(count), how.seed, uint32_t(how.most), how.isRepeated, there + layout.seenAt,
                  there + layout.drawnAt, rows.needsPlaces() ? there : 0})
      .launchAside(*gpu, stream);
  gpu->check(gpu->api().copyToHost(found.get(), there, layout.bytes, stream), "copying from the device");
  gpu->record(done, stream);
}

/// Row after row.
void DeviceEdges::Draws::take(const RowsOfEdges &rows, const RowDraw &how, const Layout &layout, ChosenEdges &chosen) {
  const Rows &table = edges->tables.at({rows.relation, rows.direction});
  const size_t count = rows.vertices.size();
  const auto *base = static_cast<const char *>(found.get());
  const auto *places = reinterpret_cast<const int64_t *>(base);
  const auto *seen = reinterpret_cast<const uint32_t *>(base + layout.seenAt);
  const auto *drawn = reinterpret_cast<const uint32_t *>(base + layout.drawnAt);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t number = seen[i];
    require(int64_t(number) <= how.most, GNN_ERROR_DEVICE, gpu->label(), " has drawn ", number, " edges of at most ",
            how.most);
    chosen.counts.push_back(number);
    for (size_t k = 0; k < number; ++k)
      chosen.cols.push_back(drawn[k * count + i]);
    for (size_t k = 0; rows.needsPlaces() && k < number; ++k)
      chosen.places.push_back(places[k * count + i]);
    if (!asksKept || asksKept[i] == Places::notKept)
      continue;
    const bool isHere = table.isKeptHere(asksKept[i]);
    (isHere ? counts.keptRows : counts.peerRows) += 1;
    (isHere ? counts.keptEdges : counts.peerEdges) += number;
  }
  counts.rows += count;
  counts.edges += chosen.cols.size();
}

std::shared_ptr<DeviceEdges> DeviceEdges::open(const std::shared_ptr<Device> &device, DeviceKernels &kernels,
                                               const Binding &binding,
                                               const std::vector<std::pair<uint32_t, uint32_t>> &of) {
  if (device->api().isOnPaper || !device->canMap())
    return nullptr;
  std::shared_ptr<DeviceEdges> edges(new DeviceEdges(device, kernels));
  for (const auto &[relation, direction] : of) {
    const Csr &csr = binding.relation(relation).csr(direction);
    auto mapped = [&](const auto &array) {
      return MappedArray::of(device, array.data(), array.size() * sizeof(array[0]));
    };
    const Rows &rows = edges->tables[{relation, direction}] = {&csr, mapped(csr.offsets), mapped(csr.cols)};
    bool isNarrow = true; // the kernel counts edges of a row in 32 bits
    for (int64_t row = 0; isNarrow && csr.cols.size() > UINT32_MAX && row < csr.numRows(); ++row)
      isNarrow = csr.degree(row) <= int64_t(UINT32_MAX);
    if (!rows.offsets || !rows.cols || !isNarrow)
      return nullptr;
  }
  return edges;
}

std::unique_ptr<EdgeDraws> DeviceEdges::draws() { return std::make_unique<Draws>(shared_from_this()); }

/// Appends where the edges of rows begin, and their cols.
void DeviceEdges::addRows(const Csr &csr, const std::vector<uint32_t> &rows, Places &places,
                          std::vector<uint32_t> &words) {
  size_t edges = 0;
  words = {0};
  for (uint32_t row : rows) {
    if (edges + size_t(csr.degree(row)) > UINT32_MAX)
      break;
    edges += size_t(csr.degree(row));
    places.ofRows[row] = places.firsts.back() + uint32_t(words.size() - 1);
    words.push_back(uint32_t(edges));
  }
  const size_t count = words.size() - 1;
  for (size_t i = 0; i < count; ++i) {
    const uint32_t *first = csr.cols.data() + csr.offsets[rows[i]];
    words.insert(words.end(), first, first + csr.degree(rows[i]));
  }
  places.firsts.push_back(places.firsts.back() + uint32_t(count));
}

std::vector<size_t> DeviceEdges::keep(uint32_t relation, uint32_t direction, const std::vector<DrawTables *> &group,
                                      const std::vector<std::vector<uint32_t>> &rows) {
  const Csr &csr = *tables.at({relation, direction}).csr;
  const bool areAny = std::any_of(rows.begin(), rows.end(), [](const auto &some) { return !some.empty(); });
  std::vector<DeviceEdges *> devices;
  for (DrawTables *member : group)
    devices.push_back(static_cast<DeviceEdges *>(member));
  const auto places = std::make_shared<Places>();
  places->ofRows = Buffer<uint32_t>(areAny ? size_t(csr.numRows()) : 0);
  std::fill(places->ofRows.begin(), places->ofRows.end(), Places::notKept);
  std::vector<size_t> bytes(devices.size(), 0);
  std::vector<DeviceKernels::KeptEdges> all;
  for (size_t d = 0; d < devices.size(); ++d) {
    Rows &table = devices[d]->tables.at({relation, direction});
    Device &gpu = *devices[d]->gpu;
    Device::Scope scope(gpu);
    table.kept = DeviceArray();
    table.places = nullptr;
    if (!areAny)
      continue;
    const uint32_t first = places->firsts.back();
    std::vector<uint32_t> words;
    addRows(csr, rows[d], *places, words);
    const size_t offsets = places->firsts.back() - first + 1;
    table.keptTables = (words.size() * sizeof words[0] + 7) / 8 * 8;
    table.places = places;
    table.number = d;
    bytes[d] = table.keptTables + devices.size() * sizeof all[0];
    table.kept = gpu.allocate(bytes[d]);
    gpu.upload(table.kept.address(), words.data(), words.size() * sizeof words[0]);
    gpu.finish(); // draws are on streams of their own
    all.push_back({table.kept.address(), table.kept.address() + offsets * sizeof words[0], first});
  }
  for (size_t d = 0; d < devices.size() && areAny; ++d) {
    const Rows &table = devices[d]->tables.at({relation, direction});
    Device &gpu = *devices[d]->gpu;
    Device::Scope scope(gpu);
    gpu.upload(table.kept.address() + table.keptTables, all.data(), all.size() * sizeof all[0]);
    gpu.finish();
  }
  return bytes;
}

namespace {

/// Pages that are pinned where they are.
class PinnedPages {
public:
  PinnedPages(std::shared_ptr<Device> by, void *memory) : device(std::move(by)), memory(memory) {}
  ~PinnedPages() {
    Device::Scope scope(*device);
    device->api().hostUnregister(memory);
  }

private:
  std::shared_ptr<Device> device;
  void *memory;
};

/// Kernels only read. The driver refuses to pin pages that are mapped for reading, such as those of a file, unless it
/// is told so, which not all devices allow.
cuda::Result pin(Device &device, void *memory, size_t bytes) {
  const unsigned flags = cuda::hostPortable | cuda::hostDeviceMap;
  const cuda::Result result = device.api().hostRegister(memory, bytes, flags | cuda::hostReadOnly);
  return result == cuda::success ? result : device.api().hostRegister(memory, bytes, flags);
}

/// For all devices. Null, which is said on standard error: the system does not allow it.
std::shared_ptr<void> registered(const std::shared_ptr<Device> &device, const void *data, size_t bytes) {
  static std::mutex mutex;
  static std::map<std::pair<const void *, size_t>, std::weak_ptr<PinnedPages>> all;
  const std::lock_guard<std::mutex> lock(mutex);
  for (auto at = all.begin(); at != all.end();)
    at = at->second.expired() ? all.erase(at) : std::next(at);
  void *memory = const_cast<void *>(data);
  auto known = all.find({data, bytes});
  std::shared_ptr<PinnedPages> pages = known == all.end() ? nullptr : known->second.lock();
  if (!pages) {
    Device::Scope scope(*device);
    if (const cuda::Result result = pin(*device, memory, bytes); result != cuda::success) {
      std::fprintf(stderr, "gnnrt: note: %s cannot read %s of edges in memory of this process: %s\n",
                   device->label().c_str(), sizeText(bytes).c_str(), device->api().describe(result).c_str());
      return nullptr;
    }
    pages = std::make_shared<PinnedPages>(device, memory);
    all[{data, bytes}] = pages;
  }
  return {std::move(pages), memory};
}

} // namespace

std::shared_ptr<const MappedArray> MappedArray::of(const std::shared_ptr<Device> &device, const void *data,
                                                   size_t bytes, size_t mostCopied) {
  Device::Scope scope(*device);
  std::shared_ptr<void> owner;
  if (bytes > mostCopied) {
    owner = registered(device, data, bytes);
  } else {
    owner = device->pinned(std::max<size_t>(bytes, 1), /*isMapped=*/true);
    std::memcpy(owner.get(), data, bytes);
  }
  cuda::Address address = 0;
  if (!owner || device->api().hostAddress(&address, owner.get(), /*flags=*/0) != cuda::success)
    return nullptr;
  return std::shared_ptr<const MappedArray>(new MappedArray(std::move(owner), address));
}

} // namespace gnn::rt
