//! Runs programs compiled by rustc.
//!
//! For samples and their arguments, returns what each program leaves in `out` and `trace_out`, as
//! bits. All programs are in one file that is compiled once; a stand-in for tensors lets it contain
//! the same text as the kernel.

use super::generate::Sample;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The outcome of a program or a kernel: the bits of the result and of the trace.
pub(super) type Outcome = [u64; 2];

const PRELUDE: &str = "
#![allow(warnings, arithmetic_overflow, unconditional_panic)]
struct Tensor<T, const R: usize>([T; 1]);
impl<T: Copy> Tensor<T, 1> {
    fn store(&mut self, _: [i32; 1], tile: [T; 1]) { self.0 = tile; }
}
fn full<T>(_: [usize; 1], value: T) -> [T; 1] { [value] }
trait Bits: Default { fn from(bits: u64) -> Self; fn bits(self) -> u64; }
macro_rules! bits { ($($t:ty)*) => { $(impl Bits for $t {
    fn from(bits: u64) -> Self { bits as $t }
    fn bits(self) -> u64 { (self as i128 as u64) & (u64::MAX >> (64 - 8 * std::mem::size_of::<$t>())) }
})* } }
bits!(i8 i16 i32 i64 u8 u16 u32 u64 usize);
impl Bits for bool { fn from(bits: u64) -> Self { bits != 0 } fn bits(self) -> u64 { self as u64 } }
impl Bits for f32 { fn from(bits: u64) -> Self { f32::from_bits(bits as u32) } fn bits(self) -> u64 { self.to_bits() as u64 } }
impl Bits for f64 { fn from(bits: u64) -> Self { f64::from_bits(bits) } fn bits(self) -> u64 { self.to_bits() } }
";

/// A running compiler.
pub(super) struct Compilation {
    child: Child,
    source: PathBuf,
    program: PathBuf,
    /// The folder of the source and the program, which is deleted when the value is dropped.
    folder: TempDir,
}

/// Starts the compiler.
pub(super) fn compile(samples: &[Sample], name: &str) -> Compilation {
    let mut source = PRELUDE.to_owned();
    let mut table = String::new();
    for (index, sample) in samples.iter().enumerate() {
        let _ = write!(source, "fn k{index}{}", sample.text);
        let mut args = String::new();
        for (position, (_, scalar)) in sample.params.iter().enumerate() {
            let _ = write!(args, "<{} as Bits>::from(i[{position}]), ", scalar.name());
        }
        let _ = writeln!(
            source,
            "fn w{index}(i: &[u64]) -> [u64; 2] {{ let mut out = Tensor([Default::default()]); let mut trace = Tensor([0]); k{index}({args}&mut out, &mut trace); [Bits::bits(out.0[0]), trace.0[0]] }}"
        );
        let _ = write!(table, "(w{index}, {}), ", sample.params.len());
    }
    let _ = write!(
        source,
        "fn main() {{
            use std::io::{{Read, Write}};
            let table: &[(fn(&[u64]) -> [u64; 2], usize)] = &[{table}];
            let (mut bytes, mut out) = (Vec::new(), Vec::new());
            std::io::stdin().read_to_end(&mut bytes).unwrap();
            let words: Vec<u64> = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
            let mut words = &words[..];
            for (program, params) in table {{
                let rows = words[0];
                words = &words[1..];
                for _ in 0..rows {{
                    for word in program(&words[..*params]) {{ out.extend(word.to_le_bytes()); }}
                    words = &words[*params..];
                }}
            }}
            std::io::stdout().write_all(&out).unwrap();
        }}"
    );
    let folder = tempfile::Builder::new()
        .prefix("tile-kernel-differential-")
        .tempdir()
        .expect("the folder for temporary files can be written");
    let path = folder.path().join(format!("{name}.rs"));
    let program = folder.path().join(name);
    fs::write(&path, source).expect("the folder for temporary files can be written");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    // The options are those of a release build: sums wrap, and shifts take their amount modulo the
    // width.
    let child = Command::new(rustc)
        .args([
            "--edition",
            "2024",
            "-C",
            "opt-level=0",
            "-C",
            "overflow-checks=off",
            "-C",
            "debug-assertions=off",
        ])
        .args(["-C", "debuginfo=0", "--cap-lints", "allow"])
        .arg(&path)
        .arg("-o")
        .arg(&program)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("rustc starts: it is in the path, or named by `RUSTC`");
    Compilation {
        child,
        source: path,
        program,
        folder,
    }
}

impl Compilation {
    /// Waits for the compiler and runs the programs, one list of arguments per row.
    pub(super) fn run(self, samples: &[Sample], inputs: &[Vec<Vec<u64>>]) -> Vec<Vec<Outcome>> {
        let Compilation {
            child,
            source,
            program,
            folder,
        } = self;
        let output = child.wait_with_output().expect("rustc ends");
        assert!(
            output.status.success(),
            "{} does not compile:\n{}",
            source.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        let words = inputs.iter().flat_map(|rows| {
            std::iter::once(rows.len() as u64).chain(rows.iter().flatten().copied())
        });
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        let input = program.with_extension("in");
        fs::write(&input, bytes).expect("the folder for temporary files can be written");
        let output = Command::new(&program)
            .stdin(fs::File::open(&input).expect("it was just written"))
            .output()
            .expect("what rustc made can be run");
        assert!(
            output.status.success(),
            "{} fails:\n{}",
            source.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        let words: Vec<u64> = output
            .stdout
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
            .collect();
        let mut outcomes = words.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
        let results: Vec<Vec<Outcome>> = samples
            .iter()
            .zip(inputs)
            .map(|(_, rows)| outcomes.by_ref().take(rows.len()).collect())
            .collect();
        drop(folder);
        results
    }
}
