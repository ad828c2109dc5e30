//! An item of a module has a `#[cfg]`, so it may not exist.

#[tile_kernel::tile_kernel]
mod kernels {
    #[cfg(target_os = "linux")]
    const SIZE: usize = 64;

    #[tile_kernel(grid = 1)]
    pub fn kernel(c: &mut Tensor<f32, 1>) {
        c.store([0], zeros([SIZE]));
    }
}

fn main() {}
