//! Tests that stages that do not support structured loops report an error with a remedy.

use crate::generate::generate;
use crate::parsed;
use tile_core::bytecode::{Version, write};
use tile_core::diag::{Code, Severity};
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::interp::{Program, RunOptions};
use tile_core::testing::{Survival, mutate, survive};
use tile_core::verify::{minimum_version, verify};
use tile_core::{Diagnostic, Diagnostics};

const LOOP: &str = "cuda_tile.module @m {
  entry @k() {
    %one = constant <i32: 1> : tile<i32>
    loop.for %i = %one to %one step %one : tile<i32> {
    }
    return
  }
}
";

#[test]
fn bytecode_of_no_version_holds_loops() {
    let module = parsed(LOOP);
    for version in Version::ALL {
        let error = write(&module, version).expect_err("it has a loop");
        assert_eq!(
            error.message,
            "bytecode cannot hold `loop.for`: flatten the loops first, as `tilec opt --passes=flatten-loops` does"
        );
        assert_eq!(error.loc.line(), 4);
    }
    assert_eq!(minimum_version(&module).version, Version::V13_1);
}

#[test]
fn the_interpreter_names_the_loop() {
    let program = Program::new(&parsed(LOOP));
    // SAFETY: there are no buffers.
    let result = unsafe { program.run_with("k", [1; 3], &[], RunOptions::default()) };
    let error = result.expect_err("it has a loop").to_string();
    assert!(error.contains("`loop.for`"), "{error}");
}

/// A randomly mutated module that is still valid survives a round trip through text. It is then
/// flattened or refused with a remedy, and the flattened module verifies.
#[test]
fn mutated_modules_of_loops_break_no_stage() {
    let mut valid = 0;
    for seed in 0..150 {
        let module = parsed(&generate(seed).text).into_inner();
        for change in 0..6 {
            let mut mutant = module.clone();
            if change > 0 {
                mutate(&mut mutant, 6 * seed + change);
            }
            let survival = survive(&mutant);
            if survival.unwrap_or_else(|error| panic!("{seed} {change}: {error}"))
                != Survival::Valid
            {
                assert!(change > 0, "{seed}");
                continue;
            }
            valid += 1;
            let mut diagnostics = Diagnostics::new();
            let verified = verify(mutant, &mut diagnostics).expect("it is valid");
            let result = flatten(verified, &FlattenOptions::default(), &mut diagnostics);
            let reported = diagnostics.take();
            let is_error = |one: &Diagnostic| one.severity == Severity::Error;
            assert_eq!(result.is_err(), reported.iter().any(is_error));
            for reported in reported {
                assert_eq!(
                    reported.code,
                    Code::Flatten,
                    "{seed} {change}: {reported:?}"
                );
                assert!(reported.help.is_some(), "{reported:?}");
            }
        }
    }
    // About 150 of these modules are not mutated.
    assert!(valid > 300, "only {valid} are valid");
}
