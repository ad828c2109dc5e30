// test: opt --passes=simplify
// Masks, addresses and tokens: what a memory operation takes is simplified, the operation stays as it is and where it is, with
// a mask that is true everywhere too. An `assume` stays, and what it promises is used: a block id is not negative, an extent
// that is a multiple of 16 has no rest.

cuda_tile.module @m {
  entry @masked(%p: tile<ptr<f32>>, %n0: tile<i32>) {
    %n = assume div_by<16>, %n0 : tile<i32>
    %unused = assume bounded<0, ?>, %n : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %sixteen = constant <i32: 16> : tile<i32>
    %true = constant <i1: true> : tile<128xi1>
    %padding = constant <f32: 0.0> : tile<128xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %rest = remi %n, %sixteen signed : tile<i32>
    %block = divi %x, %sixteen signed : tile<i32>
    %first = addi %block, %rest : tile<i32>
    %is_there = cmpi greater_than_or_equal %x, %zero, signed : tile<i32> -> tile<i1>
    %iota = iota : tile<128xi32>
    %first1 = reshape %first : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first1 : tile<1xi32> -> tile<128xi32>
    %offsets = addi %iota, %firsts : tile<128xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ends = broadcast %n1 : tile<1xi32> -> tile<128xi32>
    %inside = cmpi less_than %offsets, %ends, signed : tile<128xi32> -> tile<128xi1>
    %outside = xori %inside, %true : tile<128xi1>
    %again = xori %outside, %true : tile<128xi1>
    %mask = andi %again, %inside : tile<128xi1>
    %everywhere = ori %outside, %mask : tile<128xi1>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ps = broadcast %p1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %addresses = offset %ps, %offsets : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %t0 = make_token : token
    %a, %t1 = load_ptr_tko weak %addresses, %mask, %padding token=%t0 : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token
    %b, %t2 = load_ptr_tko weak %addresses, %everywhere, %padding token=%t1 : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token
    %t3 = store_ptr_tko weak %addresses, %a, %everywhere token=%t2 : tile<128xptr<f32>>, tile<128xf32>, tile<128xi1> -> token
    if %is_there {
      %t4 = store_ptr_tko weak %addresses, %b, %mask token=%t3 : tile<128xptr<f32>>, tile<128xf32>, tile<128xi1> -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @masked(%p: tile<ptr<f32>>, %n0: tile<i32>) {
    %is_there = constant <i1: true> : tile<i1>
    %0 = constant <i32: 4> : tile<i32>
    %n = assume div_by<16>, %n0 : tile<i32>
    %unused = assume bounded<0, ?>, %n : tile<i32>
    %true = constant <i1: true> : tile<128xi1>
    %padding = constant <f32: 0.000000e+00> : tile<128xf32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %block = shri %x, %0 unsigned : tile<i32>
    %iota = iota : tile<128xi32>
    %first1 = reshape %block : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first1 : tile<1xi32> -> tile<128xi32>
    %offsets = addi %iota, %firsts : tile<128xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %ends = broadcast %n1 : tile<1xi32> -> tile<128xi32>
    %inside = cmpi less_than %offsets, %ends, signed : tile<128xi32> -> tile<128xi1>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ps = broadcast %p1 : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %addresses = offset %ps, %offsets : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %t0 = make_token : token
    %a, %t1 = load_ptr_tko weak %addresses, %inside, %padding token=%t0 : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token
    %b, %t2 = load_ptr_tko weak %addresses, %true, %padding token=%t1 : tile<128xptr<f32>>, tile<128xi1>, tile<128xf32> -> tile<128xf32>, token
    %t3 = store_ptr_tko weak %addresses, %a, %true token=%t2 : tile<128xptr<f32>>, tile<128xf32>, tile<128xi1> -> token
    if %is_there {
      %t4 = store_ptr_tko weak %addresses, %b, %inside token=%t3 : tile<128xptr<f32>>, tile<128xf32>, tile<128xi1> -> token
    }
    return
  }
}
// rewrites:
//   15 known_value
//   16 div_power
//   17 add_zero
//   18 compare_known
//   27 xor_constants
//   28 duplicate_term
//   29 contradiction
