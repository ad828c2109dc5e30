//! The memory that a kernel writes: kept before candidates are tried, compared after each, and restored.

use tile_core::Scalar;

use crate::args::{TensorArg, Value, memories};
use crate::driver::Access;
use crate::storage::Storage;
use crate::{Result, f8e4m3, f8e5m2};
use half::{bf16, f16};
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
}

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

    /// Writes it back.
    pub(super) fn restore(&self) -> Result<()> {
        self.0.iter().try_for_each(Part::restore)
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
        let mut bytes = vec![0; runs.iter().map(|(_, len)| len).sum()];
        match &*memory.storage {
            Storage::Host(host) => host.read_runs(runs.iter().copied(), &mut bytes)?,
            Storage::Device(_) => {
                // One copy, of which the elements are taken.
                let first = memory.offset * size;
                let mut span = vec![0; memory.span * size];
                memory.storage.read(first, &mut span)?;
                let mut rest = &mut bytes[..];
                for &(start, len) in &runs {
                    let (run, after) = rest.split_at_mut(len);
                    run.copy_from_slice(&span[start - first..start - first + len]);
                    rest = after;
                }
            }
        }
        Ok(Part {
            storage: Arc::clone(&memory.storage),
            runs,
            scalar: memory.scalar,
            bytes,
        })
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
        if self.bytes == found.bytes {
            return None;
        }
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
        let right = floats(self.scalar, &self.bytes);
        let found = floats(self.scalar, &found.bytes);
        let finite = right.iter().filter(|value| value.is_finite());
        let largest = finite.fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let is_wrong = |(a, b): (&f64, &f64)| {
            if a.is_finite() && b.is_finite() {
                return (a - b).abs() > tolerance * largest;
            }
            // Infinities of one sign are equal, and so are all NaNs.
            a.partial_cmp(b) != Some(Ordering::Equal) && !(a.is_nan() && b.is_nan())
        };
        let at = right.iter().zip(&found).position(is_wrong)?;
        Some(format!(
            "element {at} is {} in place of {}",
            found[at], right[at]
        ))
    }
}

fn bytes_of<const N: usize>(chunk: &[u8]) -> [u8; N] {
    chunk
        .try_into()
        .expect("chunks have the size of an element")
}

/// Returns the elements of a buffer of floats.
fn floats(scalar: Scalar, bytes: &[u8]) -> Vec<f64> {
    let chunks = bytes.chunks_exact(scalar.bytes());
    chunks
        .map(|chunk| match scalar {
            Scalar::F64 => f64::from_ne_bytes(bytes_of(chunk)),
            Scalar::F32 => f32::from_ne_bytes(bytes_of(chunk)).into(),
            Scalar::F16 => f16::from_ne_bytes(bytes_of(chunk)).to_f64(),
            Scalar::BF16 => bf16::from_ne_bytes(bytes_of(chunk)).to_f64(),
            Scalar::F8E4M3FN => f8e4m3::from_bits(chunk[0]).to_f64(),
            Scalar::F8E5M2 => f8e5m2::from_bits(chunk[0]).to_f64(),
            _ => unreachable!("only these have a tolerance"),
        })
        .collect()
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
