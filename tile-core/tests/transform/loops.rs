//! Tests transforms of loops against the interpreter: all predicates, signs and steps, at bounds
//! where arithmetic wraps.

use crate::{parsed, run};
use std::fmt::Write;
use tile_core::interp::{Arg, Program};

/// Critical eight-bit numbers.
const BOUNDS: [i8; 8] = [-128, -127, -65, -1, 0, 1, 126, 127];

/// Returns the steps of a loop; the last one is valid only for an unsigned induction variable.
fn steps(unsigned: bool) -> &'static [i8] {
    const STEPS: [i8; 6] = [1, 2, 3, 100, 127, -56];
    &STEPS[..STEPS.len() - usize::from(!unsigned)]
}

const PREDICATES: [&str; 4] = [
    "less_than",
    "less_than_or_equal",
    "greater_than",
    "greater_than_or_equal",
];

/// Returns the original and the transformed program, with the number of rewrites.
fn both(source: &str, passes: &str) -> ([Program; 2], usize) {
    let (after, rewrites) = run(parsed(source), passes);
    let programs = [parsed(source), after].map(|module| Program::new(&module));
    (programs, rewrites)
}

/// Returns the number that `k` stores; `None` if it faults.
fn result(program: &Program, numbers: &[i8]) -> Option<i64> {
    let mut out = 0_i64;
    let mut args = vec![Arg::Pointer {
        ptr: (&raw mut out).cast(),
        bytes: size_of_val(&out),
    }];
    args.extend(numbers.iter().map(|&number| Arg::Scalar {
        bits: u64::from(number.cast_unsigned()),
    }));
    // SAFETY: the buffer lives until the end of the call, and there is one block.
    let done = unsafe { program.run("k", [1; 3], &args) };
    done.ok().map(|()| out)
}

/// Writes a kernel that stores one number. It depends on the values of the induction variable,
/// their order, and the branch that each of them takes.
fn kernel(
    params: &str,
    constants: &str,
    unsigned: bool,
    condition: &str,
    attributes: &str,
) -> String {
    let (keyword, sign) = if unsigned {
        ("unsigned ", "unsigned")
    } else {
        ("", "signed")
    };
    format!(
        "entry @k(%p: tile<ptr<i64>>{params}) {{
    {constants}
    %zero = constant <i64: 0> : tile<i64>
    %three = constant <i64: 3> : tile<i64>
    %r = for {keyword}%i in (%low to %high, step %step) : tile<i8> iter_values(%s = %three) -> (tile<i64>) {{
      %c = cmpi {condition}, {sign} : tile<i8> -> tile<i1>
      %w = exti %i {sign} : tile<i8> -> tile<i64>
      %x = muli %s, %three : tile<i64>
      %y = if %c -> (tile<i64>) {{
        %t = addi %x, %w : tile<i64>
        yield %t : tile<i64>
      }} else {{
        %t = xori %x, %w : tile<i64>
        yield %t : tile<i64>
      }}
      continue %y : tile<i64>
    }}{attributes}
    %done = store_ptr_tko weak %p, %r : tile<ptr<i64>>, tile<i64> -> token
    return
}}"
    )
}

const PARAMS: &str = ", %low: tile<i8>, %high: tile<i8>, %step: tile<i8>, %at: tile<i8>";

fn constants(numbers: &[i8]) -> String {
    let mut text = String::new();
    for (name, number) in ["low", "high", "step", "at"].iter().zip(numbers) {
        writeln!(text, "%{name} = constant <i8: {number}> : tile<i8>")
            .expect("strings do not fail");
    }
    text
}

fn compare([before, after]: &[Program; 2], args: &[i8], what: &str) {
    let want = result(before, args);
    assert!(want.is_some(), "{what}: a fault");
    assert_eq!(result(after, args), want, "{what} {args:?}");
}

fn conditions() -> impl Iterator<Item = (bool, String)> {
    let signs = [false, true].into_iter();
    signs.flat_map(|unsigned| {
        PREDICATES.iter().flat_map(move |predicate| {
            let sides = [
                format!("{predicate} %i, %at"),
                format!("{predicate} %at, %i"),
            ];
            sides.map(|condition| (unsigned, condition))
        })
    })
}

/// Returns lower and upper bounds and right operands of the comparison.
fn bounds() -> impl Iterator<Item = [i8; 3]> {
    let lows = BOUNDS.into_iter();
    lows.flat_map(|low| {
        let lows = BOUNDS.into_iter();
        lows.flat_map(move |high| {
            BOUNDS
                .into_iter()
                .map(move |split_point| [low, high, split_point])
        })
    })
}

/// Tests kernels whose bounds are parameters, and whose step is a parameter or a constant.
fn each_step(
    unsigned: bool,
    condition: &str,
    attributes: &str,
    mut check: impl FnMut(&str, &dyn Fn([i8; 3]) -> Vec<Vec<i8>>),
) {
    let source = kernel(PARAMS, "", unsigned, condition, attributes);
    check(&source, &|[low, high, split_point]| {
        let steps = steps(unsigned).iter();
        steps
            .map(|&step| vec![low, high, step, split_point])
            .collect()
    });
    for step in [1, 3, 18] {
        let params = PARAMS.replace(" %step: tile<i8>,", "");
        let constants = format!("%step = constant <i8: {step}> : tile<i8>");
        let source = kernel(&params, &constants, unsigned, condition, attributes);
        check(&source, &|bounds| vec![bounds.to_vec()]);
    }
}

#[test]
fn a_split_loop_computes_the_same_for_bounds_that_are_not_known() {
    for (unsigned, condition) in conditions() {
        each_step(unsigned, &condition, "", |source, args| {
            let (programs, rewrites) = both(source, "loop-split");
            assert_eq!(rewrites, 1, "{source}");
            for args in bounds().flat_map(args) {
                compare(&programs, &args, source);
            }
        });
    }
}

#[test]
fn a_split_loop_computes_the_same_for_constants() {
    for (number, (unsigned, condition)) in conditions().enumerate() {
        let steps = steps(unsigned);
        // Test every 17th case, each with the next step.
        for (index, [low, high, split_point]) in bounds().enumerate().skip(number).step_by(17) {
            let constants = constants(&[low, high, steps[index % steps.len()], split_point]);
            let source = kernel("", &constants, unsigned, &condition, "");
            let (programs, rewrites) = both(&source, "loop-split");
            assert_eq!(rewrites, 1, "{source}");
            compare(&programs, &[], &source);
        }
    }
}

#[test]
fn an_unrolled_loop_computes_the_same_for_bounds_that_are_not_known() {
    for unsigned in [false, true] {
        for factor in [2, 3, 4, 7] {
            let attribute = format!(" {{cuda_tile.unroll = {factor} : i32}}");
            each_step(unsigned, "less_than %i, %at", &attribute, |source, args| {
                let (programs, rewrites) = both(source, "unroll");
                assert_eq!(rewrites, 1, "{source}");
                for args in bounds().filter(|bounds| bounds[2] == 1).flat_map(args) {
                    compare(&programs, &args, source);
                }
            });
        }
    }
}

#[test]
fn an_unrolled_loop_computes_the_same_for_constants() {
    for unsigned in [false, true] {
        let steps = steps(unsigned);
        for (number, factor) in [0, 2, 3, 5, 100].into_iter().enumerate() {
            for (index, [low, high, split_point]) in bounds().enumerate().skip(number).step_by(7) {
                let constants = constants(&[low, high, steps[index % steps.len()], split_point]);
                let attribute = format!(" {{cuda_tile.unroll = {factor} : i32}}");
                let source = kernel("", &constants, unsigned, "less_than %i, %at", &attribute);
                let (programs, rewrites) = both(&source, "unroll");
                assert_eq!(rewrites, 1, "{source}");
                compare(&programs, &[], &source);
            }
        }
    }
}
