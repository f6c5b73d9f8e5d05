// Requests reach the kernels whose edges are computed at their place, by name of the kernel, or all sweeps; later ones prevail.
// RUN: not gnn-opt %s --star-schedule-kernels=requests=tile=64,conv1.tile=32,@last.tile=8 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: gnn-opt %s --star-schedule-kernels=requests=tile=64,conv1.tile=32,last.tile=8 | FileCheck %s
// RUN: not gnn-opt %s --star-schedule-kernels=requests=tiles=64 2>&1 | FileCheck %s --check-prefix=KNOB

// RUN: gnn-opt %s --star-schedule-kernels=requests=threads=8,map.threads=2 | FileCheck %s --check-prefix=THREADS
// RUN: gnn-opt %s --star-schedule-kernels=requests=conv1.threads=4 | FileCheck %s --check-prefix=PLACE
// RUN: not gnn-opt %s --star-schedule-kernels=requests=map.tile=8 2>&1 | FileCheck %s --check-prefix=MAP

// Threads are those of maps too.
// THREADS-COUNT-3: sweep of 0 {{.*}} schedule #star.schedule<threads = 8>
// THREADS: @map map of 0 {{.*}} schedule #star.schedule<threads = 2>
// PLACE: @first {{.*}} schedule #star.schedule<threads = 4>
// PLACE: @second
// PLACE-NOT: schedule
// PLACE: @last {{.*}} schedule #star.schedule<threads = 4>
// PLACE: @map {{.*}} schedule #star.schedule<threads = 4>
// MAP: nothing to schedule is called 'map' (there are: first, second, last)
// NONE: nothing to schedule is called '@last' (there are: first, second, last)
// KNOB: there is no knob 'tiles'

// CHECK: star.kernel @first {{.*}} schedule #star.schedule<tile = 32> step
star.kernel @first sweep of 0 to destination inputs [#star.operand<col !gnn.field<V, [d], f32>>]
    outputs [#star.operand<row !gnn.field<V, [d], f32>>] reduce [#gnn.sum] step {
^bb0(%s: !gnn.field<S, [d], f32>):
  %e = gnn.exp %s : !gnn.field<S, [d], f32> loc(#z1)
  star.contribute [%e] : !gnn.field<S, [d], f32>
} end {
^bb0(%sum: !gnn.field<V, [d], f32>):
  star.yield %sum : !gnn.field<V, [d], f32>
}

// CHECK: star.kernel @second {{.*}} schedule #star.schedule<tile = 64> step
star.kernel @second sweep of 0 to destination inputs [#star.operand<col !gnn.field<V, [d], f32>>]
    outputs [#star.operand<row !gnn.field<V, [d], f32>>] reduce [#gnn.sum] step {
^bb0(%s: !gnn.field<S, [d], f32>):
  %e = gnn.exp %s : !gnn.field<S, [d], f32> loc(#z10)
  star.contribute [%e] : !gnn.field<S, [d], f32>
} end {
^bb0(%sum: !gnn.field<V, [d], f32>):
  %r = gnn.exp %sum : !gnn.field<V, [d], f32> loc(#z1)
  star.yield %r : !gnn.field<V, [d], f32>
}

// CHECK: star.kernel @last {{.*}} schedule #star.schedule<tile = 8> step
star.kernel @last sweep of 0 to source inputs [#star.operand<col !gnn.field<V, [d], f32>>]
    outputs [#star.operand<row !gnn.field<V, [d], f32>>] reduce [#gnn.sum] step {
^bb0(%s: !gnn.field<D, [d], f32>):
  %e = gnn.exp %s : !gnn.field<D, [d], f32> loc(#z1)
  star.contribute [%e] : !gnn.field<D, [d], f32>
} end {
^bb0(%sum: !gnn.field<V, [d], f32>):
  star.yield %sum : !gnn.field<V, [d], f32>
}

// CHECK: star.kernel @map map of 0
// CHECK-NOT: schedule
// CHECK: step
star.kernel @map map of 0 inputs [#star.operand<row !gnn.field<V, [], f32>>] outputs [#star.operand<row !gnn.field<V, [], f32>>]
    reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [], f32>):
  %y = gnn.exp %x : !gnn.field<V, [], f32> loc(#z1)
  star.yield %y : !gnn.field<V, [], f32>
}

#z1 = loc(fused<"conv1.z">["m.gnn":1:1])
#z10 = loc(fused<"conv10.z">["m.gnn":2:1])
