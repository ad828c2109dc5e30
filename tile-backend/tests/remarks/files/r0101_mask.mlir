// test: remarks
// kinds: R0101
// A mask that may end within four neighbours, and one that cannot.
cuda_tile.module @m {
  entry @gives(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n0: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %n = assume div_by<1>, %n0 : tile<i32>
    %i = iota : tile<1024xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %bound = broadcast %n1 : tile<1xi32> -> tile<1024xi32>
    %m = cmpi less_than %i, %bound, signed : tile<1024xi32> -> tile<1024xi1>
    %pad = constant <f32: 0.0> : tile<1024xf32>
    %a1 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %a2 = broadcast %a1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %a3 = offset %a2, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %b1 = reshape %b : tile<ptr<f32>> -> tile<1xptr<f32>>
    %b2 = broadcast %b1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %b3 = offset %b2, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %t, %t0 = load_ptr_tko weak %a3, %m, %pad : tile<1024xptr<f32>>, tile<1024xi1>, tile<1024xf32> -> tile<1024xf32>, token // remark R0101: each lane accesses 4 bytes at a time
    %t1 = store_ptr_tko weak %b3, %t : tile<1024xptr<f32>>, tile<1024xf32> -> token
    return
  }
  entry @twin(%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>, %n0: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %b = assume div_by<16>, %b0 : tile<ptr<f32>>
    %n = assume div_by<4>, %n0 : tile<i32>
    %i = iota : tile<1024xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %bound = broadcast %n1 : tile<1xi32> -> tile<1024xi32>
    %m = cmpi less_than %i, %bound, signed : tile<1024xi32> -> tile<1024xi1>
    %pad = constant <f32: 0.0> : tile<1024xf32>
    %a1 = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %a2 = broadcast %a1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %a3 = offset %a2, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %b1 = reshape %b : tile<ptr<f32>> -> tile<1xptr<f32>>
    %b2 = broadcast %b1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %b3 = offset %b2, %i : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %t, %t0 = load_ptr_tko weak %a3, %m, %pad : tile<1024xptr<f32>>, tile<1024xi1>, tile<1024xf32> -> tile<1024xf32>, token
    %t1 = store_ptr_tko weak %b3, %t : tile<1024xptr<f32>>, tile<1024xf32> -> token
    return
  }
}
