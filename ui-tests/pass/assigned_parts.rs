// Assignments to parts of tuples and to fields of structs.
use tile_kernel::prelude::*;

#[tile_kernel]
mod walk {
    struct Point {
        x: i32,
        y: (i32, i32),
    }

    impl Point {
        fn moved(self, by: i32) -> Point {
            let mut to = self;
            to.x += by;
            to.y.1 = to.x;
            to
        }
    }

    #[tile_kernel(grid = 1)]
    pub fn steps(out: &mut Tensor<i32, 1>, n: i32) {
        let mut point = Point { x: 0, y: (1, 2) };
        for i in 0..n {
            point = point.moved(i);
            point.y.0 *= 2;
        }
        out.store([0], full([1], point.x));
        out.store([1], full([1], point.y.0));
        out.store([2], full([1], point.y.1));
    }
}

fn main() {
    let mut out = Tensor::zeros(&Device::cpu(), [3]).unwrap();
    walk::steps(&mut out, 4).launch().unwrap();
    assert_eq!(out.to_vec().unwrap(), [6, 16, 6]);
}
