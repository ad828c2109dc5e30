//! A kernel with its inputs: what is timed, and what is compared.

use std::time::Instant;

use tile_kernel::prelude::*;
use tile_kernel::tuning::Tuner;
use tile_kernel::{Element, Result, TunedLaunch};

/// A kernel with its inputs and outputs.
pub(crate) struct Case {
    run: Box<dyn FnMut() -> Result<()>>,
    outputs: Vec<Box<dyn Fn() -> Result<Vec<f64>>>>,
}

impl Case {
    pub(crate) fn new(run: impl FnMut() -> Result<()> + 'static) -> Self {
        Self {
            run: Box::new(run),
            outputs: Vec::new(),
        }
    }

    /// Adds numbers that are compared after a run.
    pub(crate) fn with(mut self, output: impl Fn() -> Result<Vec<f64>> + 'static) -> Self {
        self.outputs.push(Box::new(output));
        self
    }

    pub(crate) fn run(&mut self) -> Result<()> {
        (self.run)()
    }

    /// Returns the numbers of each output after the last run.
    pub(crate) fn outputs(&self) -> Result<Vec<Vec<f64>>> {
        self.outputs.iter().map(|output| output()).collect()
    }

    /// Runs the kernel repeatedly for `seconds`, at least three times, and returns the seconds that each run took.
    pub(crate) fn time(&mut self, seconds: f64) -> Result<Vec<f64>> {
        let start = Instant::now();
        let mut runs = Vec::new();
        while runs.len() < 3 || start.elapsed().as_secs_f64() < seconds {
            let start = Instant::now();
            self.run()?;
            runs.push(start.elapsed().as_secs_f64());
        }
        Ok(runs)
    }
}

/// Measures the candidates of a launch, at several times: its later launches take the fastest one.
pub(crate) fn tune(launch: &TunedLaunch<'_>) -> Result<()> {
    Tuner::new().tune(launch)?;
    for _ in 0..REFINED {
        Tuner::new().refine().tune(launch)?;
    }
    Ok(())
}

/// How often the record of a launch is refined.
const REFINED: usize = 4;

/// An element that is compared as an `f64`.
pub(crate) trait Number: Element {
    fn wide(self) -> f64;
}

impl Number for f32 {
    fn wide(self) -> f64 {
        self.into()
    }
}

impl Number for i32 {
    fn wide(self) -> f64 {
        self.into()
    }
}

impl Number for bf16 {
    fn wide(self) -> f64 {
        self.to_f64()
    }
}

/// Returns a tensor of zeros, and a function that reads it.
pub(crate) fn output<T: Number, const RANK: usize>(
    shape: [usize; RANK],
) -> Result<(Tensor<T, RANK>, impl Fn() -> Result<Vec<f64>> + 'static)> {
    let tensor = Tensor::zeros(&Device::cpu(), shape)?;
    // It shares the memory of the tensor, so that the numbers can be read after a launch.
    let view = tensor.narrow(0, 0..shape[0])?;
    let read = move || Ok(view.to_vec()?.into_iter().map(T::wide).collect());
    Ok((tensor, read))
}

/// Returns element `index` of input `seed`, in the range `-0.5..0.5`. `cpu_inputs.py` computes the same.
pub(crate) fn element(seed: u32, index: u32) -> f32 {
    let mut bits = index.wrapping_add(seed.wrapping_mul(0x0100_0193));
    bits = bits.wrapping_mul(0x9e37_79b1);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x85eb_ca6b);
    bits ^= bits >> 13;
    (bits >> 8) as f32 / (1 << 24) as f32 - 0.5
}

/// Returns the first elements of input `seed`.
pub(crate) fn elements(seed: u32, count: usize) -> impl Iterator<Item = f32> {
    let count = u32::try_from(count).expect("inputs are small");
    (0..count).map(move |index| element(seed, index))
}

/// Returns the first integers of input `seed`, from 0 to below `end`.
pub(crate) fn integers(seed: u32, count: usize, end: i32) -> Vec<i32> {
    let scaled = |x: f32| ((f64::from(x) + 0.5) * f64::from(end)) as i32;
    elements(seed, count).map(scaled).collect()
}

/// Returns an input of numbers from -0.5 to below 0.5.
pub(crate) fn floats<const RANK: usize>(
    seed: u32,
    shape: [usize; RANK],
) -> Result<Tensor<f32, RANK>> {
    let elements: Vec<f32> = elements(seed, shape.iter().product()).collect();
    tensor(&elements, shape)
}

/// Returns the same input, rounded to `bf16`.
pub(crate) fn halves<const RANK: usize>(
    seed: u32,
    shape: [usize; RANK],
) -> Result<Tensor<bf16, RANK>> {
    let elements = elements(seed, shape.iter().product());
    let elements: Vec<bf16> = elements.map(bf16::from_f32).collect();
    tensor(&elements, shape)
}

pub(crate) fn tensor<T: Element, const RANK: usize>(
    elements: &[T],
    shape: [usize; RANK],
) -> Result<Tensor<T, RANK>> {
    Tensor::from_slice(&Device::cpu(), elements, shape)
}
