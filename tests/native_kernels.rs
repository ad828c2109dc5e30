//! Native code that the compiler generates, in programs: kernels of several crates, all variables, faults, and threads.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod library;

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use tile_kernel::prelude::*;
use tile_kernel::{Cancel, Error, Result};

#[tile_kernel(grid = y.tiles([64]), arch("cpu"))]
fn smooth(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, steps: i32) {
    let i = block_id(0);
    let mut t = x.load([i], [64]);
    for _ in 0..steps {
        t = t * 0.5 + t.exp() * 0.25;
    }
    y.store([i], t - t.sum(0) / 64.0);
}

#[tile_kernel(grid = x.tiles([4]), arch("cpu"))]
fn checked(x: &mut Tensor<i32, 1>) {
    let i = block_id(0);
    let t = x.load([i], [4]);
    assert!(t < 100, "too large");
    x.store([i], t + 1);
}

#[tile_kernel(grid = x.tiles([4]), arch("cpu"), cpu = "interpreted")]
fn interpreted(x: &mut Tensor<i32, 1>) {
    x.store([block_id(0)], full([4], 7));
}

#[tile_kernel(grid = x.tiles([4]), arch("sm_80"), cpu = "none")]
fn for_gpus(x: &mut Tensor<i32, 1>) {
    x.store([block_id(0)], full([4], 7));
}

#[test]
fn a_kernel_for_gpus_alone_is_refused() -> Result<()> {
    let mut x = Tensor::zeros(&Device::cpu(), [8])?;
    let error = for_gpus(&mut x).launch();
    assert_eq!(error, Err(Error::NoCpuCode { kernel: "for_gpus" }));
    Ok(())
}

/// Runs an ignored test of this file with variables. Returns its output.
fn run_with(test: &str, variables: &[(&str, &str)]) -> String {
    let program = std::env::current_exe().expect("a test has a program");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--include-ignored", "--nocapture"]);
    for name in ["TILE_CPU", "TILE_THREADS", "TILE_CHECK", "TILE_SEED"] {
        command.env_remove(name);
    }
    let output = command
        .envs(variables.iter().copied())
        .output()
        .expect("it runs once already");
    let text = text(&output);
    assert!(output.status.success(), "{variables:?} {text}");
    text
}

fn text(output: &Output) -> String {
    let parts = [&output.stdout, &output.stderr].map(|part| String::from_utf8_lossy(part));
    parts.concat()
}

/// Returns the rest of the line after a mark.
fn line<'a>(text: &'a str, mark: &str) -> &'a str {
    let (_, rest) = text
        .split_once(mark)
        .unwrap_or_else(|| panic!("no `{mark}` in {text}"));
    rest.lines().next().unwrap_or_default()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let bits = |threads: &str| {
        let variables = [("TILE_CPU", "native"), ("TILE_THREADS", threads)];
        line(&run_with("prints_bits", &variables), "bits: ").to_owned()
    };
    let one = bits("1");
    assert_eq!(one.len(), 16);
    for threads in ["2", "3", "4", "5", "6", "7", "8"] {
        assert_eq!(bits(threads), one, "{threads} threads");
    }
}

#[test]
#[ignore = "another test runs it, with variables"]
#[expect(clippy::print_stdout, reason = "the other test reads it")]
fn prints_bits() -> Result<()> {
    let numbers = (0..977_u16).map(|number| f32::from(number) / 977.0);
    let elements: Vec<f32> = numbers.cycle().take(100_000).collect();
    let x = Tensor::from_slice(&Device::cpu(), &elements, [elements.len()])?;
    let mut y = Tensor::zeros(&Device::cpu(), [elements.len()])?;
    smooth(&x, &mut y, 20).launch()?;
    let hash = y
        .to_vec()?
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, element| {
            (hash ^ u64::from(element.to_bits())).wrapping_mul(0x100_0000_01b3)
        });
    println!("bits: {hash:016x}");
    Ok(())
}

#[test]
fn a_fault_of_native_code_is_that_of_the_interpreter() {
    let fault = |variables: &[(&str, &str)]| {
        line(&run_with("prints_the_first_fault", variables), "fault: ").to_owned()
    };
    let expected = fault(&[("TILE_CPU", "interpreted")]);
    assert!(
        expected.contains("[20, 0, 0]") && expected.contains("too large"),
        "{expected}"
    );
    assert!(expected.contains("tests/native_kernels.rs:"), "{expected}");
    for threads in ["1", "2", "8"] {
        let variables = [("TILE_CPU", "native"), ("TILE_THREADS", threads)];
        assert_eq!(fault(&variables), expected, "{threads} threads");
    }
}

#[test]
#[ignore = "another test runs it, with variables"]
#[expect(clippy::print_stdout, reason = "the other test reads it")]
fn prints_the_first_fault() -> Result<()> {
    let mut elements = vec![1; 4000];
    for index in [3000, 81, 200, 90] {
        elements[index] = 100;
    }
    let mut x = Tensor::from_slice(&Device::cpu(), &elements, [elements.len()])?;
    let error = checked(&mut x).launch().expect_err("an assertion fails");
    println!("fault: {error}");
    assert_eq!(x.to_vec()?[..80], [2; 80]);
    Ok(())
}

#[test]
fn only_interpreted_kernels_are_refused_if_native_code_is_demanded() {
    run_with("native_code_is_demanded", &[("TILE_CPU", "native")]);
}

#[test]
#[ignore = "another test runs it, with a variable"]
fn native_code_is_demanded() -> Result<()> {
    let mut x = Tensor::zeros(&Device::cpu(), [8])?;
    checked(&mut x).launch()?;
    assert_eq!(x.to_vec()?, [1; 8]);
    let error = interpreted(&mut x)
        .launch()
        .expect_err("it has no native code");
    assert!(
        error
            .to_string()
            .contains("its attribute has the option `cpu = \"interpreted\"`"),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_cancelled_launch_stops_at_the_next_block() -> Result<()> {
    let elements = 64 * 100_000;
    let x = Tensor::zeros(&Device::cpu(), [elements])?;
    let mut y = Tensor::zeros(&Device::cpu(), [elements])?;
    let cancel = Cancel::new();
    let stopped = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            cancel.cancel();
        });
        smooth(&x, &mut y, 1000).cancelled_by(&cancel).launch()
    });
    assert_eq!(stopped, Err(Error::Cancelled { kernel: "smooth" }));
    Ok(())
}

/// A kernel whose only block ends after half an eternity, in one of two kinds of loops.
#[tile_kernel(grid = [1], arch("cpu"))]
fn waits(x: &mut Tensor<i64, 1>, is_counted: bool) {
    let mut passed = 0i64;
    if is_counted {
        for step in 0..i64::MAX {
            passed = (passed ^ step) * 3;
        }
    } else {
        loop {
            passed = (passed + 1) * 3;
            if passed == 1 {
                break;
            }
        }
    }
    x.store([0], full([1], passed));
}

#[test]
fn a_cancelled_launch_stops_at_the_next_iteration() -> Result<()> {
    for is_counted in [false, true] {
        let mut x = Tensor::zeros(&Device::cpu(), [1])?;
        let cancel = Cancel::new();
        let stopped = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                cancel.cancel();
            });
            waits(&mut x, is_counted).cancelled_by(&cancel).launch()
        });
        assert_eq!(stopped, Err(Error::Cancelled { kernel: "waits" }));
        assert_eq!(x.to_vec()?, [0]);
    }
    Ok(())
}

/// A kernel with a jump, a constant of a vector, and a loop: labels, and sections of constants.
const KERNEL: &str = r#"
use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]), arch("cpu"))]
pub fn step(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, steps: i32) {
    let i = block_id(0);
    let mut t = x.load([i], [64]);
    for s in 0..steps {
        if s % 2 == 0 { t = t * 1.5; } else { t = t + 0.25; }
    }
    y.store([i], t);
}

pub fn stepped(steps: i32) -> Vec<f32> {
    let x = Tensor::full(&Device::cpu(), [100], 2.0).unwrap();
    let mut y = Tensor::zeros(&Device::cpu(), [100]).unwrap();
    step(&x, &mut y, steps).launch().unwrap();
    y.to_vec().unwrap()
}
"#;

const MAIN: &str = r"
#![forbid(unsafe_code)]
mod own { KERNEL }
mod again { KERNEL }

fn main() {
    let all = [own::stepped(3), again::stepped(3), first::stepped(3), second::stepped(3)];
    for one in all {
        assert_eq!(one, [4.875_f32; 100]);
    }
}
";

/// Compiles a file as a crate.
fn rustc(folder: &Path, name: &str, source: &str, arguments: &[&str]) {
    let file = format!("{name}.rs");
    std::fs::write(folder.join(&file), source).expect("a file");
    let output = Command::new("rustc")
        .args([
            "--edition=2024",
            "-Dwarnings",
            "-L.",
            &file,
            "--crate-name",
            name,
        ])
        .args(arguments)
        .args(library::arguments())
        .current_dir(folder)
        .env("CARGO_CRATE_NAME", name)
        .output()
        .expect("rustc starts");
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
fn one_kernel_in_several_crates_and_modules_is_one_program() {
    for profile in [
        &["-Copt-level=0"][..],
        &["-Copt-level=3", "-Ccodegen-units=1"],
        &["-Copt-level=3", "-Ccodegen-units=16", "-Cpanic=abort"],
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["first", "second"] {
            rustc(
                folder.path(),
                name,
                KERNEL,
                &[&["--crate-type=lib"], profile].concat(),
            );
        }
        let main = MAIN.replace("KERNEL", KERNEL);
        let externs = [
            "--extern=first=libfirst.rlib",
            "--extern=second=libsecond.rlib",
        ];
        rustc(
            folder.path(),
            "program",
            &main,
            &[&externs, profile].concat(),
        );
        for variables in [
            &[][..],
            &[("TILE_CPU", "native")],
            &[("TILE_CPU", "interpreted")],
        ] {
            let output = Command::new(folder.path().join("program"))
                .envs(variables.iter().copied())
                .output()
                .expect("the program starts");
            assert!(
                output.status.success(),
                "{profile:?} {variables:?} {}",
                text(&output)
            );
        }
    }
}
