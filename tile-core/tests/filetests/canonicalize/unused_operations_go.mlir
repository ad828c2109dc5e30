// test: opt --passes=canonicalize-full
// What no effect depends on goes, together with what only it uses.

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    %a = addi %n, %n : tile<i32>
    %b = muli %a, %a : tile<i32>
    %d = divi %n, %n signed : tile<i32>
    %t = make_token : token
    %r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%x = %b) -> (tile<i32>) {
      if %c {
        continue %i : tile<i32>
      }
      continue %x : tile<i32>
    }
    %s = if %c -> (tile<i32>) {
      yield %a : tile<i32>
    } else {
      yield %n : tile<i32>
    }
    return
  }
}
// output:
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>) {
    return
  }
}
// rewrites:
//    8 dead_code
//    9 dead_code
//   10 dead_code
//    7 dead_code
//   16 dead_code
//    6 dead_code
