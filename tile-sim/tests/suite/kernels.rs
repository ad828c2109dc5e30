//! Tests a kernel of the example `digits` that this project's compiler generated for `sm_80`: `x`
//! transposed times `dy`.

use tile_sim::{Arg, Checks, Counters, Fault, Launch, Memory, Module, Options};

use crate::support::f32_of;

const TEXT: &str = include_str!("ptx/weight_gradient.ptx");
/// The rows and columns of the result, and the rows of both operands; no tile size divides them.
const M: usize = 70;
const N: usize = 21;
const K: usize = 100;

fn operand(row: usize, column: usize, salt: usize) -> f32 {
    ((row * 7 + column * 13 + salt) % 17) as f32 - 8.0
}

struct Matrix {
    address: u64,
    rows: usize,
    columns: usize,
    stride: usize,
}

impl Matrix {
    /// Allocates a matrix whose rows begin at multiples of 16 bytes, with arbitrary values in the
    /// padding.
    fn new(memory: &mut Memory, rows: usize, columns: usize, salt: usize) -> Self {
        let stride = columns.next_multiple_of(4);
        let bytes: Vec<u8> = (0..rows * stride)
            .map(|index| (index / stride, index % stride))
            .map(|(row, column)| {
                if column < columns {
                    operand(row, column, salt)
                } else {
                    f32::NAN
                }
            })
            .flat_map(f32::to_le_bytes)
            .collect();
        let address = memory.alloc_with(&bytes, 16);
        Self {
            address,
            rows,
            columns,
            stride,
        }
    }

    fn args(&self) -> [Arg; 5] {
        let &Self {
            address,
            rows,
            columns,
            stride,
        } = self;
        let word = |value: usize| Arg::from(u32::try_from(value).unwrap());
        [
            Arg::from(address),
            word(rows),
            word(columns),
            word(stride),
            word(1),
        ]
    }
}

/// Runs the kernel and returns the rows of the result with their padding.
fn run(text: &str, options: &Options) -> Result<(Vec<f32>, Counters), Fault> {
    let module = Module::parse(text).unwrap();
    let mut memory = Memory::new();
    let x = Matrix::new(&mut memory, K, M, 1);
    let dy = Matrix::new(&mut memory, K, N, 2);
    let dw = Matrix::new(&mut memory, M, N, 3);
    let launch = Launch::new("weight_gradient__fast")
        .grid([3, 2, 1])
        .threads(128)
        .dynamic_shared_bytes(4096)
        .args([&x, &dy, &dw].into_iter().flat_map(Matrix::args));
    let counters = crate::support::launch(&module, &launch, &mut memory, options)?;
    let bytes = memory.bytes(dw.address).unwrap();
    let words = bytes
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    Ok((words.map(|word| f32_of(word.into())).collect(), counters))
}

#[test]
fn a_ragged_product_is_right_under_every_seed() {
    for seed in 0..8 {
        let options = Options {
            seed,
            ..Options::default()
        };
        let (actual, counters) = run(TEXT, &options).unwrap();
        for (index, &value) in actual.iter().enumerate() {
            let (row, column) = (index / 24, index % 24);
            if column < N {
                // Small integers, which bf16 represents exactly.
                let sum: f32 = (0..K)
                    .map(|k| operand(k, row, 1) * operand(k, column, 2))
                    .sum();
                assert_eq!(value, sum, "{row}, {column}");
            } else {
                assert!(value.is_nan(), "stored beyond the end of row {row}");
            }
        }
        assert!(counters.matmuls.mma > 0);
    }
}

#[test]
fn the_cheap_checks_change_no_result() {
    let cheap = Options {
        checks: Checks::Cheap,
        ..Options::default()
    };
    let bits = |(words, _): (Vec<f32>, Counters)| {
        words.iter().map(|word| word.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(
        bits(run(TEXT, &cheap).unwrap()),
        bits(run(TEXT, &Options::default()).unwrap())
    );
}

#[test]
fn every_barrier_that_is_taken_away_is_missed() {
    let barriers: Vec<usize> = TEXT
        .match_indices("bar.sync")
        .map(|(start, _)| start)
        .collect();
    assert_eq!(barriers.len(), 4);
    for start in barriers {
        let end = start + TEXT[start..].find(';').unwrap() + 1;
        let broken = format!("{}{}", &TEXT[..start], &TEXT[end..]);
        for seed in 0..4 {
            let options = Options {
                seed,
                ..Options::default()
            };
            let fault = run(&broken, &options).unwrap_err();
            assert!(fault.line > 0, "{fault}");
        }
    }
}
