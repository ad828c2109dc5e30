// test: parse --print-debuginfo
// What tileirdisasm -g prints: all aliases at the end, scopes among them.

entry @vector_add(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<ptr<f32>>, %arg4: tile<i32>, %arg5: tile<i32>, %arg6: tile<ptr<f32>>, %arg7: tile<i32>, %arg8: tile<i32>) optimization_hints=<default = {}> {
  %0 = make_token : token loc(#loc9)
  %assume = assume div_by<16>, %arg0 : tile<ptr<f32>> loc(#loc10)
  %assume_0 = assume div_by<16>, %arg1 : tile<i32> loc(#loc10)
  %assume_1 = assume div_by<16>, %arg3 : tile<ptr<f32>> loc(#loc11)
  %assume_2 = assume div_by<16>, %arg4 : tile<i32> loc(#loc11)
  %assume_3 = assume div_by<16>, %arg6 : tile<ptr<f32>> loc(#loc12)
  %assume_4 = assume div_by<16>, %arg7 : tile<i32> loc(#loc12)
  %cst_1_i32 = constant <i32: 1> : tile<i32> loc(#loc9)
  %cst_1_i32_5 = constant <i32: 1> : tile<i32> loc(#loc9)
  %cst_1_i32_6 = constant <i32: 1> : tile<i32> loc(#loc9)
  %assume_assume = assume bounded<0, ?>, %assume_0 : tile<i32> loc(#loc9)
  %assume_assume_assume = assume div_by<16>, %assume_assume : tile<i32> loc(#loc9)
  %tview = make_tensor_view %assume, shape = [%assume_assume_assume], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]> loc(#loc9)
  %assume_assume_7 = assume bounded<0, ?>, %assume_2 : tile<i32> loc(#loc9)
  %assume_assume_assume_8 = assume div_by<16>, %assume_assume_7 : tile<i32> loc(#loc9)
  %tview_9 = make_tensor_view %assume_1, shape = [%assume_assume_assume_8], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]> loc(#loc9)
  %assume_assume_10 = assume bounded<0, ?>, %assume_4 : tile<i32> loc(#loc9)
  %assume_assume_assume_11 = assume div_by<16>, %assume_assume_10 : tile<i32> loc(#loc9)
  %tview_12 = make_tensor_view %assume_3, shape = [%assume_assume_assume_11], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]> loc(#loc9)
  %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32> loc(#loc13)
  %pview = make_partition_view %tview : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>> loc(#loc14)
  %tile, %result_token = load_view_tko weak %pview[%blockId_x] token = %0 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token loc(#loc14)
  %pview_13 = make_partition_view %tview_9 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>> loc(#loc15)
  %tile_14, %result_token_15 = load_view_tko weak %pview_13[%blockId_x] token = %0 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token loc(#loc15)
  %1 = addf %tile, %tile_14  : tile<1024xf32> loc(#loc14)
  %pview_16 = make_partition_view %tview_12 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>> loc(#loc16)
  %2 = store_view_tko weak %1, %pview_16[%blockId_x] token = %0 : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token loc(#loc16)
  return loc(#loc8)
} loc(#loc9)
#di_file = #cuda_tile.di_file<"cutile_corpus.py" in "/src/kernels">
#loc = loc("/src/kernels/cutile_corpus.py":22:0)
#loc1 = loc("/src/kernels/cutile_corpus.py":22:15)
#loc2 = loc("/src/kernels/cutile_corpus.py":22:18)
#loc3 = loc("/src/kernels/cutile_corpus.py":22:21)
#loc4 = loc("/src/kernels/cutile_corpus.py":23:8)
#loc5 = loc("/src/kernels/cutile_corpus.py":24:33)
#loc6 = loc("/src/kernels/cutile_corpus.py":24:70)
#loc7 = loc("/src/kernels/cutile_corpus.py":24:4)
#loc8 = loc(unknown)
#di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>
#di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 21, name = "vector_add", linkageName = "vector_add", compileUnit = #di_compile_unit, scopeLine = 21>
#loc9 = #cuda_tile.di_loc<#loc in #di_subprogram>
#loc10 = #cuda_tile.di_loc<#loc1 in #di_subprogram>
#loc11 = #cuda_tile.di_loc<#loc2 in #di_subprogram>
#loc12 = #cuda_tile.di_loc<#loc3 in #di_subprogram>
#loc13 = #cuda_tile.di_loc<#loc4 in #di_subprogram>
#loc14 = #cuda_tile.di_loc<#loc5 in #di_subprogram>
#loc15 = #cuda_tile.di_loc<#loc6 in #di_subprogram>
#loc16 = #cuda_tile.di_loc<#loc7 in #di_subprogram>
// output:
cuda_tile.module @kernels {
  entry @vector_add(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<ptr<f32>>, %arg4: tile<i32>, %arg5: tile<i32>, %arg6: tile<ptr<f32>>, %arg7: tile<i32>, %arg8: tile<i32>) optimization_hints=<default = {}> {
    %0 = make_token : token loc(#loc9)
    %assume = assume div_by<16>, %arg0 : tile<ptr<f32>> loc(#loc10)
    %assume_0 = assume div_by<16>, %arg1 : tile<i32> loc(#loc10)
    %assume_1 = assume div_by<16>, %arg3 : tile<ptr<f32>> loc(#loc11)
    %assume_2 = assume div_by<16>, %arg4 : tile<i32> loc(#loc11)
    %assume_3 = assume div_by<16>, %arg6 : tile<ptr<f32>> loc(#loc12)
    %assume_4 = assume div_by<16>, %arg7 : tile<i32> loc(#loc12)
    %cst_1_i32 = constant <i32: 1> : tile<i32> loc(#loc9)
    %cst_1_i32_5 = constant <i32: 1> : tile<i32> loc(#loc9)
    %cst_1_i32_6 = constant <i32: 1> : tile<i32> loc(#loc9)
    %assume_assume = assume bounded<0, ?>, %assume_0 : tile<i32> loc(#loc9)
    %assume_assume_assume = assume div_by<16>, %assume_assume : tile<i32> loc(#loc9)
    %tview = make_tensor_view %assume, shape = [%assume_assume_assume], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]> loc(#loc9)
    %assume_assume_7 = assume bounded<0, ?>, %assume_2 : tile<i32> loc(#loc9)
    %assume_assume_assume_8 = assume div_by<16>, %assume_assume_7 : tile<i32> loc(#loc9)
    %tview_9 = make_tensor_view %assume_1, shape = [%assume_assume_assume_8], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]> loc(#loc9)
    %assume_assume_10 = assume bounded<0, ?>, %assume_4 : tile<i32> loc(#loc9)
    %assume_assume_assume_11 = assume div_by<16>, %assume_assume_10 : tile<i32> loc(#loc9)
    %tview_12 = make_tensor_view %assume_3, shape = [%assume_assume_assume_11], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]> loc(#loc9)
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32> loc(#loc13)
    %pview = make_partition_view %tview : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>> loc(#loc14)
    %tile, %result_token = load_view_tko weak %pview[%blockId_x] token = %0 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token loc(#loc14)
    %pview_13 = make_partition_view %tview_9 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>> loc(#loc15)
    %tile_14, %result_token_15 = load_view_tko weak %pview_13[%blockId_x] token = %0 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token loc(#loc15)
    %1 = addf %tile, %tile_14 : tile<1024xf32> loc(#loc14)
    %pview_16 = make_partition_view %tview_12 : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>> loc(#loc16)
    %2 = store_view_tko weak %1, %pview_16[%blockId_x] token = %0 : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token loc(#loc16)
    return loc(#loc8)
  } loc(#loc9)
}
#di_file = #cuda_tile.di_file<"cutile_corpus.py" in "/src/kernels">
#loc = loc("/src/kernels/cutile_corpus.py":22:0)
#loc1 = loc("/src/kernels/cutile_corpus.py":22:15)
#loc2 = loc("/src/kernels/cutile_corpus.py":22:18)
#loc3 = loc("/src/kernels/cutile_corpus.py":22:21)
#loc4 = loc("/src/kernels/cutile_corpus.py":23:8)
#loc5 = loc("/src/kernels/cutile_corpus.py":24:33)
#loc6 = loc("/src/kernels/cutile_corpus.py":24:70)
#loc7 = loc("/src/kernels/cutile_corpus.py":24:4)
#loc8 = loc(unknown)
#di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>
#di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 21, name = "vector_add", linkageName = "vector_add", compileUnit = #di_compile_unit, scopeLine = 21>
#loc9 = #cuda_tile.di_loc<#loc in #di_subprogram>
#loc10 = #cuda_tile.di_loc<#loc1 in #di_subprogram>
#loc11 = #cuda_tile.di_loc<#loc2 in #di_subprogram>
#loc12 = #cuda_tile.di_loc<#loc3 in #di_subprogram>
#loc13 = #cuda_tile.di_loc<#loc4 in #di_subprogram>
#loc14 = #cuda_tile.di_loc<#loc5 in #di_subprogram>
#loc15 = #cuda_tile.di_loc<#loc6 in #di_subprogram>
#loc16 = #cuda_tile.di_loc<#loc7 in #di_subprogram>
