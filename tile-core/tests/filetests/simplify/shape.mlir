// test: opt --passes=simplify
// Shapes that change twice, or not at all; tiles of pointers too.

cuda_tile.module @m {
  testing$func @same_shape(%x: tile<i8>, %y: tile<2x4xi8>, %i: tile<i32>) -> (tile<i8>, tile<2x4xi8>, tile<2x4xi8>) {
    %a = reshape %x : tile<i8> -> tile<i8>
    %b = broadcast %y : tile<2x4xi8> -> tile<2x4xi8>
    %c = extract %y[%i, %i] : tile<2x4xi8> -> tile<2x4xi8>
    return %a, %b, %c : tile<i8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @same_shape_one_short(%x: tile<i8>, %y: tile<2x4xi8>, %i: tile<i32>) -> (tile<1xi8>, tile<4x4xi8>, tile<2x2xi8>) {
    %a = reshape %x : tile<i8> -> tile<1xi8>
    %z = extract %y[%i, %i] : tile<2x4xi8> -> tile<1x4xi8>
    %b = broadcast %z : tile<1x4xi8> -> tile<4x4xi8>
    %c = extract %y[%i, %i] : tile<2x4xi8> -> tile<2x2xi8>
    return %a, %b, %c : tile<1xi8>, tile<4x4xi8>, tile<2x2xi8>
  }
  testing$func @reshape_reshape(%x: tile<i8>, %y: tile<2x4xi8>) -> (tile<1x1xi8>, tile<i8>, tile<8xi8>) {
    %a = reshape %x : tile<i8> -> tile<1xi8>
    %b = reshape %a : tile<1xi8> -> tile<1x1xi8>
    %c = reshape %b : tile<1x1xi8> -> tile<i8>
    %d = reshape %y : tile<2x4xi8> -> tile<4x2xi8>
    %e = reshape %d : tile<4x2xi8> -> tile<8xi8>
    return %b, %c, %e : tile<1x1xi8>, tile<i8>, tile<8xi8>
  }
  testing$func @reshape_of_broadcast_one_short(%x: tile<1x4xi8>) -> tile<16xi8> {
    %a = broadcast %x : tile<1x4xi8> -> tile<4x4xi8>
    %b = reshape %a : tile<4x4xi8> -> tile<16xi8>
    return %b : tile<16xi8>
  }
  testing$func @broadcast_broadcast(%x: tile<1x1xi8>) -> tile<2x4xi8> {
    %a = broadcast %x : tile<1x1xi8> -> tile<1x4xi8>
    %b = broadcast %a : tile<1x4xi8> -> tile<2x4xi8>
    return %b : tile<2x4xi8>
  }
  testing$func @broadcast_of_reshape_one_short(%x: tile<4xi8>) -> tile<2x4xi8> {
    %a = reshape %x : tile<4xi8> -> tile<1x4xi8>
    %b = broadcast %a : tile<1x4xi8> -> tile<2x4xi8>
    return %b : tile<2x4xi8>
  }
  testing$func @permute_identity(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    %a = permute %x [0, 1] : tile<2x4xi8> -> tile<2x4xi8>
    return %a : tile<2x4xi8>
  }
  testing$func @permute_identity_one_short(%x: tile<4x4xi8>) -> tile<4x4xi8> {
    %a = permute %x [1, 0] : tile<4x4xi8> -> tile<4x4xi8>
    return %a : tile<4x4xi8>
  }
  testing$func @permute_permute(%x: tile<2x4x8xi8>) -> (tile<2x8x4xi8>, tile<2x4x8xi8>) {
    %a = permute %x [1, 2, 0] : tile<2x4x8xi8> -> tile<4x8x2xi8>
    %b = permute %a [2, 1, 0] : tile<4x8x2xi8> -> tile<2x8x4xi8>
    %c = permute %a [2, 0, 1] : tile<4x8x2xi8> -> tile<2x4x8xi8>
    return %b, %c : tile<2x8x4xi8>, tile<2x4x8xi8>
  }
  testing$func @permute_of_reshape_one_short(%x: tile<8xi8>) -> tile<4x2xi8> {
    %a = reshape %x : tile<8xi8> -> tile<2x4xi8>
    %b = permute %a [1, 0] : tile<2x4xi8> -> tile<4x2xi8>
    return %b : tile<4x2xi8>
  }
  testing$func @of_pointers(%p: tile<ptr<f32>>) -> tile<4xptr<f32>> {
    %a = reshape %p : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %b = reshape %a : tile<1x1xptr<f32>> -> tile<1xptr<f32>>
    %c = broadcast %b : tile<1xptr<f32>> -> tile<4xptr<f32>>
    return %c : tile<4xptr<f32>>
  }
}
// output:
cuda_tile.module @m {
  testing$func @same_shape(%x: tile<i8>, %y: tile<2x4xi8>, %i: tile<i32>) -> (tile<i8>, tile<2x4xi8>, tile<2x4xi8>) {
    return %x, %y, %y : tile<i8>, tile<2x4xi8>, tile<2x4xi8>
  }
  testing$func @same_shape_one_short(%x: tile<i8>, %y: tile<2x4xi8>, %i: tile<i32>) -> (tile<1xi8>, tile<4x4xi8>, tile<2x2xi8>) {
    %a = reshape %x : tile<i8> -> tile<1xi8>
    %z = extract %y[%i, %i] : tile<2x4xi8> -> tile<1x4xi8>
    %b = broadcast %z : tile<1x4xi8> -> tile<4x4xi8>
    %c = extract %y[%i, %i] : tile<2x4xi8> -> tile<2x2xi8>
    return %a, %b, %c : tile<1xi8>, tile<4x4xi8>, tile<2x2xi8>
  }
  testing$func @reshape_reshape(%x: tile<i8>, %y: tile<2x4xi8>) -> (tile<1x1xi8>, tile<i8>, tile<8xi8>) {
    %b = reshape %x : tile<i8> -> tile<1x1xi8>
    %e = reshape %y : tile<2x4xi8> -> tile<8xi8>
    return %b, %x, %e : tile<1x1xi8>, tile<i8>, tile<8xi8>
  }
  testing$func @reshape_of_broadcast_one_short(%x: tile<1x4xi8>) -> tile<16xi8> {
    %a = broadcast %x : tile<1x4xi8> -> tile<4x4xi8>
    %b = reshape %a : tile<4x4xi8> -> tile<16xi8>
    return %b : tile<16xi8>
  }
  testing$func @broadcast_broadcast(%x: tile<1x1xi8>) -> tile<2x4xi8> {
    %b = broadcast %x : tile<1x1xi8> -> tile<2x4xi8>
    return %b : tile<2x4xi8>
  }
  testing$func @broadcast_of_reshape_one_short(%x: tile<4xi8>) -> tile<2x4xi8> {
    %a = reshape %x : tile<4xi8> -> tile<1x4xi8>
    %b = broadcast %a : tile<1x4xi8> -> tile<2x4xi8>
    return %b : tile<2x4xi8>
  }
  testing$func @permute_identity(%x: tile<2x4xi8>) -> tile<2x4xi8> {
    return %x : tile<2x4xi8>
  }
  testing$func @permute_identity_one_short(%x: tile<4x4xi8>) -> tile<4x4xi8> {
    %a = permute %x [1, 0] : tile<4x4xi8> -> tile<4x4xi8>
    return %a : tile<4x4xi8>
  }
  testing$func @permute_permute(%x: tile<2x4x8xi8>) -> (tile<2x8x4xi8>, tile<2x4x8xi8>) {
    %b = permute %x [0, 2, 1] : tile<2x4x8xi8> -> tile<2x8x4xi8>
    return %b, %x : tile<2x8x4xi8>, tile<2x4x8xi8>
  }
  testing$func @permute_of_reshape_one_short(%x: tile<8xi8>) -> tile<4x2xi8> {
    %a = reshape %x : tile<8xi8> -> tile<2x4xi8>
    %b = permute %a [1, 0] : tile<2x4xi8> -> tile<4x2xi8>
    return %b : tile<4x2xi8>
  }
  testing$func @of_pointers(%p: tile<ptr<f32>>) -> tile<4xptr<f32>> {
    %b = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %c = broadcast %b : tile<1xptr<f32>> -> tile<4xptr<f32>>
    return %c : tile<4xptr<f32>>
  }
}
// rewrites:
//    6 same_shape
//    7 same_shape
//    8 same_shape
//   20 reshape_reshape
//   21 reshape_reshape
//   21 same_shape
//   23 reshape_reshape
//   33 broadcast_broadcast
//   42 permute_identity
//   51 permute_permute
//   52 permute_permute
//   52 permute_identity
//   62 reshape_reshape
