// test: run
// arg: f32[256] random
// arg: f32[256] zeros
// Tiles of pointers are cut, joined, chosen among and turned like any other.
cuda_tile.module @kernels {
  entry @f(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %i = iota : tile<256xi32>
    %p = reshape %from : tile<ptr<f32>> -> tile<1xptr<f32>>
    %q = broadcast %p : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %all = offset %q, %i : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %matrix = reshape %all : tile<256xptr<f32>> -> tile<16x16xptr<f32>>
    %turned = permute %matrix [1, 0] : tile<16x16xptr<f32>> -> tile<16x16xptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %upper = extract %turned[%zero, %zero] : tile<16x16xptr<f32>> -> tile<8x16xptr<f32>>
    %lower = extract %matrix[%one, %zero] : tile<16x16xptr<f32>> -> tile<8x16xptr<f32>>
    %joined = cat %lower, %upper dim = 0 : tile<8x16xptr<f32>>, tile<8x16xptr<f32>> -> tile<16x16xptr<f32>>
    %row = extract %matrix[%one, %zero] : tile<16x16xptr<f32>> -> tile<1x16xptr<f32>>
    %three = constant <i32: 3> : tile<i32>
    %mixed = insert %row, %joined[%three, %zero] : tile<1x16xptr<f32>>, tile<16x16xptr<f32>>
    %n = reshape %i : tile<256xi32> -> tile<16x16xi32>
    %c = constant <i32: 100> : tile<16x16xi32>
    %few = cmpi less_than %n, %c, signed : tile<16x16xi32> -> tile<16x16xi1>
    %chosen = select %few, %mixed, %turned : tile<16x16xi1>, tile<16x16xptr<f32>>
    %v, %t0 = load_ptr_tko weak %chosen : tile<16x16xptr<f32>> -> tile<16x16xf32>, token
    %b = make_tensor_view %to, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16, 1]>
    %w = make_partition_view %b : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>
    %t1 = store_view_tko weak %v, %w[%zero, %zero] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
