// test: parse --print-generic
// Custom assembly in, generic form out.

cuda_tile.module @m attributes {producer = "me"} {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %f: tile<f32>) optimization_hints=<sm_90 = {occupancy = 2}> {
    %b = addf %f, %f rounding<zero> flush_to_zero : tile<f32>
    %c = constant <i1: [[true, false], [true, true]]> : tile<2x2xi1>
    %tv = make_tensor_view %p, shape = [%n, 4], strides = [%n, 1] : tile<i32> -> tensor_view<?x4xf32, strides=[?,1]>
    %pv = make_partition_view %tv : partition_view<tile=(4x4), tensor_view<?x4xf32, strides=[?,1]>>
    %tok = make_token : token
    %t, %tok1 = load_view_tko acquire sys %pv[%n, %n] token = %tok : partition_view<tile=(4x4), tensor_view<?x4xf32, strides=[?,1]>>, tile<i32> -> tile<4x4xf32>, token
    %cmp = cmpf less_than ordered %f, %b : tile<f32> -> tile<i1>
    %r = if %cmp -> (tile<i32>) {
      yield %n : tile<i32>
    } else {
      yield %n : tile<i32>
    }
    if %cmp {
    }
    %l = for unsigned %i in (%n to %n, step %n) : tile<i32> iter_values(%x = %r) -> (tile<i32>) {
      continue %x : tile<i32>
    }
    %sum = reduce %t dim=1 identities=[0.0 : f32] : tile<4x4xf32> -> tile<4xf32> (%x: tile<f32>, %acc: tile<f32>) {
      %add = addf %x, %acc : tile<f32>
      yield %add : tile<f32>
    }
    %as = assume bounded<0, ?>, %n : tile<i32>
  }
}
// output:
"cuda_tile.module"() <{producer = "me", sym_name = "m"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> (), optimization_hints = #cuda_tile.optimization_hints<sm_90 = {occupancy = 2}>, sym_name = "k"}> ({
  ^bb0(%p: !cuda_tile.tile<ptr<f32>>, %n: !cuda_tile.tile<i32>, %f: !cuda_tile.tile<f32>):
    %b = "cuda_tile.addf"(%f, %f) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    %c = "cuda_tile.constant"() <{value = dense<[[true, false], [true, true]]> : !cuda_tile.tile<2x2xi1>}> : () -> !cuda_tile.tile<2x2xi1>
    %tv = "cuda_tile.make_tensor_view"(%p, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?x4xf32, strides=[?,1]>
    %pv = "cuda_tile.make_partition_view"(%tv) : (!cuda_tile.tensor_view<?x4xf32, strides=[?,1]>) -> !cuda_tile.partition_view<tile=(4x4), tensor_view<?x4xf32, strides=[?,1]>>
    %tok = "cuda_tile.make_token"() : () -> !cuda_tile.token
    %t, %tok1 = "cuda_tile.load_view_tko"(%pv, %n, %n, %tok) <{memory_ordering_semantics = 2 : i32, memory_scope = 2 : i32, operandSegmentSizes = array<i32: 1, 2, 1>}> : (!cuda_tile.partition_view<tile=(4x4), tensor_view<?x4xf32, strides=[?,1]>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.token) -> (!cuda_tile.tile<4x4xf32>, !cuda_tile.token)
    %cmp = "cuda_tile.cmpf"(%f, %b) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = #cuda_tile.comparison_predicate<less_than>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i1>
    %r = "cuda_tile.if"(%cmp) ({
      "cuda_tile.yield"(%n) : (!cuda_tile.tile<i32>) -> ()
    }, {
      "cuda_tile.yield"(%n) : (!cuda_tile.tile<i32>) -> ()
    }) : (!cuda_tile.tile<i1>) -> !cuda_tile.tile<i32>
    "cuda_tile.if"(%cmp) ({
      "cuda_tile.yield"() : () -> ()
    }, {
    }) : (!cuda_tile.tile<i1>) -> ()
    %l = "cuda_tile.for"(%n, %n, %n, %r) <{unsignedCmp}> ({
    ^bb0(%i: !cuda_tile.tile<i32>, %x: !cuda_tile.tile<i32>):
      "cuda_tile.continue"(%x) : (!cuda_tile.tile<i32>) -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    %sum = "cuda_tile.reduce"(%t) <{dim = 1 : i32, identities = [0.000000e+00 : f32]}> ({
    ^bb0(%x: !cuda_tile.tile<f32>, %acc: !cuda_tile.tile<f32>):
      %add = "cuda_tile.addf"(%x, %acc) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
      "cuda_tile.yield"(%add) : (!cuda_tile.tile<f32>) -> ()
    }) : (!cuda_tile.tile<4x4xf32>) -> !cuda_tile.tile<4xf32>
    %as = "cuda_tile.assume"(%n) <{predicate = #cuda_tile.bounded<0, ?>}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
