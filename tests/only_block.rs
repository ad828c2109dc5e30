//! Tests of faults, which name the block, and of launches of only that block, on the CPU device and on
//! the simulated GPU.

use tile_kernel::prelude::*;
use tile_kernel::{Error, Result};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::sim()]
}

/// Stores the index of the block and the size of the grid.
#[tile_kernel(grid = x.tiles([1, 2, 4]), arch("sm_80"))]
fn blocks(x: &mut Tensor<i32, 3>) {
    let (i, j, k) = (block_id(0), block_id(1), block_id(2));
    let number = (i * num_blocks(1) + j) * num_blocks(2) + k;
    x.store([i, j, k], full([1, 2, 4], number + 1));
}

#[test]
fn one_block_has_its_place_in_the_whole_grid() -> Result<()> {
    for device in devices() {
        let shape = [2, 6, 16];
        let mut whole = Tensor::zeros(&device, shape)?;
        blocks(&mut whole).launch()?;
        let whole = whole.to_vec()?;
        for (block, number) in [([0, 0, 0], 1), ([1, 2, 3], 24), ([0, 2, 1], 10)] {
            let mut alone = Tensor::zeros(&device, shape)?;
            blocks(&mut alone).only_block(block).launch()?;
            let expected: Vec<i32> = whole
                .iter()
                .map(|&stored| if stored == number { number } else { 0 })
                .collect();
            assert_eq!(alone.to_vec()?, expected, "{device} {block:?}");
        }
        let mut x = Tensor::zeros(&device, shape)?;
        for block in [[2, 0, 0], [0, 3, 0], [0, 0, 4], [u32::MAX; 3]] {
            assert_eq!(
                blocks(&mut x).only_block(block).launch(),
                Err(Error::NoSuchBlock {
                    kernel: "blocks",
                    block,
                    grid: [2, 3, 4]
                })
            );
        }
    }
    Ok(())
}

/// Copies 16 elements per block from a pointer.
///
/// # Safety
/// `x` points to 16 elements for each block.
#[tile_kernel(grid = y.tiles([16]), arch("sm_80"))]
unsafe fn sixteen(x: *const i32, y: &mut Tensor<i32, 1>) {
    let i = block_id(0) * 16 + iota::<i32>(16);
    let t = unsafe { x.offset(i).load() };
    y.store([block_id(0)], t);
}

const LINE_OF_LOAD: u32 = line!() - 4;

#[test]
fn an_access_out_of_bounds_names_all_and_is_repeated_alone() -> Result<()> {
    for device in devices() {
        let host: Vec<i32> = (1..=40).collect();
        let x = Tensor::from_slice(&device, &host, [40])?;
        let mut y = Tensor::zeros(&device, [64])?;
        let mut start = |block: Option<[u32; 3]>| {
            // SAFETY: both devices check accesses through pointers.
            let launch = unsafe { sixteen(x.as_device_ptr(), &mut y) };
            match block {
                None => launch.launch(),
                Some(block) => launch.only_block(block).launch(),
            }
        };
        let error = start(None).expect_err("block 2 reads 8 elements too many");
        let text = error.to_string();
        let mut parts = vec![
            "kernel `sixteen`".to_owned(),
            "block [2, 0, 0]".to_owned(),
            "`.only_block([2, 0, 0])`".to_owned(),
            "`x`".to_owned(),
            "extents [40]".to_owned(),
            "tests/only_block.rs:".to_owned(),
        ];
        if device == Device::cpu() {
            parts.push("element [8]".to_owned());
            parts.push("bytes 160..164".to_owned());
            parts.push(format!("tests/only_block.rs:{LINE_OF_LOAD}:"));
        } else {
            parts.push("byte 160".to_owned());
        }
        for part in parts {
            assert!(text.contains(&part), "{part}: {text}");
        }
        assert_eq!(start(Some([2, 0, 0])), Err(error), "{device}");
        y.fill(0)?;
        // SAFETY: this block reads elements 16 to 31.
        let launch = unsafe { sixteen(x.as_device_ptr(), &mut y) };
        launch.only_block([1, 0, 0]).launch()?;
        let mut expected = vec![0; 64];
        expected[16..32].copy_from_slice(&host[16..32]);
        assert_eq!(y.to_vec()?, expected, "{device}");
    }
    Ok(())
}

/// Stores the quotient of two tensors, and expects that none is 5.
#[tile_kernel(grid = y.tiles([4]), arch("sm_80"))]
fn quotients(x: &Tensor<i32, 1>, by: &Tensor<i32, 1>, y: &mut Tensor<i32, 1>) {
    let i = block_id(0);
    let t = x.load([i], [4]) / by.load([i], [4]);
    assert!(t != 5, "a quotient is 5");
    y.store([i], t);
}

#[test]
fn assertions_and_divisions_are_repeated_alone() -> Result<()> {
    let device = Device::cpu();
    let x = Tensor::full(&device, [16], 10)?;
    let cases = [
        (13, 2, "`a quotient is 5` failed at [1]", [3, 0, 0]),
        (6, 0, "element [2]: 10 / 0", [1, 0, 0]),
    ];
    for (at, divisor, reason, block) in cases {
        let mut host = [1; 16];
        host[at] = divisor;
        let by = Tensor::from_slice(&device, &host, [16])?;
        let mut y = Tensor::zeros(&device, [16])?;
        let error = quotients(&x, &by, &mut y).launch();
        let text = error.as_ref().expect_err("a block fails").to_string();
        for part in [
            reason,
            &format!("block {block:?}"),
            &format!("`.only_block({block:?})`"),
            "tests/only_block.rs:",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(quotients(&x, &by, &mut y).only_block(block).launch(), error);
        assert_eq!(
            quotients(&x, &by, &mut y).only_block([2, 0, 0]).launch(),
            Ok(())
        );
    }
    Ok(())
}

#[test]
fn an_assertion_on_the_simulated_gpu_names_its_block() -> Result<()> {
    let device = Device::sim();
    let x = Tensor::full(&device, [16], 10)?;
    let mut host = [1; 16];
    host[13] = 2;
    let by = Tensor::from_slice(&device, &host, [16])?;
    let mut y = Tensor::zeros(&device, [16])?;
    let error = quotients(&x, &by, &mut y).launch();
    let Err(Error::Simulated(fault)) = &error else {
        panic!("{error:?}")
    };
    assert_eq!(fault.block, [3, 0, 0]);
    assert_eq!(
        quotients(&x, &by, &mut y).only_block([3, 0, 0]).launch(),
        error
    );
    assert_eq!(
        quotients(&x, &by, &mut y).only_block([0, 0, 0]).launch(),
        Ok(())
    );
    Ok(())
}
