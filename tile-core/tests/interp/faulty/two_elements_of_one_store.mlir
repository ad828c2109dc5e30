// Elements of one store are in no order, and two of them have one place.
// run: zeros:16
// report: kernel `faulty`, block (0, 0, 0), store_ptr_tko (operation 5): element [3]: stores to bytes 4..8 of parameter 0, as does element [1] of the same operation at two_elements_of_one_store.mlir:7:8

entry @faulty(%x: tile<ptr<i32>>) {
  %o = constant <i32: [0, 1, 2, 1]> : tile<4xi32>
  %1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %4 = broadcast %1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %4, %o : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %v = iota : tile<4xi32>
  %t = store_ptr_tko weak %p, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  return
}

entry @corrected(%x: tile<ptr<i32>>) {
  %o = constant <i32: [0, 1, 2, 1]> : tile<4xi32>
  %mask = constant <i1: [true, false, true, true]> : tile<4xi1>
  %1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %4 = broadcast %1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %4, %o : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %v = iota : tile<4xi32>
  %t = store_ptr_tko weak %p, %v, %mask : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token
  return
}
