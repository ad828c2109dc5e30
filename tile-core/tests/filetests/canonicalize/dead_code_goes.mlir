// test: opt --passes=canonicalize
// What has no effect and no use goes, whole conditionals and reductions too. Loads, assumptions,
// prints and loops stay.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>, %t: tile<f32>) {
    %a = addi %n, %n : tile<i32>
    %b = muli %a, %a : tile<i32>
    %d = divi %b, %n signed : tile<i32>
    %r = if %c -> (tile<i32>) {
      %x = addi %n, %n : tile<i32>
      yield %x : tile<i32>
    } else {
      yield %n : tile<i32>
    }
    %i = iota : tile<4xi32>
    %sum = reduce %i dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %acc: tile<i32>) {
      %s = addi %x, %acc : tile<i32>
      yield %s : tile<i32>
    }
    %l, %tok = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %u = assume div_by<4>, %n : tile<i32>
    for %k in (%n to %n, step %n) : tile<i32> {
      %x = addi %k, %k : tile<i32>
      continue
    }
    loop {
      break
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>, %t: tile<f32>) {
    %l, %tok = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %u = assume div_by<4>, %n : tile<i32>
    for %k in (%n to %n, step %n) : tile<i32> {
    }
    loop {
      break
    }
    return
  }
}
// rewrites:
//    9 dead_code
//    8 dead_code
//    7 dead_code
//   10 dead_code
//   17 dead_code
//   16 dead_code
//   24 dead_code
