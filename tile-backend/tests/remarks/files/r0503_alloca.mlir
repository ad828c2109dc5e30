// test: remarks
// kinds: R0503
// Memory of the block that is too large for shared memory, and less of it.
cuda_tile.module @m {
  entry @gives(%b: tile<ptr<f32>>) {
    %p = alloca num_elem = 16384, alignment = 16 : tile<ptr<f32>> // remark R0503: 65536 bytes of each block are in global memory
    %i = iota : tile<256xi32>
    %v = constant <f32: 1.0> : tile<256xf32>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p2 = broadcast %p1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %p3 = offset %p2, %i : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %t0 = store_ptr_tko weak %p3, %v : tile<256xptr<f32>>, tile<256xf32> -> token
    %w, %t1 = load_ptr_tko weak %p3 token=%t0 : tile<256xptr<f32>> -> tile<256xf32>, token
    %zero = constant <i32: 0> : tile<i32>
    %vb_t = make_tensor_view %b, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %t2 = store_view_tko weak %w, %vb[%zero] : tile<256xf32>, partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twin(%b: tile<ptr<f32>>) {
    %p = alloca num_elem = 1024, alignment = 16 : tile<ptr<f32>>
    %i = iota : tile<256xi32>
    %v = constant <f32: 1.0> : tile<256xf32>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p2 = broadcast %p1 : tile<1xptr<f32>> -> tile<256xptr<f32>>
    %p3 = offset %p2, %i : tile<256xptr<f32>>, tile<256xi32> -> tile<256xptr<f32>>
    %t0 = store_ptr_tko weak %p3, %v : tile<256xptr<f32>>, tile<256xf32> -> token
    %w, %t1 = load_ptr_tko weak %p3 token=%t0 : tile<256xptr<f32>> -> tile<256xf32>, token
    %zero = constant <i32: 0> : tile<i32>
    %vb_t = make_tensor_view %b, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %vb = make_partition_view %vb_t : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %t2 = store_view_tko weak %w, %vb[%zero] : tile<256xf32>, partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
