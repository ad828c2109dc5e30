// test: opt --passes=licm
// A `loop`, and a `for` with a first iteration by its bounds, run the division; so it
// leaves both. Not after what may leave the body, inside of an `if`, after an assertion, or
// where the bounds, read as unsigned, are the other way round.

cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %b: tile<i32>, %c: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %minus = constant <i32: -1> : tile<i32>
    loop {
      for %i in (%minus to %one, step %one) : tile<i32> {
        %early = divi %a, %b signed : tile<i32>
        print_tko "%d", %early : tile<i32> -> token
        if %c {
          %inside = divi %a, %b unsigned : tile<i32>
          print_tko "%d", %inside : tile<i32> -> token
          continue
        }
        %late = remi %a, %b signed : tile<i32>
        print_tko "%d", %late : tile<i32> -> token
      }
      assert %c, "c" : tile<i1>
      %after = remi %a, %b unsigned : tile<i32>
      if %c {
        break
      }
      print_tko "%d", %after : tile<i32> -> token
    }
    for unsigned %i in (%minus to %one, step %one) : tile<i32> {
      %never = divi %a, %b signed : tile<i32>
      print_tko "%d", %never : tile<i32> -> token
    }
    return
  }
}
// output:
cuda_tile.module @m {
  testing$func @f(%a: tile<i32>, %b: tile<i32>, %c: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %minus = constant <i32: -1> : tile<i32>
    %early = divi %a, %b signed : tile<i32>
    loop {
      for %i in (%minus to %one, step %one) : tile<i32> {
        %0 = print_tko "%d", %early : tile<i32> -> token
        if %c {
          %inside = divi %a, %b unsigned : tile<i32>
          %1 = print_tko "%d", %inside : tile<i32> -> token
          continue
        }
        %late = remi %a, %b signed : tile<i32>
        %2 = print_tko "%d", %late : tile<i32> -> token
      }
      assert %c, "c" : tile<i1>
      %after = remi %a, %b unsigned : tile<i32>
      if %c {
        break
      }
      %3 = print_tko "%d", %after : tile<i32> -> token
    }
    for unsigned %i in (%minus to %one, step %one) : tile<i32> {
      %never = divi %a, %b signed : tile<i32>
      %4 = print_tko "%d", %never : tile<i32> -> token
    }
    return
  }
}
// rewrites:
//   13 hoist
