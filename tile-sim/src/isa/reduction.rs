//! Reductions on bytes in memory (PTX ISA, `cp.reduce.async.bulk`, `red.async`).

use super::float::{extreme, format_of};
use super::soft::Rounding;
use super::types::{Class, Type, mask, signed};
use crate::tensor_map::TensorType;

/// The operation of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    And,
    Or,
    Xor,
    Add,
    Increment,
    Decrement,
    Min,
    Max,
}

/// An operation on elements of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reduction {
    pub(crate) operation: Operation,
    pub(crate) ty: Type,
}

impl Reduction {
    /// Returns the reduction into a tensor with the element type of its map, if it exists.
    pub(crate) fn of_tensor(operation: Operation, ty: TensorType) -> Option<Self> {
        let unsigned64 = Type::new(Class::Unsigned, 64);
        let ty = match ty {
            TensorType::UInt32 => Type::U32,
            TensorType::Int32 => Type::S32,
            TensorType::UInt64 => unsigned64,
            TensorType::Int64 => Type::new(Class::Signed, 64),
            TensorType::Float16 => Type::F16,
            TensorType::BFloat16 => Type::BF16,
            TensorType::Float32 | TensorType::Float32Ftz => Type::F32,
            TensorType::Float64 => Type::F64,
            TensorType::UInt8
            | TensorType::UInt16
            | TensorType::TFloat32
            | TensorType::TFloat32Ftz
            | TensorType::Packed16U4Align8B
            | TensorType::Packed16U4Align16B
            | TensorType::Packed16U6Align16B => return None,
        };
        let allowed = match operation {
            Operation::And | Operation::Or | Operation::Xor => ty.is_integer(),
            Operation::Increment | Operation::Decrement => ty == Type::U32,
            Operation::Add => true,
            Operation::Min | Operation::Max => ty.is_integer() || ty.bits == 16,
        };
        allowed.then_some(Self { operation, ty })
    }

    /// Returns the size of an element in bytes.
    pub(crate) fn bytes(self) -> usize {
        usize::from(self.ty.bits / 8)
    }

    /// Computes `target[i] = target[i] op operands[i]`.
    pub(crate) fn apply(self, target: &mut [u8], operands: &[u8]) {
        let size = self.bytes();
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        };
        for (target, operands) in target
            .chunks_exact_mut(size)
            .zip(operands.chunks_exact(size))
        {
            let value = self.element(word(target), word(operands));
            target.copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }

    /// Computes `old op operand`.
    pub(crate) fn element(self, old: u64, operand: u64) -> u64 {
        let Self { operation, ty } = self;
        if ty.is_float() {
            let format = format_of(ty);
            return match operation {
                Operation::Min => extreme(format, false, false, old, operand),
                Operation::Max => extreme(format, true, false, old, operand),
                _ => format.add(old, operand, Rounding::NearestEven),
            };
        }
        let less = if ty.is_signed() {
            signed(old, ty.bits) < signed(operand, ty.bits)
        } else {
            old < operand
        };
        let value = match operation {
            Operation::And => old & operand,
            Operation::Or => old | operand,
            Operation::Xor => old ^ operand,
            Operation::Add => old.wrapping_add(operand),
            // `inc` counts up to the operand and wraps to 0; `dec` counts down to 0 and wraps to
            // the operand.
            Operation::Increment if old >= operand => 0,
            Operation::Increment => old + 1,
            Operation::Decrement if old == 0 || old > operand => operand,
            Operation::Decrement => old - 1,
            Operation::Min if less => old,
            Operation::Max if !less => old,
            Operation::Min | Operation::Max => operand,
        };
        value & mask(u16::from(ty.bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduce<const N: usize>(
        operation: Operation,
        ty: Type,
        old: [u8; N],
        with: [u8; N],
    ) -> [u8; N] {
        let mut target = old;
        Reduction { operation, ty }.apply(&mut target, &with);
        target
    }

    #[test]
    fn integers_are_reduced() {
        let words = |operation, ty, old: u32, with: u32| {
            u32::from_le_bytes(reduce(operation, ty, old.to_le_bytes(), with.to_le_bytes()))
        };
        assert_eq!(words(Operation::Add, Type::U32, u32::MAX, 2), 1);
        assert_eq!(words(Operation::Min, Type::U32, u32::MAX, 2), 2);
        assert_eq!(words(Operation::Min, Type::S32, u32::MAX, 2), u32::MAX);
        assert_eq!(words(Operation::Max, Type::S32, u32::MAX, 2), 2);
        assert_eq!(words(Operation::Increment, Type::U32, 3, 3), 0);
        assert_eq!(words(Operation::Increment, Type::U32, 2, 3), 3);
        assert_eq!(words(Operation::Decrement, Type::U32, 0, 3), 3);
        assert_eq!(words(Operation::Decrement, Type::U32, 7, 3), 3);
        assert_eq!(words(Operation::Decrement, Type::U32, 2, 3), 1);
        assert_eq!(words(Operation::Xor, Type::B32, 0b1100, 0b1010), 0b0110);
    }

    #[test]
    fn floats_are_reduced() {
        let two = [1f32.to_le_bytes(), 2f32.to_le_bytes()].concat();
        let sum: [u8; 8] = reduce(
            Operation::Add,
            Type::F32,
            two.try_into().expect("eight bytes"),
            [0x40; 8],
        );
        let by = f32::from_le_bytes([0x40; 4]);
        assert_eq!(sum[..4], (1.0 + by).to_le_bytes());
        assert_eq!(sum[4..], (2.0 + by).to_le_bytes());
        // In half precision, the minimum of 1 and -2; NaN yields to the number.
        let halves = [0x00, 0x3c, 0x00, 0x7e];
        let with = [0x00, 0xc0, 0x00, 0xc0];
        assert_eq!(reduce(Operation::Min, Type::F16, halves, with), with);
    }

    #[test]
    fn tensors_have_the_types_of_the_table() {
        assert!(Reduction::of_tensor(Operation::Add, TensorType::UInt8).is_none());
        assert!(Reduction::of_tensor(Operation::Min, TensorType::Float32).is_none());
        assert!(Reduction::of_tensor(Operation::Min, TensorType::BFloat16).is_some());
        assert!(Reduction::of_tensor(Operation::Increment, TensorType::Int32).is_none());
    }
}
