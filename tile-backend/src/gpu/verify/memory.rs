//! Verifies memory operations by address.

use super::super::memory::{AddressedTile, MemoryKind};
use super::super::{Op, Ty, ValueId};
use super::Verifier;
use tile_core::Scalar;

impl Verifier<'_> {
    pub(super) fn memory(&mut self, op: &Op, kind: &MemoryKind) {
        let ty = |value: ValueId| self.kernel.ty(value);
        let args: Vec<Ty> = op.args.iter().map(|&arg| ty(arg)).collect();
        let results: Vec<Ty> = op.results.iter().map(|&result| ty(result)).collect();
        let address = Ty::Uniform(Scalar::I64);
        let fine = match kind {
            MemoryKind::AddressOf => matches!(args[..], [Ty::Pointer(_)]) && results == [address],
            MemoryKind::PointerAt => args == [address] && matches!(results[..], [Ty::Pointer(_)]),
            MemoryKind::Offset { .. } => match (&args[..], &results[..]) {
                (&[addresses, offsets], &[result]) => {
                    addresses == result
                        && addresses.scalar() == Some(Scalar::I64)
                        && offsets.layout() == result.layout()
                        && offsets.scalar().is_some_and(Scalar::is_integer)
                }
                _ => false,
            },
            MemoryKind::VariableAddress(number) => {
                *number < self.kernel.variables.len() && args.is_empty() && results == [address]
            }
            MemoryKind::ArenaAddress(number) => {
                *number < self.kernel.arenas.len() && args.is_empty() && results == [address]
            }
            MemoryKind::LocalAddress(_) => args.is_empty() && results == [address],
            MemoryKind::Load(tile) | MemoryKind::Store(tile) | MemoryKind::Atomic(tile, _) => {
                let is_load = matches!(kind, MemoryKind::Load(_));
                let is_store = matches!(kind, MemoryKind::Store(_));
                (is_store && results.is_empty() || !is_store && results.len() <= 1)
                    && !(is_load && results.is_empty())
                    && self.is_access(op, tile)
            }
        };
        if !fine {
            self.error(&format!("wrong operands or results of `{kind:?}`"));
        }
    }

    /// Returns `true` if all operands have one layout, or are uniform, and the registers can hold the vector.
    fn is_access(&self, op: &Op, tile: &AddressedTile) -> bool {
        let flags = usize::from(tile.is_masked) + usize::from(tile.is_padded);
        if op.args.len() < 1 + flags || tile.is_padded && !tile.is_masked {
            return false;
        }
        let operands = tile.operands(&op.args);
        let addresses = self.kernel.ty(operands.addresses);
        let layout = addresses.layout();
        let has_type = |value: &ValueId, scalar: Scalar| {
            let ty = self.kernel.ty(*value);
            ty.scalar() == Some(scalar) && ty.layout() == layout
        };
        let result = op.results.iter().all(|value| {
            let ty = self.kernel.ty(*value);
            // If the operands are uniform, only one thread has the result, so the result is a tile of rank 0.
            let rank0 = ty
                .layout()
                .is_some_and(|id| self.kernel.layout(id).shape().rank() == 0);
            ty.scalar() == Some(tile.element)
                && (ty.layout() == layout || layout.is_none() && rank0)
        });
        let vector = tile.vector.is_none_or(|vector| {
            layout.is_some_and(|id| {
                let shape = self.kernel.layout(id).shape();
                vector.elements.is_power_of_two()
                    && vector.axis.0 < shape.rank()
                    && vector.elements <= shape.size(vector.axis)
            })
        });
        addresses.scalar() == Some(Scalar::I64)
            && operands.mask.iter().all(|mask| has_type(mask, Scalar::I1))
            && operands
                .padding
                .iter()
                .all(|value| has_type(value, tile.element))
            && operands
                .values
                .iter()
                .all(|value| has_type(value, tile.element))
            && result
            && vector
            && !(tile.is_packed && tile.vector.is_none())
    }
}
