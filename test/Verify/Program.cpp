//===- Program.cpp - The main function of one program ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gnn-verify and gnn-smith are compiled once: for programs of their own, and for the one that the kit for GPUs has.
//
//===----------------------------------------------------------------------===//

int GNNC_MAIN(int argc, char **argv);

int main(int argc, char **argv) { return GNNC_MAIN(argc, argv); }
