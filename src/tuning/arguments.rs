//! The memory that a kernel writes: kept before candidates are tried, compared after each, and restored.

use tile_core::Scalar;

use crate::args::{TensorArg, Value, memories};
use crate::driver::Access;
use crate::storage::Storage;
use crate::{Result, f8e4m3, f8e5m2};
use half::{bf16, f16};
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::sync::Arc;

/// Allowed differences of results between candidates, as parts of the largest element: they may add in another order.
const TOLERANCES: [(Scalar, f64); 6] = [
    (Scalar::F64, 1e-9),
    (Scalar::F32, 1e-3),
    (Scalar::F16, 2e-2),
    (Scalar::BF16, 6e-2),
    (Scalar::F8E4M3FN, 0.13),
    (Scalar::F8E5M2, 0.26),
];

/// The bytes of what a kernel writes.
pub(super) struct Contents(Vec<Part>);

/// The elements of one argument. What is between them is not touched: other code may write it meanwhile.
struct Part {
    storage: Arc<Storage>,
    /// Offsets and lengths in bytes.
    runs: Vec<(usize, usize)>,
    scalar: Scalar,
    bytes: Vec<u8>,
    /// The largest of the finite elements.
    largest: OnceCell<f64>,
}

/// The number of elements that are compared together, in vectors.
const BLOCK: usize = 1024;

impl Contents {
    /// Reads everything that a launch with these arguments may write.
    pub(super) fn read(values: &[Value]) -> Result<Contents> {
        let written = memories(values).filter(|(_, memory)| memory.access == Access::Exclusive);
        written
            .map(|(index, memory)| {
                // By a pointer, a kernel also reaches what is between the elements.
                let is_whole = matches!(values[index], Value::Pointer(_));
                Part::read(memory, is_whole)
            })
            .collect::<Result<_>>()
            .map(Contents)
    }

    /// Reads the same memory again.
    pub(super) fn read_again(&mut self) -> Result<()> {
        self.0.iter_mut().try_for_each(Part::read_again)
    }

    /// Writes it back.
    pub(super) fn restore(&self) -> Result<()> {
        self.0.iter().try_for_each(Part::restore)
    }

    /// Returns `true` if every byte is the same.
    pub(super) fn is_same(&self, other: &Contents) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        pairs.all(|(one, other)| one.bytes == other.bytes)
    }

    /// Returns what is wrong with results, if `self` has the right ones.
    pub(super) fn difference(&self, found: &Contents) -> Option<String> {
        let mut pairs = self.0.iter().zip(&found.0);
        pairs.find_map(|(right, found)| right.difference(found))
    }
}

impl Part {
    fn read(memory: &TensorArg, is_whole: bool) -> Result<Part> {
        let size = memory.element_bytes;
        let elements: Vec<(usize, usize)> = if is_whole {
            vec![(memory.offset, memory.span)]
        } else {
            memory.layout().runs().collect()
        };
        let runs = elements.into_iter();
        let runs: Vec<_> = runs
            .map(|(start, len)| (start * size, len * size))
            .collect();
        let bytes = vec![0; runs.iter().map(|(_, len)| len).sum()];
        let mut part = Part {
            storage: Arc::clone(&memory.storage),
            runs,
            scalar: memory.scalar,
            bytes,
            largest: OnceCell::new(),
        };
        part.read_again()?;
        Ok(part)
    }

    fn read_again(&mut self) -> Result<()> {
        self.largest.take();
        match &*self.storage {
            Storage::Host(host) => host.read_runs(self.runs.iter().copied(), &mut self.bytes),
            Storage::Device(_) => {
                // One copy, of which the elements are taken.
                let starts = self.runs.iter().map(|&(start, _)| start);
                let ends = self.runs.iter().map(|&(start, len)| start + len);
                let (Some(first), Some(end)) = (starts.min(), ends.max()) else {
                    return Ok(());
                };
                let mut span = vec![0; end - first];
                self.storage.read(first, &mut span)?;
                let mut rest = &mut self.bytes[..];
                for &(start, len) in &self.runs {
                    let (run, after) = rest.split_at_mut(len);
                    run.copy_from_slice(&span[start - first..start - first + len]);
                    rest = after;
                }
                Ok(())
            }
        }
    }

    fn restore(&self) -> Result<()> {
        let mut rest = &self.bytes[..];
        for &(start, len) in &self.runs {
            let (run, after) = rest.split_at(len);
            self.storage.write(start, run)?;
            rest = after;
        }
        Ok(())
    }

    fn difference(&self, found: &Part) -> Option<String> {
        let tolerance = TOLERANCES
            .iter()
            .find(|(scalar, _)| *scalar == self.scalar)
            .map(|(_, tolerance)| *tolerance);
        let Some(tolerance) = tolerance else {
            let mut pairs = self.bytes.iter().zip(&found.bytes);
            let at = pairs.position(|(a, b)| a != b)? / self.scalar.bytes();
            return Some(format!(
                "element {at} differs from that of the first candidate"
            ));
        };
        let (at, right, found) = match self.scalar {
            Scalar::F64 => self.first_wrong(found, tolerance, f64::from_ne_bytes),
            Scalar::F32 => self.first_wrong(found, tolerance, |it| f32::from_ne_bytes(it).into()),
            Scalar::F16 => self.first_wrong(found, tolerance, |it| f16::from_ne_bytes(it).to_f64()),
            Scalar::BF16 => {
                self.first_wrong(found, tolerance, |it| bf16::from_ne_bytes(it).to_f64())
            }
            Scalar::F8E4M3FN => {
                self.first_wrong(found, tolerance, |[it]| f8e4m3::from_bits(it).to_f64())
            }
            Scalar::F8E5M2 => {
                self.first_wrong(found, tolerance, |[it]| f8e5m2::from_bits(it).to_f64())
            }
            _ => unreachable!("only these have a tolerance"),
        }?;
        Some(format!("element {at} is {found} in place of {right}"))
    }

    /// Returns the first element that is wrong, with its right and its found value.
    fn first_wrong<const N: usize>(
        &self,
        found: &Part,
        tolerance: f64,
        value: impl Fn([u8; N]) -> f64,
    ) -> Option<(usize, f64, f64)> {
        let (right, _) = self.bytes.as_chunks::<N>();
        let (found, _) = found.bytes.as_chunks::<N>();
        let largest = *self.largest.get_or_init(|| {
            let finite = right.iter().map(|&it| value(it).abs());
            let finite = finite.filter(|value| value.is_finite());
            finite.fold(0.0, f64::max)
        });
        let limit = tolerance * largest;
        let is_wrong = |(a, b): (f64, f64)| {
            if a.is_finite() && b.is_finite() {
                return (a - b).abs() > limit;
            }
            // Infinities of one sign are equal, and so are all NaNs.
            a.partial_cmp(&b) != Some(Ordering::Equal) && !(a.is_nan() && b.is_nan())
        };
        let blocks = right.chunks(BLOCK).zip(found.chunks(BLOCK));
        blocks.enumerate().find_map(|(block, (right, found))| {
            let pairs = || {
                let pairs = right.iter().zip(found);
                pairs.map(|(&a, &b)| (value(a), value(b)))
            };
            if right == found {
                return None;
            }
            // Few blocks have a number that is not close, or is not finite.
            let is_close = |(a, b): (f64, f64)| (a - b).abs() <= limit;
            if pairs().fold(true, |all, pair| all & is_close(pair)) {
                return None;
            }
            let at = pairs().position(is_wrong)?;
            let (a, b) = pairs().nth(at)?;
            Some((block * BLOCK + at, a, b))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__private::exclusive;
    use crate::{Device, Tensor};

    fn contents(elements: &[f32]) -> Contents {
        let device = Device::cpu();
        let tensor = Tensor::from_slice(&device, elements, [elements.len()]);
        let mut tensor = tensor.expect("a small tensor");
        let values = [exclusive(&mut tensor).into_value()];
        Contents::read(&values).expect("the CPU can be read")
    }

    #[test]
    fn results_may_differ_by_their_rounding_and_no_more() {
        let right = contents(&[1.0, -200.0, f32::NAN, f32::INFINITY]);
        let rounded = contents(&[1.0001, -200.01, f32::NAN, f32::INFINITY]);
        assert_eq!(right.difference(&rounded), None);
        let wrong = contents(&[1.0, -201.0, f32::NAN, f32::INFINITY]);
        assert_eq!(
            right.difference(&wrong).as_deref(),
            Some("element 1 is -201 in place of -200")
        );
        for wrong in [f32::NAN, f32::INFINITY] {
            let wrong = contents(&[wrong, -200.0, f32::NAN, f32::INFINITY]);
            assert!(right.difference(&wrong).is_some());
        }
        let finite = contents(&[1.0, -200.0, 0.0, f32::INFINITY]);
        assert!(right.difference(&finite).is_some());
        let negative = contents(&[1.0, -200.0, f32::NAN, f32::NEG_INFINITY]);
        assert!(right.difference(&negative).is_some());
    }

    #[test]
    fn a_wrong_element_is_found_in_any_block() {
        let mut elements = vec![1.0; 3 * BLOCK];
        let right = contents(&elements);
        assert_eq!(right.difference(&contents(&elements)), None);
        for at in [0, BLOCK - 1, BLOCK, 2 * BLOCK + 7, 3 * BLOCK - 1] {
            elements.fill(1.0001);
            assert_eq!(right.difference(&contents(&elements)), None);
            elements[at] = 2.0;
            let difference = format!("element {at} is 2 in place of 1");
            assert_eq!(right.difference(&contents(&elements)), Some(difference));
        }
    }

    #[test]
    fn what_is_read_again_is_compared_with_what_is_there_then() -> Result<()> {
        let device = Device::cpu();
        let mut tensor = Tensor::from_slice(&device, &[1.0_f32, 2.0], [2])?;
        let values = [exclusive(&mut tensor).into_value()];
        let (before, mut now) = (Contents::read(&values)?, Contents::read(&values)?);
        assert!(before.is_same(&now));
        drop(values);
        tensor.copy_from_slice(&[1.0, 30.0])?;
        now.read_again()?;
        assert!(!before.is_same(&now));
        // The largest element is that of the content read last.
        assert_eq!(now.difference(&contents(&[1.02, 30.0])), None);
        assert!(before.difference(&contents(&[1.02, 2.0])).is_some());
        Ok(())
    }

    #[test]
    fn what_a_kernel_writes_is_restored() -> Result<()> {
        let device = Device::cpu();
        let mut tensor = Tensor::from_slice(&device, &[1, 2, 3], [3])?;
        let values = [exclusive(&mut tensor).into_value()];
        let before = Contents::read(&values)?;
        tensor.fill(7)?;
        assert!(before.difference(&Contents::read(&values)?).is_some());
        before.restore()?;
        assert_eq!(tensor.to_vec()?, [1, 2, 3]);
        Ok(())
    }
    #[test]
    fn what_is_between_the_elements_is_not_touched() -> Result<()> {
        let device = Device::cpu();
        let matrix = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
        let (mut columns, mut others) = (matrix.narrow(1, 0..2)?, matrix.narrow(1, 2..3)?);
        let values = [exclusive(&mut columns).into_value()];
        let before = Contents::read(&values)?;
        others.fill(9)?;
        assert!(before.difference(&Contents::read(&values)?).is_none());
        columns.fill(7)?;
        before.restore()?;
        assert_eq!(matrix.to_vec()?, [1, 2, 9, 4, 5, 9]);
        Ok(())
    }
}
