//! Measures the cost of native code: the time that the compiler takes for each kernel, and the bytes in the program.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use super::programs::executable;
use crate::workspace;

/// The cost of a kernel with all of its instances.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Cost {
    pub(super) instances: usize,
    /// The milliseconds that the attribute takes in the build, without the cache.
    pub(super) milliseconds: f64,
    /// The bytes of machine code for each level of instructions.
    pub(super) bytes: BTreeMap<String, u64>,
}

/// The cost of all kernels.
pub(super) struct Costs {
    /// By name.
    pub(super) kernels: BTreeMap<String, Cost>,
    /// The bytes of the program, without debug information and symbols.
    pub(super) program: u64,
}

/// Builds the bench once more without the cache, and reads the sizes of its symbols.
pub(super) fn measure() -> Result<Costs> {
    let main = workspace::root().join("benches/cpu/main.rs");
    // Cargo builds what is newer than its result.
    File::options()
        .write(true)
        .open(main)?
        .set_modified(SystemTime::now())?;
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--release", "--bench", "cpu"]);
    cargo.arg("--message-format=json-render-diagnostics");
    let output = cargo
        .envs([("TILE_TIME", "1"), ("TILE_CACHE", "off")])
        .stdout(Stdio::piped())
        .output()?;
    let lines = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        bail!("the bench does not build:\n{lines}");
    }
    let program = executable(&output.stdout)?;
    let symbols = Command::new("nm").args(["-SC", &program]).output();
    let symbols = symbols.context("run `nm` of binutils")?;
    let mut kernels = BTreeMap::new();
    add_times(&lines, &mut kernels);
    add_bytes(&String::from_utf8_lossy(&symbols.stdout), &mut kernels);
    let stripped = workspace::root().join("target/bench-cpu/stripped");
    let mut strip = Command::new("strip");
    let status = strip.arg("-o").arg(&stripped).arg(&program).status();
    if !status.context("run `strip` of binutils")?.success() {
        bail!("`strip` failed");
    }
    let program = fs::metadata(&stripped)?.len();
    fs::remove_file(stripped)?;
    Ok(Costs { kernels, program })
}

/// Adds what `TILE_TIME=1` prints: a line for each kernel, `NAME: .. expansion N ms`, and one for each instance and level.
fn add_times(lines: &str, kernels: &mut BTreeMap<String, Cost>) {
    for line in lines.lines() {
        let Some((subject, rest)) = line
            .strip_prefix("tile-kernel: ")
            .and_then(|line| line.split_once(": "))
        else {
            continue;
        };
        if let Some((_, time)) = rest.split_once("expansion ")
            && let Some(milliseconds) = time.split(' ').next().and_then(|time| time.parse().ok())
        {
            let cost: &mut Cost = kernels.entry(subject.to_owned()).or_default();
            cost.milliseconds = milliseconds;
        }
        if let Some((instance, "baseline")) = subject.rsplit_once(" native ") {
            let name = instance.split('<').next().unwrap_or(instance);
            kernels.entry(name.to_owned()).or_default().instances += 1;
        }
    }
}

/// Adds the sizes that `nm -SC` prints: `ADDRESS SIZE t PATH`, in hexadecimal digits.
fn add_bytes(symbols: &str, kernels: &mut BTreeMap<String, Cost>) {
    for line in symbols.lines() {
        let mut words = line.splitn(4, ' ').skip(1);
        let size = words
            .next()
            .and_then(|size| u64::from_str_radix(size, 16).ok());
        let (Some(size), Some(path)) = (size, words.nth(1)) else {
            continue;
        };
        let Some((level, name)) = path
            .split_once("::NATIVE::native_")
            .and_then(|(kernel, level)| Some((level, kernel_of(kernel)?)))
        else {
            continue;
        };
        if let Some(cost) = kernels.get_mut(&name) {
            *cost.bytes.entry(level.to_owned()).or_default() += size;
        }
    }
}

/// Returns the name of the kernel in a path: `add` in `cpu::group::__add::instance`, and `top_k` in one with the trait
/// `cpu::group::TopKInstance<4_usize>`.
fn kernel_of(path: &str) -> Option<String> {
    if let Some(end) = path.strip_suffix("::instance") {
        return end.rsplit_once("::__").map(|(_, name)| name.to_owned());
    }
    let (start, _) = path.split_once("Instance<")?;
    let (_, title) = start.rsplit_once("::")?;
    let mut name = String::new();
    for letter in title.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_those_of_kernels() {
        let mut kernels = BTreeMap::new();
        add_times(
            "tile-kernel: add: parse 0.8 ms, total 4.9 ms; expansion 84.1 ms\n\
             tile-kernel: add native baseline: loops 3.6 ms; 15168 bytes of assembly, 0 bytes of scratch\n\
             tile-kernel: top_k: parse 0.8 ms; expansion 100.0 ms\n\
             tile-kernel: top_k<4> native baseline: loops 3.6 ms; 15168 bytes of assembly\n\
             tile-kernel: top_k<8> native baseline: loops 3.6 ms; 15168 bytes of assembly\n\
             tile-kernel: top_k<8> native avx2: loops 3.6 ms; 15168 bytes of assembly\n\
             warning: unused\n",
            &mut kernels,
        );
        add_bytes(
            "0000 0010 t cpu::elementwise::__add::instance::NATIVE::native_avx2\n\
             0000 0100 t cpu::scans::_::<impl cpu::scans::TopKInstance<4_usize> for K>::__instance::NATIVE::native_avx2\n\
             0000 0001 t cpu::scans::_::<impl cpu::scans::TopKInstance<8_usize> for K>::__instance::NATIVE::native_avx2\n\
             0000 0001 t cpu::main\n",
            &mut kernels,
        );
        let cost = |instances, milliseconds, bytes| Cost {
            instances,
            milliseconds,
            bytes: BTreeMap::from([("avx2".to_owned(), bytes)]),
        };
        let expected = [("add", cost(1, 84.1, 16)), ("top_k", cost(2, 100.0, 257))];
        let expected = expected.map(|(name, cost)| (name.to_owned(), cost));
        assert_eq!(kernels, BTreeMap::from(expected));
    }
}
