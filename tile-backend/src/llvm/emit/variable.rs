//! Emits variables of the module: global memory with initial values.
//!
//! All kernels of a module have the same variables; the first kernel that is emitted creates a variable.
//! Constants are in global memory too. Constant memory is small, serializes accesses of lanes to different
//! addresses, and has different generic addresses.

use inkwell::AddressSpace as InkwellSpace;
use inkwell::module::Linkage;
use inkwell::values::PointerValue;

use super::Emitter;
use super::code::memory_pattern;
use crate::gpu::Variable;
use crate::llvm::AddressSpace;

impl<'ctx> Emitter<'_, 'ctx> {
    /// Declares the public variables, so that the host finds even those that no kernel uses.
    pub(super) fn declare_variables(&self) {
        for (number, variable) in self.kernel.variables.iter().enumerate() {
            if variable.is_public {
                self.variable(number);
            }
        }
    }

    /// Returns the address of the first byte of a variable.
    pub(super) fn variable(&self, number: usize) -> PointerValue<'ctx> {
        let Variable {
            name,
            data,
            elements,
            align_bytes,
            is_constant,
            is_public,
        } = &self.kernel.variables[number];
        let code = &self.code;
        if let Some(global) = code.module.get_global(name) {
            return global.as_pointer_value();
        }
        let scalar = data.scalar();
        let count = usize::try_from(*elements).expect("a variable fits memory");
        let (ty, patterns): (_, Vec<u64>) = if scalar.bits() == 4 {
            // Two elements share a byte, the first in the low bits.
            let half = |index| data.bits_at(index) & 0xf;
            let pairs = (0..count).step_by(2);
            let byte = |low| {
                half(low)
                    | if low + 1 < count {
                        half(low + 1) << 4
                    } else {
                        0
                    }
            };
            (code.int(8), pairs.map(byte).collect())
        } else {
            let pattern = |index| memory_pattern(scalar, data.bits_at(index));
            (code.memory_int(scalar), (0..count).map(pattern).collect())
        };
        let values: Vec<_> = patterns
            .into_iter()
            .map(|bits| ty.const_int(bits, false))
            .collect();
        let initial = ty.const_array(&values);
        let space = InkwellSpace::from(AddressSpace::Global);
        let global = code
            .module
            .add_global(initial.get_type(), Some(space), name);
        global.set_initializer(&initial);
        global.set_constant(*is_constant);
        global.set_alignment(*align_bytes);
        global.set_linkage(if *is_public {
            Linkage::External
        } else {
            Linkage::Internal
        });
        global.as_pointer_value()
    }
}
