// test: parse
// `assume`: the three predicates, every bound.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume bounded<0, ?>, %n : tile<i32>
    %c = assume bounded<-5, 7>, %b : tile<i32>
    %d = assume bounded<?, 7>, %n : tile<i32>
    %e = assume bounded<?, ?>, %n : tile<i32>
    %i = iota : tile<64xi32>
    %f = assume div_by<4, every 4 along 0>, %i : tile<64xi32>
    %g = assume same_elements<[1]>, %f : tile<64xi32>
    %m = constant <i64: 8> : tile<2x4xi64>
    %h = assume same_elements<[2, 4]>, %m : tile<2x4xi64>
    %j = assume div_by<4611686018427387904>, %m : tile<2x4xi64>
    %tv = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %k = assume div_by<32>, %tv : tensor_view<8xf32, strides=[1]>
    %l = assume same_elements<[]>, %n : tile<i32>
    return
  }
}
