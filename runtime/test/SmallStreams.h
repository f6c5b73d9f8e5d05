//===- SmallStreams.h - A small program in a spill file ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_SMALLSTREAMS_H
#define GNN_TEST_SMALLSTREAMS_H

#include "FakeData.h"
#include "FaultyFiles.h"
#include "TemporaryFolder.h"
#include "gnn/error.hpp"
#include "runtime/src/stream/Streamed.h"

#include <catch2/catch.hpp>

namespace gnn::rt {

/// A training program over a small graph, whole and streamed.
struct Streams {
  explicit Streams(const std::string &folder, uint64_t passOver = bytesOfSeek, size_t ahead = 0)
      : run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2), spilled(spilledTo(folder, passOver, ahead)),
        streamed(run.engine, *run.library, run.binding, *run.library->program(GNN_PROGRAM_TRAIN), spilled) {
    streamed.place(FakeLibrary::W, run.w.data());
    streamed.place(FakeLibrary::B, run.b.data());
  }
  std::shared_ptr<SpilledData> spilledTo(const std::string &folder, uint64_t passOver, size_t ahead) {
    auto made =
        std::make_shared<SpilledData>(run.engine, *run.library, run.binding, /*parts=*/3, folder, Residents(), files);
    made->passOver(passOver);
    made->lookAhead(ahead);
    return made;
  }
  std::vector<std::vector<float>> results() {
    std::vector<std::vector<float>> found;
    for (uint32_t i = 0; i < run.library->program(GNN_PROGRAM_TRAIN)->num_results; ++i)
      found.push_back(values(streamed.result(i)));
    return found;
  }

  FakeLibrary fake;
  FakeData data{200, 900};
  FakeRun run;
  FaultyFiles files;
  std::shared_ptr<SpilledData> spilled;
  Streamed streamed;
};

/// The same program, which reads the rows of its input from a file of the data.
struct PagedStreams {
  explicit PagedStreams(const TemporaryFolder &folder)
      : features(data.features), run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/2),
        binding(run.library, run.dims, data.graph, xInFile(features, folder, files), /*withTargets=*/true, "test data"),
        spilled(std::make_shared<SpilledData>(run.engine, *run.library, binding, /*parts=*/3, folder.path("spill"),
                                              Residents(), files)),
        streamed(run.engine, *run.library, binding, *run.library->program(GNN_PROGRAM_TRAIN), spilled) {
    binding.setLossRows({data.train.data(), data.train.size()});
    streamed.place(FakeLibrary::W, run.w.data());
    streamed.place(FakeLibrary::B, run.b.data());
  }

  FakeLibrary fake;
  FakeData data{200, 900};
  FaultyFiles files;
  Features features;
  FakeRun run;
  Binding binding;
  std::shared_ptr<SpilledData> spilled;
  Streamed streamed;
};

/// Room for several pieces, not for all.
constexpr size_t someAhead = size_t(20) << 10;

/// Of the error of a run; empty: there is none.
template <class S> std::string messageOf(S &streams) {
  try {
    streams.streamed.run(/*key=*/5);
    return "";
  } catch (const gnn::Error &error) {
    CHECK(error.code() == GNN_ERROR_IO);
    return error.what();
  }
}

} // namespace gnn::rt

#endif // GNN_TEST_SMALLSTREAMS_H
