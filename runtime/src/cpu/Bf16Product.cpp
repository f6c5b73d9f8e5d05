//===- Bf16Product.cpp - Products of bf16 by oneDNN -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/Bf16Product.h"

#include "runtime/src/core/Buffer.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/cpu/SignalsHeldBack.h"
#include "runtime/src/cpu/SingleThreadedOpenMP.h"

#include <dnnl.hpp>
#include <new>
#include <unordered_map>
#include <vector>

namespace gnn::rt {

using dnnl::memory;

const char *bf16Instructions() {
  switch (dnnl_get_effective_cpu_isa()) {
  case dnnl_cpu_isa_avx512_core_amx:
    return "AMX";
  case dnnl_cpu_isa_avx512_core_bf16:
    return "AVX512_BF16";
  default:
    return nullptr;
  }
}

namespace {

memory::desc matrix(memory::data_type type, int64_t rows, int64_t columns, bool isTransposed) {
  return {{rows, columns}, type, isTransposed ? memory::dims{1, rows} : memory::dims{columns, 1}};
}

/// Calls `work`, with errors of oneDNN as ours. Those that can be are of memory.
template <class Work> auto withOurErrors(Work &&work) {
  try {
    return work();
  } catch (const dnnl::error &error) {
    if (error.status == dnnl_out_of_memory)
      throw std::bad_alloc();
    fail(GNN_ERROR_INTERNAL, "a product of bf16 by oneDNN: ", error.what());
  }
}

} // namespace

struct Bf16Product::Parts {
  /// What a call of one thread needs.
  struct Worker {
    dnnl::stream stream;
    memory a, b, c, scratchpad;
    std::unordered_map<int, memory> arguments;
  };

  Parts(const Shape &shape, unsigned threads);

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::matmul::primitive_desc description;
  dnnl::matmul product;
  memory plainB, packedB; // where B is packed
  dnnl::reorder packing;
  Buffer<char> packed, scratch;
  size_t scratchStride = 0;
  std::vector<Worker> workers;
};

Bf16Product::Parts::Parts(const Shape &shape, unsigned threads) {
  SingleThreadedOpenMP single;
  const memory::desc a = matrix(memory::data_type::bf16, shape.m, shape.k, shape.transposeA),
                     plain = matrix(memory::data_type::bf16, shape.k, shape.n, shape.transposeB),
                     c = matrix(memory::data_type::f32, shape.m, shape.n, false),
                     b = shape.packsB ? memory::desc(plain.dims(), memory::data_type::bf16, memory::format_tag::any)
                                      : plain;
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (shape.accumulates) {
    dnnl::post_ops sum;
    sum.append_sum(1);
    attributes.set_post_ops(sum);
  }
  description = dnnl::matmul::primitive_desc({a, b, c}, attributes, engine);
  product = dnnl::matmul(description);
  if (shape.packsB) {
    packed = Buffer<char>(description.weights_desc().get_size());
    packedB = memory(description.weights_desc(), engine, packed.data());
    plainB = memory(matrix(memory::data_type::f32, shape.k, shape.n, shape.transposeB), engine, nullptr);
    packing = dnnl::reorder(plainB, packedB);
  }
  scratchStride = wholeLines(description.scratchpad_desc().get_size());
  scratch = Buffer<char>(scratchStride * threads);
  for (unsigned i = 0; i < threads; ++i) {
    Worker worker{dnnl::stream(engine),
                  memory(a, engine, nullptr),
                  shape.packsB ? packedB : memory(b, engine, nullptr),
                  memory(c, engine, nullptr),
                  memory(description.scratchpad_desc(), engine, scratch.data() + i * scratchStride),
                  {}};
    worker.arguments = {{DNNL_ARG_SRC, worker.a},
                        {DNNL_ARG_WEIGHTS, worker.b},
                        {DNNL_ARG_DST, worker.c},
                        {DNNL_ARG_SCRATCHPAD, worker.scratchpad}};
    workers.push_back(std::move(worker));
  }
}

Bf16Product::Bf16Product(const Shape &shape, unsigned threads)
    : parts(withOurErrors([&] { return std::make_unique<Parts>(shape, threads); })) {}

Bf16Product::Bf16Product(Bf16Product &&) noexcept = default;
Bf16Product::~Bf16Product() = default;

size_t Bf16Product::bytes() const { return parts->packed.size() + parts->scratch.size(); }

void Bf16Product::packB(const float *b) {
  SignalsHeldBack heldBack;
  withOurErrors([&] {
    parts->plainB.set_data_handle(const_cast<float *>(b));
    parts->packing.execute(parts->workers[0].stream, parts->plainB, parts->packedB);
    parts->workers[0].stream.wait();
  });
}

void Bf16Product::multiply(unsigned worker, const uint16_t *a, const uint16_t *b, float *c) {
  SignalsHeldBack heldBack;
  withOurErrors([&] {
    Parts::Worker &own = parts->workers[worker];
    own.a.set_data_handle(const_cast<uint16_t *>(a));
    if (b)
      own.b.set_data_handle(const_cast<uint16_t *>(b));
    own.c.set_data_handle(c);
    parts->product.execute(own.stream, own.arguments);
    own.stream.wait();
  });
}

} // namespace gnn::rt
