// test: opt --passes=canonicalize-full
// The same operation on the same operands is computed once, in either order where it commutes.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), tensor_view<64x64xf32, strides=[64,1]>>
    %a = addi %n, %n : tile<i32>
    %b = addi %n, %n : tile<i32>
    %c0 = constant <i32: 1> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i64: 1> : tile<i64>
    %d = muli %a, %c0 : tile<i32>
    %e = muli %c1, %b : tile<i32>
    %f = subi %d, %n : tile<i32>
    %g = subi %n, %e : tile<i32>
    %h = addi %n, %n overflow<no_wrap> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %x2, %y2, %z2 = get_tile_block_id : tile<i32>
    %u0 = assume bounded<0, ?>, %f : tile<i32>
    %u1 = assume bounded<0, ?>, %g : tile<i32>
    %u2 = assume bounded<0, ?>, %h : tile<i32>
    %u3 = assume bounded<0, ?>, %y : tile<i32>
    %u4 = assume bounded<0, ?>, %y2 : tile<i32>
    %u5 = assume div_by<4>, %c2 : tile<i64>
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %c2 = constant <i64: 1> : tile<i64>
    %a = addi %n, %n : tile<i32>
    %g = subi %n, %a : tile<i32>
    %h = addi %n, %n overflow<no_wrap> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %u0 = assume bounded<0, ?>, %n : tile<i32>
    %u1 = assume bounded<0, ?>, %g : tile<i32>
    %u2 = assume bounded<0, ?>, %h : tile<i32>
    %u3 = assume bounded<0, ?>, %y : tile<i32>
    %u4 = assume bounded<0, ?>, %y : tile<i32>
    %u5 = assume div_by<4>, %c2 : tile<i64>
    return
  }
}
// rewrites:
//    9 common_subexpression
//   11 common_subexpression
//   14 common_subexpression
//   19 common_subexpression
//    7 dead_code
//    6 dead_code
//   13 mul_one
//   15 sub_cancels_add
