//! Shadowing, tuples, branches and carried variables have the meaning that they have in Rust.

use tile_kernel::prelude::*;

/// Computes a Fibonacci number after `steps` additions, and whether it is even.
#[tile_kernel(grid = [1])]
fn fibonacci(number: &mut Tensor<i32, 1>, even: &mut Tensor<bool, 1>, steps: u32) {
    let (mut a, mut b) = (0_i32, 1_i32);
    for _ in 0..steps {
        (a, b) = (b, a + b);
    }
    let a = if a < 0 { -1 } else { a };
    number.store([0], full([1], a));
    even.store([0], full([1], a % 2 == 0));
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let mut number = Tensor::zeros(&device, [1])?;
    let mut even = Tensor::zeros(&device, [1])?;
    for (steps, expected) in [(0, 0), (1, 1), (9, 34), (20, 6765)] {
        fibonacci(&mut number, &mut even, steps).launch()?;
        assert_eq!(number.to_vec()?, [expected]);
        assert_eq!(even.to_vec()?, [expected % 2 == 0]);
    }
    Ok(())
}
