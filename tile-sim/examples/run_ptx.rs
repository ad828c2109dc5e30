//! Runs a kernel of a PTX file and prints its performance counters.
//!
//! ```text
//! cargo run -p tile-sim --example run_ptx -- FILE ENTRY [--grid N] [--block N] [ARG ...]
//! ```
//!
//! An argument `u32:5` or `f32:0.5` passes a number; `buffer:4096` passes the address of 4096 bytes
//! of zeros. Without a file, the example runs a built-in kernel.
#![expect(clippy::print_stdout, reason = "the example prints its result")]

use std::error::Error;

use tile_sim::{Arg, Launch, Memory, Module, Options};

/// Computes `y[i] = factor * i` for 1000 elements with 8 blocks of 128 threads.
const SCALED: &str = ".version 7.0
.target sm_80
.address_size 64
.visible .entry scaled(.param .u64 y, .param .f32 factor, .param .u32 count) {
  .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<6>; .reg .b64 %d<4>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  ld.param.u32 %r5, [count];
  setp.ge.u32 %p1, %r4, %r5;
  @%p1 ret;
  ld.param.f32 %f1, [factor];
  cvt.rn.f32.u32 %f2, %r4;
  mul.f32 %f3, %f1, %f2;
  ld.param.u64 %d1, [y];
  mul.wide.u32 %d2, %r4, 4;
  add.s64 %d3, %d1, %d2;
  st.global.f32 [%d3], %f3;
  ret;
}";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() {
        let arguments = [
            "--grid",
            "8",
            "--block",
            "128",
            "buffer:4000",
            "f32:0.5",
            "u32:1000",
        ];
        return run(SCALED, "scaled", &arguments);
    }
    let [file, entry, arguments @ ..] = words.as_slice() else {
        return Err("expected a file and the name of a kernel".into());
    };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ptx = std::fs::read_to_string(file)
        .map_err(|error| format!("`{file}` cannot be read: {error}"))?;
    run(&ptx, entry, &arguments)
}

fn run(ptx: &str, entry: &str, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let module = Module::parse(ptx)?;
    let mut memory = Memory::new();
    let (mut grid, mut block) = (1, 1);
    let mut args = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut number = || -> Result<u32, Box<dyn Error>> {
            let value = words.next().ok_or("an option lacks its value")?;
            Ok(value.parse()?)
        };
        match *word {
            "--grid" => grid = number()?,
            "--block" => block = number()?,
            _ => args.push(argument(word, &mut memory)?),
        }
    }
    let launch = Launch::new(entry)
        .grid([grid, 1, 1])
        .threads(block)
        .args(args);
    let counters = module.launch(&launch, &mut memory, &Options::default())?;
    print!("{}{counters}", memory.take_printed());
    Ok(())
}

/// Converts `TYPE:VALUE` to a kernel argument. Buffers are allocated in `memory`.
fn argument(word: &str, memory: &mut Memory) -> Result<Arg, Box<dyn Error>> {
    let (ty, value) = word
        .split_once(':')
        .ok_or("an argument has the form `TYPE:VALUE`")?;
    Ok(match ty {
        "u32" => value.parse::<u32>()?.into(),
        "u64" => value.parse::<u64>()?.into(),
        "f32" => value.parse::<f32>()?.into(),
        "buffer" => memory.alloc(value.parse()?, 256).into(),
        _ => {
            return Err(format!(
                "unknown argument type `{ty}`: use `u32`, `u64`, `f32` or `buffer`"
            )
            .into());
        }
    })
}
