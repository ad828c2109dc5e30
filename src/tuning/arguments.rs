//! The memory that a kernel writes: kept before candidates are tried, compared after each, and restored.

use tile_core::Scalar;

use crate::Result;
use crate::args::{TensorArg, Value, memories};
use crate::driver::Access;
use crate::storage::Storage;
use half::{bf16, f16};
use std::cmp::Ordering;
use std::sync::Arc;

/// Allowed differences of results between candidates, as parts of the largest element: they may add in another order.
const TOLERANCES: [(Scalar, f64); 4] = [
    (Scalar::F64, 1e-9),
    (Scalar::F32, 1e-3),
    (Scalar::F16, 2e-2),
    (Scalar::BF16, 6e-2),
];

/// The bytes of what a kernel writes.
pub(super) struct Contents(Vec<Part>);

struct Part {
    storage: Arc<Storage>,
    offset: usize,
    scalar: Scalar,
    bytes: Vec<u8>,
}

impl Contents {
    /// Reads everything that a launch with these arguments may write.
    pub(super) fn read(values: &[Value]) -> Result<Contents> {
        let written = memories(values).filter(|(_, memory)| memory.access == Access::Exclusive);
        written
            .map(|(_, memory)| Part::read(memory))
            .collect::<Result<_>>()
            .map(Contents)
    }

    /// Writes it back.
    pub(super) fn restore(&self) -> Result<()> {
        let mut parts = self.0.iter();
        parts.try_for_each(|part| part.storage.write(part.offset, &part.bytes))
    }

    /// Returns what is wrong with results, if `self` has the right ones.
    pub(super) fn difference(&self, found: &Contents) -> Option<String> {
        let mut pairs = self.0.iter().zip(&found.0);
        pairs.find_map(|(right, found)| right.difference(found))
    }
}

impl Part {
    fn read(memory: &TensorArg) -> Result<Part> {
        let offset = memory.offset * memory.element_bytes;
        let mut bytes = vec![0; memory.span * memory.element_bytes];
        memory.storage.read(offset, &mut bytes)?;
        Ok(Part {
            storage: Arc::clone(&memory.storage),
            offset,
            scalar: memory.scalar,
            bytes,
        })
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
}
