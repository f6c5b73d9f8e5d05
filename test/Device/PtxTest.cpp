//===- PtxTest.cpp - What the emulated device reports ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels by hand: right ones run, and each kind of fault that is planted in them is found.
//
//===----------------------------------------------------------------------===//

#include "PtxMachine.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace ptx;

namespace {

/// Each thread writes 10 times its number to shared memory, and after `barrier` reads that of the next thread, up to
/// `bound`, and writes it to the result.
std::string neighbours(const std::string &barrier, const std::string &bound = "31") {
  return R"(
.version 7.8
.target sm_80
.address_size 64

.shared .align 16 .b8 buffer[128];
.visible .entry k(
	.param .u64 .ptr .global .align 1 k_param_0
)
.maxntid 32, 1, 1
{
	.reg .pred %p<2>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
// %bb.0:
	ld.param.u64 %rd1, [k_param_0];
	mov.u32 %r1, %tid.x;
	mul.lo.s32 %r2, %r1, 10;
	mul.wide.u32 %rd2, %r1, 4;
	mov.u64 %rd3, buffer;
	add.s64 %rd4, %rd3, %rd2;
	st.shared.u32 [%rd4], %r2;
	)" +
         barrier +
         R"(
	setp.lt.u32 %p1, %r1, )" +
         bound + R"(;
	@!%p1 bra $L__BB0_2;
	ld.shared.u32 %r3, [%rd4+4];
	add.s64 %rd5, %rd1, %rd2;
	st.global.u32 [%rd5], %r3;
$L__BB0_2:
	ret;
}
)";
}

/// Runs `k` with one array of 32 numbers; gives them, or throws.
std::vector<uint32_t> run(const std::string &text, uint32_t threads = 32, uint32_t blocks = 1,
                          uint64_t sharedBytes = 0) {
  Machine machine(parse(text));
  DeviceMemory memory(1 << 20);
  uint64_t address = memory.allocate(128), start;
  std::vector<uint8_t> parameters(8);
  std::memcpy(parameters.data(), &address, 8);
  machine.run("k", {blocks, threads, sharedBytes}, parameters, memory);
  std::vector<uint32_t> result(32);
  std::memcpy(result.data(), memory.find(address, 128, start)->data.data(), 128);
  return result;
}

std::string faultOf(const std::string &text, uint32_t threads = 32, uint32_t blocks = 1) {
  try {
    run(text, threads, blocks);
  } catch (const Error &error) {
    return error.what();
  }
  return "none";
}

/// A kernel of one thread that stores what `body` leaves in %r9.
std::string single(const std::string &body) {
  return R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
	.reg .pred %p<10>;
	.reg .b32 %r<10>;
	.reg .f32 %f<10>;
	.reg .b64 %rd<10>;
	ld.param.u64 %rd1, [k_param_0];
	)" +
         body +
         R"(
	st.global.u32 [%rd1], %r9;
	ret;
}
)";
}

uint32_t valueOf(const std::string &body) { return run(single(body), 1)[0]; }

} // namespace

TEST_CASE("threads exchange numbers over a barrier") {
  for (const char *barrier : {"bar.warp.sync -1;", "bar.sync 0;"}) {
    std::vector<uint32_t> result = run(neighbours(barrier));
    for (uint32_t t = 0; t < 31; ++t)
      CHECK(result[t] == 10 * (t + 1));
    CHECK(result[31] == 0xffffffff); // never written
  }
}

TEST_CASE("what threads of a block load alike is moved once, in sectors") {
  Machine machine(parse(neighbours("ld.global.u32 %r4, [%rd1+128];\nbar.sync 0;")), /*isCounted=*/true);
  DeviceMemory memory(1 << 20);
  const uint64_t address = memory.allocate(132);
  std::vector<uint8_t> parameters(8);
  std::memcpy(parameters.data(), &address, 8);
  machine.run("k", {1, 32, 0}, parameters, memory);
  CHECK(machine.moved() == 128 + 32);
}

TEST_CASE("shared memory without a size has what the launch gives, and is found in one space with all other") {
  std::string text = neighbours("bar.sync 0;");
  const std::string fixed = "buffer[128]", move = "mov.u64 %rd3, buffer;";
  text.replace(text.find(fixed), fixed.size(), "buffer[]");
  text.replace(text.find(move), move.size(), "mov.u64 %rd6, buffer;\ncvta.shared.u64 %rd3, %rd6;");
  for (const std::string space : {"st.shared", "ld.shared"})
    text.replace(text.find(space), space.size(), space.substr(0, 2));
  CHECK(run(text, 32, 1, 128)[5] == 60);
  CHECK_THAT(faultOf(text), Catch::Contains("out of bounds: a write of 4 bytes"));
}

TEST_CASE("a missing barrier is a race") { CHECK_THAT(faultOf(neighbours("")), Catch::Contains("race: ")); }

TEST_CASE("what a launch writes is not read as constant in it, not by the same thread either") {
  const std::string write = "st.global.u32 [%rd1+64], 1;\n", read = "ld.global.nc.u32 %r8, [%rd1+64];\n";
  CHECK_THAT(faultOf(single(write + read), 1), Catch::Contains("ld.global.nc reads bytes that block 0, thread 0"));
  CHECK_THAT(faultOf(single(read + write), 1), Catch::Contains("race: a write and an access of block 0, thread 0"));
  CHECK(faultOf(single(read), 1) == "none");
  CHECK(faultOf(single("ld.global.u32 %r8, [%rd1+64];\n" + write), 1) == "none");
}

TEST_CASE("blocks race for what they share") {
  // Two blocks write the same numbers to the same places.
  CHECK_THAT(faultOf(neighbours("bar.sync 0;"), 32, 2), Catch::Contains("race: ") && Catch::Contains("block 0"));
}

TEST_CASE("an off-by-one is out of bounds") {
  CHECK_THAT(faultOf(neighbours("bar.sync 0;", "32")), Catch::Contains("out of bounds: a read of 4 bytes"));
  CHECK_THAT(faultOf(single("st.global.u32 [%rd1+128], 1;"), 1), Catch::Contains("out of bounds: a write of 4 bytes"));
  CHECK_THAT(faultOf(single("st.global.u32 [%rd1+2], 1;"), 1), Catch::Contains("is not aligned"));
}

TEST_CASE("a barrier that not all threads reach is divergent") {
  CHECK_THAT(faultOf(neighbours("setp.eq.u32 %p1, %r1, 3;\n@%p1 bra $L__BB0_2;\nbar.sync 0;")),
             Catch::Contains("divergent barrier: thread 3 has ended"));
  CHECK_THAT(faultOf(neighbours("setp.eq.u32 %p1, %r1, 3;\n@%p1 bra $L__BB0_2;\nbar.warp.sync -1;")),
             Catch::Contains("divergent barrier"));
  CHECK_THAT(faultOf(neighbours("bar.warp.sync 1;")), Catch::Contains("the thread is not of those that meet"));
  CHECK_THAT(faultOf(neighbours("setp.eq.u32 %p1, %r1, 3;\n@%p1 bar.sync 0;\n@%p1 bra $L__BB0_2;\nbar.sync 0;")),
             Catch::Contains("waits at line"));
}

TEST_CASE("a block larger than the kernel allows") {
  CHECK_THAT(faultOf(neighbours("bar.sync 0;"), 64), Catch::Contains("blocks of 32 threads, not 64"));
}

TEST_CASE("shuffles") {
  auto shuffled = [](const std::string &shuffle) {
    return run(neighbours("shfl.sync." + shuffle + ";\nst.shared.u32 [%rd4], %r4;\nbar.sync 0;", "31"));
  };
  std::vector<uint32_t> swapped = shuffled("bfly.b32 %r4, %r2, 1, 31, -1");
  for (uint32_t t = 0; t < 31; ++t)
    CHECK(swapped[t] == 10 * ((t + 1) ^ 1));
  // In groups of 8, from the first thread of each.
  std::vector<uint32_t> first = shuffled("idx.b32 %r4, %r2, 0, 6175, -1");
  for (uint32_t t = 0; t < 31; ++t)
    CHECK(first[t] == 10 * ((t + 1) / 8 * 8));
}

TEST_CASE("instructions that are not exact or not known are refused") {
  CHECK_THAT(faultOf(single("ex2.approx.f32 %f1, %f2;"), 1), Catch::Contains("not exact"));
  CHECK_THAT(faultOf(single("atom.global.add.u32 %r9, [%rd1], 1;"), 1), Catch::Contains("unknown instruction atom"));
}

TEST_CASE("arithmetic") {
  CHECK(valueOf("mov.u32 %r1, 7;\nmov.u32 %r2, -2;\ndiv.s32 %r9, %r1, %r2;") == uint32_t(-3));
  CHECK(valueOf("mov.u32 %r1, -1;\nshr.u32 %r9, %r1, 31;") == 1);
  CHECK(valueOf("mov.u32 %r1, -1;\nmul.hi.u32 %r9, %r1, %r1;") == 0xfffffffe);
  CHECK(valueOf("mov.f32 %f1, 0f40200000;\ncvt.rzi.s32.f32 %r9, %f1;") == 2);
  CHECK(valueOf("mov.f32 %f1, 0f7FC00000;\nmov.f32 %f2, 0f3F800000;\nmax.f32 %f3, %f1, %f2;\nmov.b32 %r9, %f3;") ==
        0x3f800000);
  CHECK(valueOf("mov.f32 %f1, 0f7FC00000;\nmov.f32 %f2, 0f3F800000;\nmax.NaN.f32 %f3, %f1, %f2;\nmov.b32 %r9, %f3;") ==
        0x7fc00000);
  // One rounding: 1.0000001^2 - 1.0000002.
  CHECK(valueOf("mov.f32 %f1, 0f3F800001;\nmov.f32 %f2, 0fBF800002;\nfma.rn.f32 %f3, %f1, %f1, %f2;\nmov.b32 %r9, "
                "%f3;") == 0x28800000);
  CHECK(valueOf("mov.u32 %r1, 0x12345678;\nmov.u32 %r2, -1;\nbfi.b32 %r9, %r1, %r2, 4, 8;") == 0xfffff78f);
  CHECK(valueOf("mov.u32 %r1, 1;\nmov.u32 %r2, 6;\nbfi.b32 %r9, %r1, %r2, 31, 8;") == 0x80000006);
  CHECK(valueOf("mov.f32 %f1, 0f7FC00000;\nsetp.neu.f32 %p1, %f1, %f1;\nselp.b32 %r9, 1, 2, %p1;") == 1);
}
