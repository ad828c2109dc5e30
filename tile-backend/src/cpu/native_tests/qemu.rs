//! Runs native code for `AArch64` on another machine: a static program, which QEMU runs in user mode.
//!
//! `TILE_NATIVE_QEMU=1 cargo test -p tile-backend --lib native_tests` needs the Debian packages `qemu-user`,
//! `gcc-aarch64-linux-gnu` and `libc6-dev-arm64-cross`.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use tile_core::testing::{Argument, Runnable};

use super::Ran;

/// Reads a launch from standard input, runs it, and writes what it returned and the buffers.
const PROGRAM: &str = include_str!("qemu.c");

const COMPILER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";

/// Runs a file of assembly with the function [`super::library::SYMBOL`].
pub(super) fn run(assembly: &str, scratch_bytes: usize, runnable: &Runnable) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [code, main, program] =
        ["code.s", "main.c", "program"].map(|name| folder.path().join(name));
    std::fs::write(&code, assembly).expect("a writable folder");
    std::fs::write(&main, PROGRAM).expect("a writable folder");
    let compiled = Command::new(COMPILER)
        .args(["-static", "-o"])
        .args([&program, &main, &code])
        .output()
        .unwrap_or_else(|error| panic!("`{COMPILER}` does not start: {error}"));
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}\n{assembly}");

    let mut input: Vec<u8> = Vec::new();
    let mut put = |number: u64| input.extend(number.to_le_bytes());
    put(scratch_bytes as u64);
    runnable.grid.iter().for_each(|&extent| put(extent.into()));
    put(runnable.args.len() as u64);
    for arg in &runnable.args {
        match arg {
            Argument::Number(bits) => [0, *bits].map(&mut put),
            Argument::Buffer(bytes) => [1, bytes.len() as u64].map(&mut put),
        };
    }
    let mut lengths = Vec::new();
    for arg in &runnable.args {
        if let Argument::Buffer(bytes) = arg {
            input.extend(bytes);
            lengths.push(bytes.len());
        }
    }

    let start = Instant::now();
    let mut child = Command::new(EMULATOR)
        .arg(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("`{EMULATOR}` does not start: {error}"));
    // The program reads all of it before it writes.
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin
        .write_all(&input)
        .expect("the program reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success(), "{}\n{assembly}", output.status);
    let (stopped, mut rest) = output.stdout.split_at(8);
    let buffers = lengths.iter().map(|&length| {
        let (bytes, after) = rest.split_at(length);
        rest = after;
        bytes.to_vec()
    });
    Ran {
        stopped: u64::from_le_bytes(stopped.try_into().expect("8 bytes")),
        buffers: buffers.collect(),
        seconds: start.elapsed().as_secs_f64(),
    }
}
