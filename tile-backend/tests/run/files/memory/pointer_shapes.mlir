// test: run
// arg: i32[128] random
// arg: i32[384] zeros
// Tiles of pointers that are permuted, reshaped, selected, numbers, and pointers to something else.
cuda_tile.module @kernels {
  entry @kernel(%a: tile<ptr<i32>>, %b: tile<ptr<i32>>) {
    %v1 = iota : tile<128xi32>
    %v2 = reshape %v1 : tile<128xi32> -> tile<8x16xi32>
    %v3 = reshape %a : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %v4 = broadcast %v3 : tile<1x1xptr<i32>> -> tile<8x16xptr<i32>>
    %v5 = offset %v4, %v2 : tile<8x16xptr<i32>>, tile<8x16xi32> -> tile<8x16xptr<i32>>
    %v6 = permute %v5 [1, 0] : tile<8x16xptr<i32>> -> tile<16x8xptr<i32>>
    %v7 = reshape %v6 : tile<16x8xptr<i32>> -> tile<4x4x8xptr<i32>>
    %v8 = iota : tile<128xi32>
    %v9 = reshape %v8 : tile<128xi32> -> tile<4x4x8xi32>
    %v10 = reshape %b : tile<ptr<i32>> -> tile<1x1x1xptr<i32>>
    %v11 = broadcast %v10 : tile<1x1x1xptr<i32>> -> tile<4x4x8xptr<i32>>
    %v12 = offset %v11, %v9 : tile<4x4x8xptr<i32>>, tile<4x4x8xi32> -> tile<4x4x8xptr<i32>>
    %v13, %v14 = load_ptr_tko weak %v7 : tile<4x4x8xptr<i32>> -> tile<4x4x8xi32>, token
    %v15 = store_ptr_tko weak %v12, %v13 : tile<4x4x8xptr<i32>>, tile<4x4x8xi32> -> token
    %v16 = ptr_to_int %v5 : tile<8x16xptr<i32>> -> tile<8x16xi64>
    %v17 = constant <i64: 4> : tile<8x16xi64>
    %v18 = addi %v16, %v17 : tile<8x16xi64>
    %v19 = int_to_ptr %v18 : tile<8x16xi64> -> tile<8x16xptr<i32>>
    %v20 = constant <i32: 3> : tile<8x16xi32>
    %v21 = constant <i32: 1> : tile<8x16xi32>
    %v22 = andi %v2, %v21 : tile<8x16xi32>
    %v23 = constant <i32: 0> : tile<8x16xi32>
    %v24 = cmpi equal %v22, %v23, signed : tile<8x16xi32> -> tile<8x16xi1>
    %v25 = select %v24, %v19, %v5 : tile<8x16xi1>, tile<8x16xptr<i32>>
    %v26, %v27 = load_ptr_tko weak %v25 : tile<8x16xptr<i32>> -> tile<8x16xi32>, token
    %v28 = constant <i32: 128> : tile<8x16xi32>
    %v29 = addi %v2, %v28 : tile<8x16xi32>
    %v30 = reshape %b : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %v31 = broadcast %v30 : tile<1x1xptr<i32>> -> tile<8x16xptr<i32>>
    %v32 = offset %v31, %v29 : tile<8x16xptr<i32>>, tile<8x16xi32> -> tile<8x16xptr<i32>>
    %v33 = store_ptr_tko weak %v32, %v26 : tile<8x16xptr<i32>>, tile<8x16xi32> -> token
    %v34 = ptr_to_ptr %v5 : tile<8x16xptr<i32>> -> tile<8x16xptr<i16>>
    %v35, %v36 = load_ptr_tko weak %v34 : tile<8x16xptr<i16>> -> tile<8x16xi16>, token
    %v37 = exti %v35 signed : tile<8x16xi16> -> tile<8x16xi32>
    %v38 = constant <i32: 256> : tile<8x16xi32>
    %v39 = addi %v2, %v38 : tile<8x16xi32>
    %v40 = reshape %b : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %v41 = broadcast %v40 : tile<1x1xptr<i32>> -> tile<8x16xptr<i32>>
    %v42 = offset %v41, %v39 : tile<8x16xptr<i32>>, tile<8x16xi32> -> tile<8x16xptr<i32>>
    %v43 = store_ptr_tko weak %v42, %v37 : tile<8x16xptr<i32>>, tile<8x16xi32> -> token
    return
  }
}
