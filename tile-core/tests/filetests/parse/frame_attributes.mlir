// test: parse
// Attributes without meaning stand before the types, after a region, or in
// `attributes {…}`; they are kept, sorted by name.

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
cuda_tile.module @m attributes {alpha = 1 : i32, producer = "me", zeta} {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %a = addi %n, %n overflow<no_wrap> {foo} : tile<i32>
    %b = addi %a, %n {"a key", bar = 1 : i32, dialect.key = [1, 2, {c = @sym::@"nested one"}], z = "x\22y\\"} : tile<i32>
    %c = constant <i32: 1> : tile<i32> {cst = dense<[1, 2]> : tensor<2xi32>}
    %d = reshape %c {m = affine_map<(d0, d1) -> (d0 floordiv 2)>, s = affine_set<(d0) : (d0 >= 0)>} : tile<i32> -> tile<1xi32>
    %tv = make_tensor_view %p, shape = [%n], strides = [1] {v} : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %s = get_tensor_shape %tv {q = !foo.type<a, [b, {c}]>} : tensor_view<?xf32, strides=[1]> -> tile<i32>
    %pv = make_partition_view %tv {over = [ 1, 2 ]} : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
    %t, %tok = load_view_tko weak %pv[%n] attributes {by = "me", load} : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
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
    %sum = reduce %t dim=0 identities=[0.000000e+00 : f32] : tile<8xf32> -> tile<f32> (%x: tile<f32>, %acc: tile<f32>) {
      %add = addf %x, %acc {inner} : tile<f32>
      yield %add : tile<f32>
    } {red}
    return {ret = (i32, index) -> f32}
  } {kernel = #foo<"bar">, sym_visibility = "public"}
}
