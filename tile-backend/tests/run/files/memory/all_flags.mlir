// test: run
// grid: 5 1 1
// arg: i32[4] zeros
// arg: f32[256] zeros
// arg: f32[64] zeros
// One block waits until the flags of all others are up, which it loads as a tile that several threads hold.
cuda_tile.module @kernels {
  entry @kernel(%flags: tile<ptr<i32>>, %data: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %v1, %v2, %v3 = get_tile_block_id : tile<i32>
    %v4 = constant <i32: 0> : tile<i32>
    %v5 = constant <i32: 1> : tile<i32>
    %v6 = constant <i32: 4> : tile<i32>
    %v7 = cmpi equal %v1, %v6, signed : tile<i32> -> tile<i1>
    if %v7 {
      %v8 = make_token : token
      %v9 = loop iter_values(%fk = %v8) : token -> token {
        %v10 = iota : tile<4xi32>
        %v11 = reshape %flags : tile<ptr<i32>> -> tile<1xptr<i32>>
        %v12 = broadcast %v11 : tile<1xptr<i32>> -> tile<4xptr<i32>>
        %v13 = offset %v12, %v10 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
        %v14, %v15 = load_ptr_tko acquire device %v13 token=%fk : tile<4xptr<i32>> -> tile<4xi32>, token
        %v16 = reduce %v14 dim=0 identities=[1 : i32] : tile<4xi32> -> tile<i32> (%e: tile<i32>, %s: tile<i32>) {
          %both = andi %e, %s : tile<i32>
          yield %both : tile<i32>
        }
        %v17 = cmpi equal %v16, %v5, signed : tile<i32> -> tile<i1>
        if %v17 {
          break %v15 : token
        }
        continue %v15 : token
      }
      %v18 = iota : tile<256xi32>
      %v19 = reshape %v18 : tile<256xi32> -> tile<4x64xi32>
      %v20 = reshape %data : tile<ptr<f32>> -> tile<1x1xptr<f32>>
      %v21 = broadcast %v20 : tile<1x1xptr<f32>> -> tile<4x64xptr<f32>>
      %v22 = offset %v21, %v19 : tile<4x64xptr<f32>>, tile<4x64xi32> -> tile<4x64xptr<f32>>
      %v23, %v24 = load_ptr_tko weak %v22 token=%v9 : tile<4x64xptr<f32>> -> tile<4x64xf32>, token
      %v25 = reduce %v23 dim=0 identities=[0.000000e+00 : f32] : tile<4x64xf32> -> tile<64xf32> (%e: tile<f32>, %s: tile<f32>) {
        %sum = addf %e, %s rounding<nearest_even> : tile<f32>
        yield %sum : tile<f32>
      }
      %v26 = iota : tile<64xi32>
      %v27 = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
      %v28 = broadcast %v27 : tile<1xptr<f32>> -> tile<64xptr<f32>>
      %v29 = offset %v28, %v26 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
      %v30 = store_ptr_tko weak %v29, %v25 : tile<64xptr<f32>>, tile<64xf32> -> token
    } else {
      %v31 = constant <i32: 64> : tile<i32>
      %v32 = muli %v1, %v31 : tile<i32>
      %v33 = offset %data, %v32 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %v34 = iota : tile<64xi32>
      %v35 = itof %v34 signed rounding<nearest_even> : tile<64xi32> -> tile<64xf32>
      %v36 = iota : tile<64xi32>
      %v37 = reshape %v33 : tile<ptr<f32>> -> tile<1xptr<f32>>
      %v38 = broadcast %v37 : tile<1xptr<f32>> -> tile<64xptr<f32>>
      %v39 = offset %v38, %v36 : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
      %v40 = store_ptr_tko weak %v39, %v35 : tile<64xptr<f32>>, tile<64xf32> -> token
      %v41 = offset %flags, %v1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v42 = store_ptr_tko release device %v41, %v5 token=%v40 : tile<ptr<i32>>, tile<i32> -> token
    }
    return
  }
}
