// RUN: gnn-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-to-nvvm))' | FileCheck %s
// RUN: gnn-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-to-nvvm))' | FileCheck %s --check-prefix=VARIABLE

// Parameters are the arguments, memory is global and, but for what threads share, not aliased.
gpu.module @device {
  // CHECK-LABEL: llvm.func @k
  // CHECK-SAME: i64, %{{.+}}: i64
  // CHECK-SAME: !llvm.ptr<1> {llvm.noalias}
  // CHECK-SAME: !llvm.ptr<1>, 
  // CHECK-SAME: i32
  // CHECK-SAME: nvvm.kernel}
  gpu.func @k(%begin: index, %end: index, %x: memref<?xf32, #gpu.address_space<global>> {star.source = "tensors 0"},
              %scratch: memref<?xi8, #gpu.address_space<global>> {star.source = "scratch"}, %flags: i32 {star.source = "flags"}) kernel
      attributes {star.mapping = #star.mapping<threads = 4, block = 128>} {
    // CHECK: %[[TID:.+]] = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: llvm.zext %[[TID]] : i32 to i64
    %0 = gpu.thread_id x
    // CHECK: llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %1 = vector.load %x[%0] {star.aligned} : memref<?xf32, #gpu.address_space<global>>, vector<4xf32>
    // CHECK: llvm.store %{{.+}} {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<1>
    vector.store %1, %x[%begin] : memref<?xf32, #gpu.address_space<global>>, vector<4xf32>
    // CHECK: llvm.return
    gpu.return
  }
  // A merge gets one address for the states that it reads and for those that it writes.
  // CHECK-LABEL: llvm.func @merge
  // CHECK-NOT: noalias
  // CHECK-SAME: !llvm.ptr<1>, %{{.+}}: !llvm.ptr<1> {llvm.noalias}, %{{.+}}: !llvm.ptr<1>)
  gpu.func @merge(%begin: index, %end: index, %out: memref<?xi8, #gpu.address_space<global>> {star.source = "state"},
                  %offsets: memref<?xi64, #gpu.address_space<global>> {star.source = "block.offsets"},
                  %in: memref<?xi8, #gpu.address_space<global>> {star.source = "state_in"}) kernel
      attributes {star.mapping = #star.mapping<threads = 4, block = 128>} {
    gpu.return
  }
  // CHECK-LABEL: llvm.func @states
  // CHECK-SAME: !llvm.ptr<1> {llvm.noalias}
  gpu.func @states(%begin: index, %end: index, %out: memref<?xi8, #gpu.address_space<global>> {star.source = "state"}) kernel
      attributes {star.mapping = #star.mapping<threads = 4, block = 128>} {
    gpu.return
  }
  // A block of more than 256 threads takes no more registers than there are for it.
  // CHECK-LABEL: llvm.func @large
  // CHECK-SAME: nvvm.maxntid = array<i32: 512, 1, 1>
  gpu.func @large(%begin: index, %end: index) kernel attributes {star.mapping = #star.mapping<threads = 4, block = 512>} {
    gpu.return
  }
  // Memory of a block is a variable whose size a launch gives; a pointer to it may stand where one to other memory might.
  // CHECK-LABEL: llvm.func @hot
  // CHECK: %{{.+}} = llvm.mlir.addressof @shared_memory : !llvm.ptr<3>
  // CHECK: llvm.addrspacecast %{{.+}} : !llvm.ptr<3> to !llvm.ptr
  // CHECK: llvm.addrspacecast %{{.+}} : !llvm.ptr<1> to !llvm.ptr
  // CHECK: llvm.select %{{.+}}, %{{.+}}, %{{.+}} : i1, !llvm.ptr
  gpu.func @hot(%begin: index, %end: index, %x: memref<?xf32, #gpu.address_space<global>> {star.source = "tensors 0"}) kernel
      attributes {star.mapping = #star.mapping<threads = 4, block = 128>} {
    %c0 = arith.constant 0 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %rows = memref.view %bytes[%c0][%end] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
    %near = memref.memory_space_cast %rows : memref<?xf32, #gpu.address_space<workgroup>> to memref<?xf32>
    %far = memref.memory_space_cast %x : memref<?xf32, #gpu.address_space<global>> to memref<?xf32>
    %is_near = arith.cmpi ult, %begin, %end : index
    %any = arith.select %is_near, %near, %far : memref<?xf32>
    %0 = memref.load %any[%begin] : memref<?xf32>
    memref.store %0, %x[%begin] : memref<?xf32, #gpu.address_space<global>>
    gpu.return
  }
}
// VARIABLE: llvm.mlir.global external @shared_memory() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
