//! Loops of scalars.

use tile_core::testing::{Argument, Outcome, Runnable, execute};
use tile_core::{Diagnostics, text};

use super::{Level, Times, canonical, codes, llvm_text};

/// The number of steps from `%n` to 1, where a step halves an even number and makes `3 * n + 1` of an odd one; -1 where
/// `%limit` steps do not get there. Odd numbers go on with the next iteration before the others.
const STEPS: &str = "cuda_tile.module @m {
  entry @steps(%y: tile<ptr<i32>>, %n: tile<i32>, %limit: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %none = constant <i32: -1> : tile<i32>
    %result = loop iter_values(%k = %zero, %m = %n) : tile<i32>, tile<i32> -> tile<i32> {
      %is_one = cmpi equal %m, %one, signed : tile<i32> -> tile<i1>
      if %is_one {
        break %k : tile<i32>
      }
      %is_last = cmpi equal %k, %limit, signed : tile<i32> -> tile<i1>
      if %is_last {
        break %none : tile<i32>
      }
      %next = addi %k, %one : tile<i32>
      %bit = andi %m, %one : tile<i32>
      %is_odd = cmpi equal %bit, %one, signed : tile<i32> -> tile<i1>
      if %is_odd {
        %thrice = muli %m, %three : tile<i32>
        %more = addi %thrice, %one : tile<i32>
        continue %next, %more : tile<i32>, tile<i32>
      }
      %half = shri %m, %one signed : tile<i32>
      continue %next, %half : tile<i32>, tile<i32>
    }
    %u = store_ptr_tko weak %y, %result : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}";

/// Loops that end after any number of iterations, at both exits, of which two are written out.
#[test]
fn two_iterations_of_a_loop_are_those_of_the_interpreter() {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(STEPS, "steps", &mut diagnostics);
    let module = module.unwrap_or_else(|_| panic!("{:#?}", diagnostics.take()));
    let native = canonical(&module);
    let codes = codes(&native);
    for number in 1..40_u64 {
        for limit in [0, 1, 2, 7, 8, 200] {
            let runnable = Runnable {
                module: module.clone(),
                grid: [1; 3],
                args: vec![
                    Argument::Buffer(vec![0; 4]),
                    Argument::Number(number),
                    Argument::Number(limit),
                ],
            };
            let Outcome { buffers, fault, .. } = execute(&runnable);
            assert_eq!(fault, None);
            for (level, code) in &codes {
                assert_eq!(
                    code.run(&runnable).buffers,
                    buffers,
                    "{number}, {limit}, {level}"
                );
            }
        }
    }
    let entry = native.entries().next().expect("an entry");
    let (text, _) =
        llvm_text(&native, entry, Level::Baseline, &mut Times::new()).expect("a kernel");
    let products = text.lines().filter(|line| line.contains("= mul i32 "));
    assert_eq!(products.count(), 2, "{text}");
}
