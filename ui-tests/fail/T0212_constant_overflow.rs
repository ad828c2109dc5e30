//! A constant does not fit its type.

#[tile_kernel::tile_kernel]
mod kernels {
    const fn double(n: u8) -> u8 {
        n * 2
    }

    const SIZE: u8 = double(double(64));

    #[tile_kernel(grid = 1)]
    pub fn kernel(c: &mut Tensor<u8, 1>) {
        c.store([0], full([1], SIZE));
    }
}

fn main() {}
