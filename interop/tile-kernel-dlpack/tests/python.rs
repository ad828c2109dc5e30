//! Runs `examples/shared.py`, which exchanges tensors with NumPy or PyTorch.

use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let trials = [
        ("numpy", "NumPy: `cargo xtask setup` installs it", 7),
        (
            "torch",
            "PyTorch: `cargo xtask interop --pytorch` installs it",
            9,
        ),
    ];
    let trials = trials.map(|(module, cure, exchanges)| {
        let is_missing = !imports(module);
        let name = match is_missing {
            true => format!("{module}_takes_and_gives_tensors (`python3` has no {cure})"),
            false => format!("{module}_takes_and_gives_tensors"),
        };
        Trial::test(name, move || exchange(module, exchanges)).with_ignored_flag(is_missing)
    });
    libtest_mimic::run(&arguments, trials.into()).exit();
}

fn imports(module: &str) -> bool {
    let output = Command::new("python3")
        .args(["-c", &format!("import {module}")])
        .output();
    output.is_ok_and(|output| output.status.success())
}

fn exchange(module: &str, exchanges: u32) -> Result<(), Failed> {
    let program = std::env::current_exe()?;
    let target = program
        .ancestors()
        .nth(2)
        .ok_or("the test is in a folder of `target`")?;
    let library = target.join("examples").join("libshared.so");
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join("shared.py");
    let output = Command::new("python3")
        .args([&script, &library])
        .arg(module)
        .output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if !output.status.success() {
        return Err(format!("{}{}", text(&output.stdout), text(&output.stderr)).into());
    }
    let stdout = text(&output.stdout);
    if !stdout.contains(&format!("{module}: {exchanges} exchanges")) {
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
        // PyTorch has neither read-only tensors nor negative strides.
        let is_possible = module == "numpy"
            || !["borrowed", "axis 0"]
                .iter()
                .any(|no| reason.starts_with(no));
        if is_possible && !refused.contains(reason) {
            return Err(format!("`{reason}` is not in {refused}").into());
        }
    }
    Ok(())
}
