//! Runs the kernel on a GPU if there is one, else on the CPU.

use tile_kernel::{Device, Tensor};

fn main() -> tile_kernel::Result<()> {
    let device = Device::best();
    let x = Tensor::full(&device, [1_000_000], 1.0)?;
    let mut y = Tensor::full(&device, [1_000_000], 2.0)?;
    {{crate_name}}::axpy(3.0, &x, &mut y).launch()?;
    let sum: f64 = y.to_vec()?.into_iter().map(f64::from).sum();
    println!("on {device}, the sum is {sum}");
    Ok(())
}
