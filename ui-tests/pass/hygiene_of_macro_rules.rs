//! A variable of a macro differs from the variable with the same name at the call.

use tile_kernel::prelude::*;

macro_rules! kernel_with {
    ($n:ident, $value:expr) => {
        #[tile_kernel(grid = 1)]
        fn kernel(y: &mut Tensor<i32, 1>, $n: i32) {
            let result = $value;
            y.store([0], full([1], result));
        }
    };
}
kernel_with!(k, k * 2);

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [1])?;
    kernel(&mut y, 21).launch()?;
    assert_eq!(y.to_vec()?, [42]);
    Ok(())
}
