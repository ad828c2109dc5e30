//! Times kernels on the CPU device, on request: one half of `cargo xtask bench cpu`.
//!
//! With `--serve`, the program answers each line of standard input with one line on standard
//! output. The other half is `xtask/src/bench/cpu/*.py`, which answer the same lines and compute
//! the same results from the same inputs with `PyTorch` and `NumPy`.
//!
//! | line | answer |
//! |---|---|
//! | `version` | the name and the version |
//! | `kernels` | the names of all kernels |
//! | `time KERNEL SIZES SECONDS` | the duration of every run within this time, in seconds; at least three runs |
//! | `result KERNEL SIZES PATH` | `ok`; the results are in the file: for each output the number of its elements as a `u64` and the elements as `f64`, all little-endian |
//! | `forget` | `ok`; inputs and outputs are freed |
//! | `limits` | the operations of a run of `multiply_add` |
//!
//! Sizes are numbers with `x` between them, `-` if there are none. With `--by-hand`, the kernels are loops in plain Rust, and
//! what the machine can do. Without `--serve`, the program runs each kernel three times, for a tiny size.

#![expect(clippy::print_stdout, reason = "the answers")]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::many_single_char_names,
    reason = "the numbers are small, and have the names of textbooks"
)]

mod attention;
mod case;
mod elementwise;
mod grids;
#[expect(dead_code, reason = "`xtask` reads more of it")]
mod kernels;
mod limits;
mod loops;
mod products;
mod rows;
mod scans;
mod threads;
mod transforms;

use std::fmt::Write as _;
use std::io::{BufRead as _, Write as _};

use case::Case;
use kernels::{KERNELS, sizes};

/// The program that writes the kernels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Author {
    Compiler,
    Hand,
}

/// The cases that were requested since the last `forget`.
struct Cases {
    author: Author,
    made: Vec<(String, Case)>,
}

type Answer<T> = Result<T, String>;

impl Cases {
    fn make(&self, kernel: &str, sizes: &str) -> Answer<Case> {
        let numbers = sizes.split('x').filter(|size| *size != "-");
        let numbers: Result<Vec<usize>, _> = numbers.map(str::parse).collect();
        let numbers = numbers.map_err(|_| format!("`{sizes}` are no sizes"))?;
        let unknown = || format!("no kernel is called `{kernel}` and has sizes {sizes}");
        if self.author == Author::Hand {
            let case = loops::case_by_hand(kernel, &numbers);
            return case
                .or_else(|| limits::case(kernel, &numbers))
                .ok_or_else(unknown);
        }
        let groups = [
            elementwise::case,
            rows::case,
            scans::case,
            grids::case,
            products::case,
            attention::case,
            transforms::case,
            loops::case,
        ];
        for group in groups {
            if let Some(case) = group(kernel, &numbers).map_err(|error| error.to_string())? {
                return Ok(case);
            }
        }
        Err(unknown())
    }

    fn case(&mut self, kernel: &str, sizes: &str) -> Answer<&mut Case> {
        let name = format!("{kernel} {sizes}");
        let position = self.made.iter().position(|(case, _)| *case == name);
        let index = if let Some(index) = position {
            index
        } else {
            self.made.push((name, self.make(kernel, sizes)?));
            self.made.len() - 1
        };
        Ok(&mut self.made[index].1)
    }

    fn answer(&mut self, line: &str) -> Answer<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["version"] => Ok(format!("tile-kernel {}", env!("CARGO_PKG_VERSION"))),
            ["kernels"] if self.author == Author::Compiler => {
                Ok(KERNELS.map(|kernel| kernel.name).join(" "))
            }
            ["kernels"] => Ok([loops::BY_HAND, limits::LIMITS].concat().join(" ")),
            ["limits"] => Ok(limits::operations().to_string()),
            ["forget"] => {
                self.made.clear();
                Ok("ok".to_owned())
            }
            ["time", kernel, sizes, seconds] => {
                let seconds = seconds.parse().map_err(|_| "no number".to_owned())?;
                let runs = self.case(kernel, sizes)?.time(seconds);
                let mut answer = String::new();
                for run in runs.map_err(|error| error.to_string())? {
                    let _ = write!(answer, "{run:.9} ");
                }
                Ok(answer.trim_end().to_owned())
            }
            ["result", kernel, sizes, path] => {
                let case = self.case(kernel, sizes)?;
                case.run().map_err(|error| error.to_string())?;
                let outputs = case.outputs().map_err(|error| error.to_string())?;
                let file = std::fs::File::create(path).map_err(|error| error.to_string())?;
                let mut file = std::io::BufWriter::new(file);
                for output in outputs {
                    let mut bytes = (output.len() as u64).to_le_bytes().to_vec();
                    bytes.extend(output.into_iter().flat_map(f64::to_le_bytes));
                    file.write_all(&bytes).map_err(|error| error.to_string())?;
                }
                file.flush().map_err(|error| error.to_string())?;
                Ok("ok".to_owned())
            }
            _ => Err(format!("`{line}` is no command")),
        }
    }
}

fn main() -> Answer<()> {
    let has = |option: &str| std::env::args().any(|argument| argument == option);
    let author = if has("--by-hand") {
        Author::Hand
    } else {
        Author::Compiler
    };
    let mut cases = Cases {
        author,
        made: Vec::new(),
    };
    if !has("--serve") {
        for kernel in KERNELS {
            if author == Author::Compiler || loops::BY_HAND.contains(&kernel.name) {
                let question = format!("time {} {} 0", kernel.name, sizes(kernel.tiny));
                println!("{question}: {}", cases.answer(&question)?);
            }
        }
        return Ok(());
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let answer = cases.answer(&line);
        println!("{}", answer.unwrap_or_else(|why| format!("error: {why}")));
    }
    Ok(())
}
