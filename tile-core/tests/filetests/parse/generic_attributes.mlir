// test: parse --print-generic
// All attributes in generic form.

cuda_tile.module @m attributes {producer = "me", zeta, alpha = 1 : i32} {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32> {tt.divisibility = 16 : i32}) {
    %a = addi %n, %n overflow<no_wrap> {foo} : tile<i32>
    %b = addi %a, %n {z = "x\22y\\", bar = 1 : i32, "a key" = unit, dialect.key = [1, 2, {c = @sym::@"nested one"}]} : tile<i32>
    %c = constant <i32: 1> : tile<i32> {cst = dense<[1, 2]> : tensor<2xi32>}
    %d = reshape %c {m = affine_map<(d0, d1) -> (d0 floordiv 2)>, s = affine_set<(d0) : (d0 >= 0)>} : tile<i32> -> tile<1xi32>
    %tv = make_tensor_view %p, shape = [%n], strides = [1] {v} : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %s = get_tensor_shape %tv {q = !foo.type<a, [b, {c}]>} : tensor_view<?xf32, strides=[1]> -> tile<i32>
    %pv = make_partition_view %tv {
      // A comment, and a value over several lines.
      over = [
        1,   2
      ]
    } : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
    %t, %tok = load_view_tko weak %pv[%n] attributes {load, by = "me"} : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    %tok2 = store_view_tko weak %t, %pv[%n] token = %tok attributes {w = -1.0e+3 : f16} : tile<8xf32>, partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    %as = assume div_by<16>, %n {l = loc("f":1:2)} : tile<i32>
    for %i in (%n to %n, step %n) : tile<i32> {
      continue {last}
    } {unroll = 4 : i64}
    %cond = cmpi equal %n, %n, signed : tile<i32> -> tile<i1>
    %r = if %cond -> (tile<i32>) {
      yield {x = true} %n : tile<i32>
    } else {
      yield %a : tile<i32>
    } {likely}
    %sum = reduce %t dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32> (%x: tile<f32>, %acc: tile<f32>) {
      %add = addf %x, %acc {inner} : tile<f32>
      yield %add : tile<f32>
    } {red}
    return {ret = (i32, index) -> f32}
  } {kernel = #foo<"bar">, sym_visibility = "public"}
}
// output:
"cuda_tile.module"() <{producer = "me", sym_name = "m"}> ({
  "cuda_tile.entry"() <{function_type = (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>) -> (), sym_name = "k"}> ({
  ^bb0(%p: !cuda_tile.tile<ptr<f32>>, %n: !cuda_tile.tile<i32>):
    %a = "cuda_tile.addi"(%n, %n) <{overflow = #cuda_tile.overflow<no_wrap>}> {foo} : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    %b = "cuda_tile.addi"(%a, %n) <{overflow = #cuda_tile.overflow<none>}> {"a key", bar = 1 : i32, dialect.key = [1, 2, {c = @sym::@"nested one"}], z = "x\22y\\"} : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    %c = "cuda_tile.constant"() <{value = dense<1> : !cuda_tile.tile<i32>}> {cst = dense<[1, 2]> : tensor<2xi32>} : () -> !cuda_tile.tile<i32>
    %d = "cuda_tile.reshape"(%c) {m = affine_map<(d0, d1) -> (d0 floordiv 2)>, s = affine_set<(d0) : (d0 >= 0)>} : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<1xi32>
    %tv = "cuda_tile.make_tensor_view"(%p, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}> {v} : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?xf32, strides=[1]>
    %s = "cuda_tile.get_tensor_shape"(%tv) {q = !foo.type<a, [b, {c}]>} : (!cuda_tile.tensor_view<?xf32, strides=[1]>) -> !cuda_tile.tile<i32>
    %pv = "cuda_tile.make_partition_view"(%tv) {over = [ 1, 2 ]} : (!cuda_tile.tensor_view<?xf32, strides=[1]>) -> !cuda_tile.partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
    %t, %tok = "cuda_tile.load_view_tko"(%pv, %n) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0>}> {by = "me", load} : (!cuda_tile.partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<8xf32>, !cuda_tile.token)
    %tok2 = "cuda_tile.store_view_tko"(%t, %pv, %n, %tok) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> {w = -1.0e+3 : f16} : (!cuda_tile.tile<8xf32>, !cuda_tile.partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, !cuda_tile.tile<i32>, !cuda_tile.token) -> !cuda_tile.token
    %as = "cuda_tile.assume"(%n) <{predicate = #cuda_tile.div_by<16>}> {l = loc("f":1:2)} : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    "cuda_tile.for"(%n, %n, %n) ({
    ^bb0(%i: !cuda_tile.tile<i32>):
      "cuda_tile.continue"() {last} : () -> ()
    }) {unroll = 4 : i64} : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    %cond = "cuda_tile.cmpi"(%n, %n) <{comparison_predicate = #cuda_tile.comparison_predicate<equal>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i1>
    %r = "cuda_tile.if"(%cond) ({
      "cuda_tile.yield"(%n) {x = true} : (!cuda_tile.tile<i32>) -> ()
    }, {
      "cuda_tile.yield"(%a) : (!cuda_tile.tile<i32>) -> ()
    }) {likely} : (!cuda_tile.tile<i1>) -> !cuda_tile.tile<i32>
    %sum = "cuda_tile.reduce"(%t) <{dim = 0 : i32, identities = [0.000000e+00 : f32]}> ({
    ^bb0(%x: !cuda_tile.tile<f32>, %acc: !cuda_tile.tile<f32>):
      %add = "cuda_tile.addf"(%x, %acc) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> {inner} : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
      "cuda_tile.yield"(%add) : (!cuda_tile.tile<f32>) -> ()
    }) {red} : (!cuda_tile.tile<8xf32>) -> !cuda_tile.tile<f32>
    "cuda_tile.return"() {ret = (i32, index) -> f32} : () -> ()
  }) {kernel = #foo<"bar">, sym_visibility = "public"} : () -> ()
}) {alpha = 1 : i32, zeta} : () -> ()
