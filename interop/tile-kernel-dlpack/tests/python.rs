//! Runs `examples/shared.py`, which exchanges tensors with NumPy, and with PyTorch where it is installed.

use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let numpy = Command::new("python3")
        .args(["-c", "import numpy"])
        .output();
    let is_missing = !numpy.is_ok_and(|output| output.status.success());
    let name = match is_missing {
        true => "numpy_takes_and_gives_tensors (`python3` has no NumPy)",
        false => "numpy_takes_and_gives_tensors",
    };
    let trial = Trial::test(name, exchange).with_ignored_flag(is_missing);
    libtest_mimic::run(&arguments, vec![trial]).exit();
}

fn exchange() -> Result<(), Failed> {
    let program = std::env::current_exe()?;
    let target = program
        .ancestors()
        .nth(2)
        .ok_or("the test is in a folder of `target`")?;
    let library = target.join("examples").join("libshared.so");
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join("shared.py");
    let output = Command::new("python3").arg(script).arg(&library).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if !output.status.success() {
        return Err(format!("{}{}", text(&output.stdout), text(&output.stderr)).into());
    }
    let stdout = text(&output.stdout);
    if !stdout.contains("numpy: 7 exchanges") {
        return Err(stdout.into());
    }
    // What is refused is printed by the library.
    let refused = text(&output.stderr);
    for reason in [
        "borrowed to be read",
        "the elements are DLDataType",
        "a tensor of 2 axes was asked for, and there are 1",
        "axis 0 has stride -30",
    ] {
        if !refused.contains(reason) {
            return Err(format!("`{reason}` is not in {refused}").into());
        }
    }
    Ok(())
}
