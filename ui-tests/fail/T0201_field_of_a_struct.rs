//! A kernel uses fields and methods that a struct does not have.

#[tile_kernel::tile_kernel]
mod kernels {
    struct Line {
        slope: f32,
        offset: f32,
    }

    impl Line {
        fn at(self, x: f32) -> f32 {
            self.slope * x + self.ofset
        }
    }

    #[tile_kernel(grid = 1)]
    pub fn kernel(c: &mut Tensor<f32, 1>, x: f32) {
        let line = Line { slope: 2.0, offset: 1.0 };
        c.store([0], full([1], line.at(x)));
        c.store([1], full([1], line.inverse(x)));
    }
}

fn main() {}
