// The pass star-plan-sweeps says what star-to-loops and star-to-gpu choose for a target, before any code is built.

// RUN: gnn-opt %S/sweep-registers.mlir --star-plan-sweeps -o /dev/null | FileCheck %s --check-prefix=REGISTERS
// REGISTERS:      @sum
// REGISTERS-NEXT:   states in registers
// REGISTERS-NEXT:   end in registers
// REGISTERS-NEXT:   edges one by one, which read their other end, prefetched
// REGISTERS-NEXT:   rows whole, short ones by themselves, closed in the loop over segments
// REGISTERS-NEXT: @begin

// Of wide rows a tile is in registers. An `end` that takes long is there once, behind all tiles.
// RUN: gnn-opt %S/sweep-tiles.mlir --star-plan-sweeps=target=x86-64-v4 -o /dev/null | FileCheck %s --check-prefix=TILES
// TILES:      @sum
// TILES-NEXT:   states in tiles, segment by segment
// TILES-NEXT:   end in tiles
// TILES:      @longEnd
// TILES-NEXT:   states in tiles, segment by segment
// TILES-NEXT:   end in memory

// RUN: gnn-opt %S/sweep-panels.mlir --star-plan-sweeps -o /dev/null | FileCheck %s --check-prefix=PANELS
// PANELS:      @mlp
// PANELS-NEXT:   states in panels
// PANELS:        panel of 1 fields, folded at once

// Versions for few elements need masks, which x86-64-v2 lacks.
// RUN: gnn-opt %S/sweep-memory.mlir --star-plan-sweeps=target=x86-64-v3 -o /dev/null | FileCheck %s --check-prefix=MEMORY
// RUN: gnn-opt %S/sweep-memory.mlir --star-plan-sweeps=target=x86-64-v2 -o /dev/null | FileCheck %s --check-prefix=PLAIN
// MEMORY:      @attention
// MEMORY-NEXT:   states in memory
// MEMORY:        version for heads <= 1 out <= 64
// MEMORY-NEXT:   version for heads <= 2 out <= 32
// PLAIN:       @attention
// PLAIN-NEXT:    states in memory
// PLAIN-NOT:     version for

// On a device threads share a row: each has a tile, and several edges load at once.
// RUN: gnn-opt %S/sweep-tiles.mlir --star-map-threads --star-plan-sweeps=target=gpu -o /dev/null | FileCheck %s --check-prefix=DEVICE
// DEVICE:      @sum
// DEVICE-NEXT:   states in tiles, fused products
// DEVICE-NEXT:   end in tiles
// DEVICE-NEXT:   edges in blocks of up to 4, which read their other end
// DEVICE-NEXT:   rows in pieces

// RUN: not gnn-opt %S/sweep-tiles.mlir --star-plan-sweeps=target=gpu 2>&1 | FileCheck %s --check-prefix=UNMAPPED
// UNMAPPED: error: has no mapping to threads (star-map-threads)
// RUN: not gnn-opt %S/sweep-tiles.mlir --star-plan-sweeps=target=z80 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: unknown target `z80`: expected an instruction set or gpu
