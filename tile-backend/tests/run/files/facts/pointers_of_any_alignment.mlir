// test: run
// grid: 3 1 1
// arg: f32[1600] random
// arg: f32[1600] zeros
// arg: i32 = 1296
// count: 0 ld.global.v
// count: 0 st.global.v
// The same, of addresses that are multiples of an element.
cuda_tile.module @kernels {
  entry @double(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>, %k0: tile<i32>) {
    %p = assume div_by<4>, %from : tile<ptr<f32>>
    %q = assume div_by<4>, %to : tile<ptr<f32>>
    %k = assume div_by<16>, %k0 : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %size = constant <i32: 512> : tile<i32>
    %start = muli %x, %size : tile<i32>
    %s0 = reshape %start : tile<i32> -> tile<1xi32>
    %s1 = broadcast %s0 : tile<1xi32> -> tile<512xi32>
    %count = iota : tile<512xi32>
    %at = addi %s1, %count : tile<512xi32>
    %k1 = reshape %k : tile<i32> -> tile<1xi32>
    %k2 = broadcast %k1 : tile<1xi32> -> tile<512xi32>
    %mask = cmpi less_than %at, %k2, signed : tile<512xi32> -> tile<512xi1>
    %p0 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p1 = broadcast %p0 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %p2 = offset %p1, %at : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %q0 = reshape %q : tile<ptr<f32>> -> tile<1xptr<f32>>
    %q1 = broadcast %q0 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %q2 = offset %q1, %at : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %zero = constant <f32: 0.0> : tile<512xf32>
    %t, %1 = load_ptr_tko weak %p2, %mask, %zero : tile<512xptr<f32>>, tile<512xi1>, tile<512xf32> -> tile<512xf32>, token
    %r = addf %t, %t rounding<nearest_even> : tile<512xf32>
    %2 = store_ptr_tko weak %q2, %r, %mask : tile<512xptr<f32>>, tile<512xf32>, tile<512xi1> -> token
    return
  }
}
