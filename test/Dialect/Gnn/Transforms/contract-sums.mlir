// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-contract-sums,canonicalize))' | FileCheck %s

!v = !gnn.field<V, [heads, out], f32>
!s = !gnn.field<S, [heads, out], f32>
!d = !gnn.field<D, [heads, out], f32>
!e = !gnn.field<E, [heads, out], f32>
!w = !gnn.field<E, [heads], f32>
!n = !gnn.field<V, [heads], f32>

// The sum of alpha * dalpha that the backward pass of a softmax needs, with a mask: the product of what the layer gave and its gradient.
// CHECK-LABEL: gnn.program @attention
gnn.program @attention {
  // CHECK: %[[G:.+]] = gnn.input "g"
  // CHECK: %[[Y:.+]] = gnn.aggregate #gnn.sum
  // CHECK-NOT: gnn.aggregate
  // CHECK: %[[GY:.+]] = gnn.mul %[[G]], %[[Y]]
  // CHECK: %[[C:.+]] = gnn.reduce #gnn.sum %[[GY]] dim 1
  // CHECK: gnn.return %[[Y]], %[[C]]
  %alpha = gnn.input "alpha" : !w
  %mask = gnn.dropout_mask site 1 probability 0.5 : !w
  %z = gnn.input "z" : !v
  %g = gnn.input "g" : !v
  %u = gnn.read_source %z : !v -> !s
  %am = gnn.mul %alpha, %mask : (!w, !w) -> !w
  %wide = gnn.broadcast %am dims [0] : !w -> !e
  %m = gnn.mul %wide, %u : (!e, !s) -> !e
  %y = gnn.aggregate #gnn.sum %m to destination : (!e) -> !v
  %gd = gnn.read_destination %g : !v -> !d
  %p = gnn.mul %gd, %u : (!d, !s) -> !e
  %dot = gnn.reduce #gnn.sum %p dim 1 : (!e) -> !w
  %dalpha = gnn.mul %dot, %mask : (!w, !w) -> !w
  %ad = gnn.mul %alpha, %dalpha : (!w, !w) -> !w
  %c = gnn.aggregate #gnn.sum %ad to destination : (!w) -> !n
  gnn.return %y, %c [#gnn.result<output "y">, #gnn.result<output "c">] : !v, !n
}

// Two uses of the weights: each term is taken from the sum that has it.
// CHECK-LABEL: gnn.program @two_uses
gnn.program @two_uses {
  // CHECK: gnn.aggregate #gnn.sum
  // CHECK: gnn.aggregate #gnn.sum
  // CHECK-NOT: gnn.aggregate
  // CHECK: gnn.add
  // CHECK: gnn.return
  %alpha = gnn.input "alpha" : !w
  %z = gnn.input "z" : !n
  %q = gnn.input "q" : !n
  %g = gnn.input "g" : !n
  %h = gnn.input "h" : !n
  %zu = gnn.read_source %z : !n -> !gnn.field<S, [heads], f32>
  %qu = gnn.read_source %q : !n -> !gnn.field<S, [heads], f32>
  %gd = gnn.read_destination %g : !n -> !gnn.field<D, [heads], f32>
  %hd = gnn.read_destination %h : !n -> !gnn.field<D, [heads], f32>
  %mz = gnn.mul %alpha, %zu : (!w, !gnn.field<S, [heads], f32>) -> !w
  %mq = gnn.mul %alpha, %qu : (!w, !gnn.field<S, [heads], f32>) -> !w
  %y = gnn.aggregate #gnn.sum %mz to destination : (!w) -> !n
  %r = gnn.aggregate #gnn.sum %mq to destination : (!w) -> !n
  %gz = gnn.mul %gd, %zu : (!gnn.field<D, [heads], f32>, !gnn.field<S, [heads], f32>) -> !w
  %hq = gnn.mul %hd, %qu : (!gnn.field<D, [heads], f32>, !gnn.field<S, [heads], f32>) -> !w
  %dalpha = gnn.add %gz, %hq : (!w, !w) -> !w
  %ad = gnn.mul %alpha, %dalpha : (!w, !w) -> !w
  %c = gnn.aggregate #gnn.sum %ad to destination : (!w) -> !n
  gnn.return %y, %r, %c [#gnn.result<output "y">, #gnn.result<output "r">, #gnn.result<output "c">] : !n, !n, !n
}

// Another mask, another direction or a factor that edges do not share: another sum.
// CHECK-LABEL: gnn.program @others
gnn.program @others {
  // CHECK-COUNT-4: gnn.aggregate
  // CHECK: gnn.return
  %alpha = gnn.input "alpha" : !w
  %z = gnn.input "z" : !n
  %g = gnn.input "g" : !n
  %zu = gnn.read_source %z : !n -> !gnn.field<S, [heads], f32>
  %gd = gnn.read_destination %g : !n -> !gnn.field<D, [heads], f32>
  %mask = gnn.dropout_mask site 1 probability 0.5 : !w
  %m = gnn.mul %alpha, %zu : (!w, !gnn.field<S, [heads], f32>) -> !w
  %y = gnn.aggregate #gnn.sum %m to destination : (!w) -> !n
  %gm = gnn.mul %gd, %m : (!gnn.field<D, [heads], f32>, !w) -> !w
  %masked = gnn.mul %gm, %mask : (!w, !w) -> !w
  %a = gnn.aggregate #gnn.sum %masked to destination : (!w) -> !n
  %b = gnn.aggregate #gnn.sum %gm to source : (!w) -> !n
  %edge = gnn.mul %m, %alpha : (!w, !w) -> !w
  %c = gnn.aggregate #gnn.sum %edge to destination : (!w) -> !n
  gnn.return %y, %a, %b, %c [#gnn.result<output "y">, #gnn.result<output "a">, #gnn.result<output "b">, #gnn.result<output "c">] : !n, !n, !n, !n
}

// What a destination's scores get from a leaky ReLU: the sweep of the known sum also folds the weights times the slope, with and without z, and both
// give the gradient there.
// CHECK-LABEL: gnn.program @slope
gnn.program @slope {
  // CHECK: %[[ALPHA:.+]] = gnn.input "alpha"
  // CHECK: %[[SLOPE:.+]] = gnn.select
  // CHECK: %[[NARROW:.+]] = gnn.mul %[[ALPHA]], %[[SLOPE]]
  // CHECK: %[[A:.+]] = gnn.aggregate #gnn.sum %[[NARROW]] to destination
  // CHECK: %[[WIDE:.+]] = gnn.broadcast %[[SLOPE]] dims [0]
  // CHECK: %[[WIDER:.+]] = gnn.mul %{{.+}}, %[[WIDE]] : (!gnn.field<E, [heads, out], f32>
  // CHECK: %[[Y:.+]] = gnn.aggregate #gnn.sum %[[WIDER]] to destination
  // CHECK-NOT: gnn.aggregate
  // CHECK: %[[GY:.+]] = gnn.mul %{{.+}}, %[[Y]]
  // CHECK: %[[DOT:.+]] = gnn.reduce #gnn.sum %[[GY]] dim 1
  // CHECK: %[[CA:.+]] = gnn.mul %[[A]], %{{.+}}
  // CHECK: gnn.sub %[[DOT]], %[[CA]]
  // CHECK: gnn.return
  %alpha = gnn.input "alpha" : !w
  %score = gnn.input "score" : !w
  %z = gnn.input "z" : !v
  %g = gnn.input "g" : !v
  %c = gnn.input "c" : !n
  %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [heads], f32>
  %isPositive = gnn.compare gt %score, %zero : (!w, !gnn.field<P, [heads], f32>) -> !gnn.field<E, [heads], i1>
  %u = gnn.read_source %z : !v -> !s
  %wide = gnn.broadcast %alpha dims [0] : !w -> !e
  %m = gnn.mul %wide, %u : (!e, !s) -> !e
  %y = gnn.aggregate #gnn.sum %m to destination : (!e) -> !v
  %gd = gnn.read_destination %g : !v -> !d
  %cd = gnn.read_destination %c : !n -> !gnn.field<D, [heads], f32>
  %p = gnn.mul %gd, %u : (!d, !s) -> !e
  %dot = gnn.reduce #gnn.sum %p dim 1 : (!e) -> !w
  %centred = gnn.sub %dot, %cd : (!w, !gnn.field<D, [heads], f32>) -> !w
  %dscore = gnn.mul %alpha, %centred : (!w, !w) -> !w
  %fifth = gnn.constant 0.2 : f32 -> !gnn.field<P, [heads], f32>
  %less = gnn.mul %dscore, %fifth : (!w, !gnn.field<P, [heads], f32>) -> !w
  %leaky = gnn.select %isPositive, %dscore, %less : (!gnn.field<E, [heads], i1>, !w, !w) -> !w
  %ds = gnn.aggregate #gnn.sum %leaky to destination : (!w) -> !n
  gnn.return %y, %ds [#gnn.result<output "y">, #gnn.result<output "ds">] : !v, !n
}

// A factor that edges get only after the known sum: a sweep as before.
// CHECK-LABEL: gnn.program @late
gnn.program @late {
  // CHECK-COUNT-2: gnn.aggregate
  // CHECK-NOT: gnn.aggregate
  // CHECK: gnn.return
  %alpha = gnn.input "alpha" : !w
  %z = gnn.input "z" : !v
  %g = gnn.input "g" : !v
  %u = gnn.read_source %z : !v -> !s
  %wide = gnn.broadcast %alpha dims [0] : !w -> !e
  %m = gnn.mul %wide, %u : (!e, !s) -> !e
  %y = gnn.aggregate #gnn.sum %m to destination : (!e) -> !v
  %gd = gnn.read_destination %g : !v -> !d
  %p = gnn.mul %gd, %u : (!d, !s) -> !e
  %dot = gnn.reduce #gnn.sum %p dim 1 : (!e) -> !w
  %later = gnn.exp %dot : !w
  %weighted = gnn.mul %alpha, %dot : (!w, !w) -> !w
  %q = gnn.mul %weighted, %later : (!w, !w) -> !w
  %ds = gnn.aggregate #gnn.sum %q to destination : (!w) -> !n
  gnn.return %y, %ds [#gnn.result<output "y">, #gnn.result<output "ds">] : !v, !n
}

// What a ReLU lets through is a factor of both sums, whichever half of the choice is 0; where one has what the other leaves out, there are two sums.
// CHECK-LABEL: gnn.program @chosen
gnn.program @chosen {
  // CHECK: %[[Y:.+]] = gnn.aggregate #gnn.sum
  // CHECK-NOT: gnn.aggregate
  // CHECK: %[[GY:.+]] = gnn.mul %{{.+}}, %[[Y]]
  // CHECK-NEXT: %[[C:.+]] = gnn.reduce #gnn.sum %[[GY]] dim 1
  // CHECK: %[[OTHER:.+]] = gnn.aggregate #gnn.sum
  // CHECK: gnn.return %[[Y]], %[[C]], %[[OTHER]]
  %alpha = gnn.input "alpha" : !w
  %z = gnn.input "z" : !v
  %g = gnn.input "g" : !v
  %u = gnn.read_source %z : !v -> !s
  %gd = gnn.read_destination %g : !v -> !d
  %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [heads], f32>
  %negative = gnn.compare le %alpha, %zero : (!w, !gnn.field<P, [heads], f32>) -> !gnn.field<E, [heads], i1>
  %relu = gnn.select %negative, %zero, %alpha : (!gnn.field<E, [heads], i1>, !gnn.field<P, [heads], f32>, !w) -> !w
  %rest = gnn.select %negative, %alpha, %zero : (!gnn.field<E, [heads], i1>, !w, !gnn.field<P, [heads], f32>) -> !w
  %wide = gnn.broadcast %relu dims [0] : !w -> !e
  %m = gnn.mul %wide, %u : (!e, !s) -> !e
  %y = gnn.aggregate #gnn.sum %m to destination : (!e) -> !v
  %p = gnn.mul %gd, %u : (!d, !s) -> !e
  %dot = gnn.reduce #gnn.sum %p dim 1 : (!e) -> !w
  %same = gnn.mul %relu, %dot : (!w, !w) -> !w
  %c = gnn.aggregate #gnn.sum %same to destination : (!w) -> !n
  %other = gnn.mul %rest, %dot : (!w, !w) -> !w
  %o = gnn.aggregate #gnn.sum %other to destination : (!w) -> !n
  gnn.return %y, %c, %o [#gnn.result<output "y">, #gnn.result<output "c">, #gnn.result<output "o">] : !v, !n, !n
}
