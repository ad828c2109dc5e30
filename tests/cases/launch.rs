//! Launches a case as a stub does.

use std::path::Path;

use tile_kernel::__private::{
    Aligned, ArchImage, Arg, Instance, KernelImage, MapImage, MapNumber, VariantImage, VariantKind,
    grid, launch_all, pointer, scalar,
};
use tile_kernel::{Device, Error, Result, Tensor};

use tile_core::testing::Argument;

use super::case::{Case, Number};
use super::compare::compare;

/// The number of guard bytes before and after each buffer, which is also the alignment of `cuMemAlloc`.
const GUARD: usize = 256;

/// The value of guard bytes.
const GUARD_BYTE: u8 = 0xb7;

/// The outcome of a case.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The results are as expected.
    Same,
    /// The results differ.
    Other(String),
    /// An error after which the process cannot continue.
    Broken(String),
}

/// Returns `true` if a case is expected to end early, which leaves the device in an error state.
pub(crate) fn is_exhausted(path: &Path) -> bool {
    Case::read(path).is_ok_and(|case| case.fault.is_some())
}

pub(crate) fn run(case: &Case, device: &Device) -> Outcome {
    // Buffers are not compared after an expected fault.
    let expected = match case.fault {
        Some(_) => Ok(Vec::new()),
        None => case.interpreted(),
    };
    match expected {
        Ok(expected) => against(case, &expected, device),
        Err(what) => Outcome::Other(what),
    }
}

/// Runs a case, and compares the buffers with the expected ones.
pub(crate) fn against(case: &Case, expected: &[Vec<u8>], device: &Device) -> Outcome {
    match (launched(case, expected, device), &case.fault) {
        (Ok(Ok(())), None) => Outcome::Same,
        (Ok(Err(what)), None) => Outcome::Other(what),
        (Ok(_), Some(fault)) => Outcome::Other(format!("no fault, instead of `{fault}`")),
        (Err(error), Some(_)) if is_fault(&error) => Outcome::Same,
        (Err(error), _) => Outcome::Broken(error.to_string()),
    }
}

/// Returns `true` if the kernel ended early, by an assertion or otherwise.
fn is_fault(error: &Error) -> bool {
    matches!(
        error,
        Error::Driver { .. } | Error::Fault { .. } | Error::Simulated(_)
    )
}

/// Launches a case. The outer error is that of the launch; the inner one describes a difference.
fn launched(
    case: &Case,
    expected: &[Vec<u8>],
    device: &Device,
) -> Result<std::result::Result<(), String>> {
    let image = instance(case);
    let [x, y, z] = case.grid;
    let mut tensors: Vec<(Tensor<u8, 1>, usize)> = Vec::new();
    let mut passed: Vec<Arg<'_>> = Vec::new();
    for arg in &case.args {
        passed.push(match arg {
            Argument::Number(bits) => scalar(*bits),
            Argument::Buffer(bytes) => {
                let mut surrounded = vec![GUARD_BYTE; GUARD];
                surrounded.extend(bytes);
                surrounded.resize(bytes.len() + 2 * GUARD, GUARD_BYTE);
                let guarded = Tensor::from_slice(device, &surrounded, [surrounded.len()])?;
                let mut inner = guarded.narrow(0, GUARD..GUARD + bytes.len().max(1))?;
                let arg = pointer(inner.as_device_mut_ptr());
                tensors.push((guarded, bytes.len()));
                arg
            }
        });
    }
    launch_all(image, grid([x, y, z].map(|extent| extent as usize)), passed).launch()?;
    let mut outputs = Vec::new();
    for (tensor, bytes) in &tensors {
        let guarded = tensor.to_vec()?;
        let (before, rest) = guarded.split_at(GUARD);
        let (inner, behind) = rest.split_at(*bytes);
        if before.iter().chain(behind).any(|&byte| byte != GUARD_BYTE) {
            let number = outputs.len();
            return Ok(Err(format!("bytes beside buffer {number} are overwritten")));
        }
        outputs.push(inner.to_vec());
    }
    if case.fault.is_some() {
        return Ok(Ok(()));
    }
    Ok(compare(case, expected, &outputs))
}

/// Builds an instance of the case like those that the macro embeds. It is leaked, since the program ends soon.
fn instance(case: &Case) -> &'static Instance {
    let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
    let entry = leak(&case.entry);
    let arch = leak(&case.arch);
    let number = |number: Number| match number {
        Number::Parameter(position) => MapNumber::Param(position),
        Number::Constant(number) => MapNumber::Constant(number),
    };
    let maps = case.maps.iter().map(|map| {
        let axes = map.axes.iter();
        let axes = axes.map(|&(extent, stride, length)| (number(extent), number(stride), length));
        MapImage {
            base: map.base,
            element_bytes: map.element_bytes,
            swizzle: map.swizzle,
            axes: axes.collect::<Vec<_>>().leak(),
        }
    });
    let maps: &'static [MapImage] = maps.collect::<Vec<_>>().leak();
    let digits: String = arch.chars().filter(char::is_ascii_digit).collect();
    let archs = Box::leak(Box::new([ArchImage {
        name: arch,
        capability: digits.parse().unwrap_or(0),
        threads: case.threads,
        shared_bytes: case.shared_bytes,
        cluster: case.cluster,
        blocks_per_tile: case.blocks_per_tile,
        maps,
        persistent_blocks_per_sm: case.persistent_blocks_per_sm,
        programmatic: false,
    }]));
    let variant = VariantImage::new(VariantKind::Fast, entry, aligned(&case.code), archs);
    let params: &'static [&'static str] = vec!["parameter"; case.args.len()].leak();
    let variants = Box::leak(Box::new([variant]));
    let image = KernelImage::new(entry, ("case", 1), params, variants, &[]);
    Box::leak(Box::new(Instance::new(image)))
}

/// Copies code to an address that the driver accepts.
fn aligned(code: &[u8]) -> &'static [u8] {
    let words: Vec<Aligned<[u8; 8]>> = code
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            Aligned(word)
        })
        .collect();
    let words: &'static [Aligned<[u8; 8]>] = words.leak();
    // SAFETY: words are 8 bytes without padding, contiguous, and never freed.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), code.len()) }
}
