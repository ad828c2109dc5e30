// test: run
// grid: 2 1 1
// warps: 4
// arg: f32[1024] random
// arg: f32[1024] zeros
// arg: i32 = 900
// Neighbours at addresses that are multiples of 16, under a mask that is cut at a multiple of 4: vectors.
cuda_tile.module @kernels {
  entry @copy(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>) {
    %from = assume div_by<16>, %a : tile<ptr<f32>>
    %to = assume div_by<16>, %b : tile<ptr<f32>>
    %m = assume div_by<4>, %n : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c = constant <i32: 512> : tile<i32>
    %start = muli %x, %c : tile<i32>
    %s1 = reshape %start : tile<i32> -> tile<1xi32>
    %s = broadcast %s1 : tile<1xi32> -> tile<512xi32>
    %i = iota : tile<512xi32>
    %j = addi %i, %s : tile<512xi32>
    %m1 = reshape %m : tile<i32> -> tile<1xi32>
    %mm = broadcast %m1 : tile<1xi32> -> tile<512xi32>
    %mask = cmpi less_than %j, %mm, signed : tile<512xi32> -> tile<512xi1>
    %f1 = reshape %from : tile<ptr<f32>> -> tile<1xptr<f32>>
    %f = broadcast %f1 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %t1 = reshape %to : tile<ptr<f32>> -> tile<1xptr<f32>>
    %t = broadcast %t1 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %p = offset %f, %j : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %q = offset %t, %j : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %pad = constant <f32: 7.0> : tile<512xf32>
    %v, %1 = load_ptr_tko weak %p, %mask, %pad : tile<512xptr<f32>>, tile<512xi1>, tile<512xf32> -> tile<512xf32>, token
    %w = addf %v, %v rounding<nearest_even> : tile<512xf32>
    %2 = store_ptr_tko weak %q, %w, %mask : tile<512xptr<f32>>, tile<512xf32>, tile<512xi1> -> token
    return
  }
}
