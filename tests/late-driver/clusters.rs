//! Kernels with clusters, and persistent kernels. They compute the same as `axpy` in
//! `gpu/cases.rs`, and process each work tile once for every launch grid.

use tile_kernel::__private::{
    Aligned, ArchImage, Instance, KernelImage, VariantImage, VariantKind, exclusive, launch,
    scalar, shared,
};
use tile_kernel::{Device, Launch, Result, Tensor};

/// Elements per work tile.
const THREADS: u16 = 128;

const WORK_TILES: u16 = 300;

/// The dynamic shared memory of a block, more than a function may use without an opt-in.
const SHARED_BYTES: u32 = 64 << 10;

/// Bytes that the driver accepts as code.
static CODE: Aligned<[u8; 88]> = Aligned(
    *b".entry axpy__general( .entry axpy__shared( .entry axpy__paired( .entry axpy__turns(    \0",
);

/// Returns a `fast` variant whose code the driver accepts.
const fn fast(entry: &'static str, archs: &'static [ArchImage]) -> VariantImage {
    VariantImage::new(VariantKind::Fast, entry, &CODE.0, archs)
}

const fn arch(cluster: u32, shared_bytes: u32) -> ArchImage {
    ArchImage {
        name: "sm_90",
        capability: 90,
        threads: THREADS as u32,
        shared_bytes,
        cluster,
        ..ArchImage::PLAIN
    }
}

const fn persistent(cluster: u32) -> ArchImage {
    ArchImage {
        persistent_blocks_per_sm: Some(2),
        ..arch(cluster, SHARED_BYTES)
    }
}

const fn early(cluster: u32) -> ArchImage {
    ArchImage {
        programmatic: true,
        ..arch(cluster, 0)
    }
}

const fn image(name: &'static str, variants: &'static [VariantImage]) -> KernelImage {
    let params = &["x", "y", "factor"];
    KernelImage::new(name, (file!(), line!()), params, variants, &[])
}

const fn instance(name: &'static str, variants: &'static [VariantImage]) -> Instance {
    Instance::new(image(name, variants))
}

const fn early_instance(name: &'static str, variants: &'static [VariantImage]) -> Instance {
    Instance::new(KernelImage {
        programmatic: true,
        ..image(name, variants)
    })
}

/// A kernel in which four blocks share a work tile; a second variant has one block per tile.
static CLUSTER_SPLIT: Instance = instance("shared", &CLUSTER_SPLIT_VARIANTS);
static CLUSTER_SPLIT_VARIANTS: [VariantImage; 2] = [
    fast(
        "axpy__shared",
        &[ArchImage {
            blocks_per_tile: 4,
            ..arch(4, SHARED_BYTES)
        }],
    ),
    VariantImage::new(
        VariantKind::General,
        "axpy__general",
        &CODE.0,
        &[ArchImage {
            name: "sm_80",
            capability: 80,
            ..arch(1, 0)
        }],
    ),
];

/// A kernel with clusters of two blocks and multicast.
pub(crate) static PAIRED: Instance = instance("paired", &PAIRED_VARIANTS);
static PAIRED_VARIANTS: [VariantImage; 1] = [fast("axpy__paired", &[arch(2, 0)])];

/// A persistent kernel.
static PERSISTENT: Instance = instance("turns", &PERSISTENT_VARIANTS);
static PERSISTENT_VARIANTS: [VariantImage; 1] = [fast("axpy__turns", &[persistent(1)])];

/// A persistent kernel with clusters of two blocks.
static PERSISTENT_PAIRS: Instance = instance("paired_turns", &PERSISTENT_PAIRS_VARIANTS);
static PERSISTENT_PAIRS_VARIANTS: [VariantImage; 1] = [fast("axpy__turns", &[persistent(2)])];

/// A kernel that may start before the previous one has ended, with and without clusters.
pub(crate) static PROGRAMMATIC: [&Instance; 2] = [&ALONE_EARLY, &PAIRED_EARLY];
static ALONE_EARLY: Instance = early_instance("alone_early", &ALONE_EARLY_VARIANTS);
static ALONE_EARLY_VARIANTS: [VariantImage; 1] = [fast("axpy__paired", &[early(1)])];
static PAIRED_EARLY: Instance = early_instance("paired_early", &PAIRED_EARLY_VARIANTS);
static PAIRED_EARLY_VARIANTS: [VariantImage; 1] = [fast("axpy__paired", &[early(2)])];

/// All other kernels.
pub(crate) static ALL: [&Instance; 4] = [&CLUSTER_SPLIT, &PAIRED, &PERSISTENT, &PERSISTENT_PAIRS];

/// Launches one kernel, and checks every element.
pub(crate) fn run(device: Device, instance: &'static Instance) -> Result<()> {
    run_with(device, instance, |launch| launch)
}

/// Launches one kernel with options, and checks every element.
pub(crate) fn run_with(
    device: Device,
    instance: &'static Instance,
    options: impl for<'a> FnOnce(Launch<'a>) -> Launch<'a>,
) -> Result<()> {
    let numbers: Vec<f32> = (0..THREADS * WORK_TILES)
        .map(|index| f32::from(index % 64))
        .collect();
    let count = numbers.len();
    let mut x = Tensor::from_slice(&device, &numbers, [count])?;
    let y = Tensor::full(&device, [count], 1.0_f32)?;
    let grid = Some(x.tiles([usize::from(THREADS)]));
    let arguments = [exclusive(&mut x), shared(&y), scalar(2.0_f32)];
    options(launch(instance, grid, arguments)).launch()?;
    let actual = x.to_vec()?;
    let expected: Vec<f32> = numbers.iter().map(|number| number * 2.0 + 1.0).collect();
    assert!(
        actual == expected,
        "{}: a position is left out or taken twice",
        instance.image.name
    );
    Ok(())
}
