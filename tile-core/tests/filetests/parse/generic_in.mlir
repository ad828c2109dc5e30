// test: parse
// The generic form of everything is read, prefixes included, properties in
// `<{}>` or, as older MLIR has it, after the regions.

"builtin.module"() ({
  "cuda_tile.module"() <{producer = "me", sym_name = "m"}> ({
    "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>) -> (), optimization_hints = #cuda_tile.optimization_hints<sm_90 = {occupancy = 2}>, sym_name = "k"}> ({
    ^bb0(%p: !cuda_tile.tile<ptr<f32>>, %n: !cuda_tile.tile<i32>):
      %a = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<no_wrap>}> {foo} : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      %b = "cuda_tile.addi"(%a, %n) {foo = 1 : i32, overflow = #cuda_tile.overflow<none>} : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      %c = "cuda_tile.constant"() <{value = dense<[1, 2]> : !cuda_tile.tile<2xi32>}> : () -> !cuda_tile.tile<2xi32>
      %d = "cuda_tile.constant"() <{value = dense<1.000000e+00> : !cuda_tile.tile<2x2xf32>}> : () -> !cuda_tile.tile<2x2xf32>
      %raw = "cuda_tile.constant"() <{value = dense<"0x010000000200000003000000FFFFFFFF"> : !cuda_tile.tile<4xi32>}> : () -> !cuda_tile.tile<4xi32>
      %cmp = "cuda_tile.cmpi"(%a, %b) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i1>
      %as = "cuda_tile.assume"(%a) <{predicate = #cuda_tile.div_by<16>}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      %perm = "cuda_tile.permute"(%d) <{permutation = array<i32: 1, 0>}> : (!cuda_tile.tile<2x2xf32>) -> !cuda_tile.tile<2x2xf32>
      %tv = "cuda_tile.make_tensor_view"(%p, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?xf32, strides=[1]>
      %pv = "cuda_tile.make_partition_view"(%tv) : (!cuda_tile.tensor_view<?xf32, strides=[1]>) -> !cuda_tile.partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
      %t:2 = "cuda_tile.load_view_tko"(%pv, %n) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (!cuda_tile.partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<8xf32>, !cuda_tile.token)
      %r = "cuda_tile.for"(%n, %n, %n, %a) <{unsignedCmp}> ({
      ^bb0(%i: !cuda_tile.tile<i32>, %x: !cuda_tile.tile<i32>):
        "cuda_tile.continue"(%x) : (!cuda_tile.tile<i32>) -> ()
      }) {unroll} : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
      "cuda_tile.if"(%cmp) ({
        "cuda_tile.yield"() : () -> ()
      }, {
      }) : (!cuda_tile.tile<i1>) -> ()
      %sum = "cuda_tile.reduce"(%t#0) <{dim = 0 : i32, identities = [0.0 : f32]}> ({
      ^bb0(%x: !cuda_tile.tile<f32>, %acc: !cuda_tile.tile<f32>):
        %add = "cuda_tile.addf"(%x, %acc) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
        "cuda_tile.yield"(%add) : (!cuda_tile.tile<f32>) -> ()
      }) : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>
      "cuda_tile.return"() : () -> ()
    }) : () -> ()
  }) {bar} : () -> ()
}) : () -> ()
// output:
cuda_tile.module @m attributes {bar, producer = "me"} {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90 = {occupancy = 2}> {
    %a = addi %n, %n overflow<no_wrap> {foo} : tile<i32>
    %b = addi %a, %n {foo = 1 : i32} : tile<i32>
    %c = constant <i32: [1, 2]> : tile<2xi32>
    %d = constant <f32: 1.000000e+00> : tile<2x2xf32>
    %raw = constant <i32: [1, 2, 3, -1]> : tile<4xi32>
    %cmp = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
    %as = assume div_by<16>, %a : tile<i32>
    %perm = permute %d [1, 0] : tile<2x2xf32> -> tile<2x2xf32>
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
    %t_0, %t_1 = load_view_tko relaxed device %pv[%n] : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    %r = for unsigned %i in (%n to %n, step %n) : tile<i32> iter_values(%x = %a) -> (tile<i32>) {
      continue %x : tile<i32>
    } {unroll}
    if %cmp {
    }
    %sum = reduce %t_0 dim=0 identities=[0.000000e+00 : f32] : tile<8xf32> -> tile<f32> (%x: tile<f32>, %acc: tile<f32>) {
      %add = addf %x, %acc : tile<f32>
      yield %add : tile<f32>
    }
    return
  }
}
