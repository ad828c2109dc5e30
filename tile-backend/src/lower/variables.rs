//! Variables of the module, and memory of the block.
//!
//! An `alloca` is shared memory: all threads of a block see it, it is there as long as the
//! block is, and every iteration of a loop can have the same. Its bytes are shared with no other
//! buffer, since nobody knows who still has its address.

use super::{Lowered, Lowering};
use crate::analysis::divisibility::variable_align_bytes;
use crate::analysis::provenance::variable;
use crate::gpu::{Buffer, MemoryKind, OpKind, Ty, Variable};
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::ir::{Attr, OpId, SymbolVisibility};
use tile_core::ops::ControlFlowOp;
use tile_core::types::Element;
use tile_core::{Module, Scalar};

/// What a name in PTX may not be: the compiler's own.
const RESERVED: &str = "tile_";

/// What shared memory starts at a multiple of.
const SHARED_ALIGN_BYTES: i64 = 1024;

/// The variables of a module, as kernels see them.
pub(super) fn variables(module: &Module, diagnostics: &mut Diagnostics) -> Vec<Variable> {
    let mut variables = Vec::new();
    for (number, id) in module.globals().enumerate() {
        let op = module.op(id);
        let data = op.dense_value();
        let elements = match op.attr("value_type") {
            Some(Attr::Type(ty)) => ty
                .as_number_tile()
                .map_or(1, |(_, shape)| shape.iter().product::<i64>().unsigned_abs()),
            _ => 1,
        };
        let symbol = op.sym_name().to_string();
        let is_private = matches!(
            op.attr("symbol_visibility"),
            Some(Attr::Visibility(SymbolVisibility::Private))
        );
        let is_named = super::is_identifier(&symbol) && !symbol.starts_with(RESERVED);
        if !is_private && !is_named {
            diagnostics.error(
                Diagnostic::error(
                    Code::UnsupportedByTarget,
                    op.loc,
                    format!("PTX cannot name a variable `{}`", symbol.escape_debug()),
                )
                .note("a name in PTX is made of ASCII letters, digits, `_` and `$`, and does not start with a digit or `tile_`")
                .help("give it another name, or make it `private`"),
            );
        }
        variables.push(Variable {
            name: if is_private {
                format!("tile_variable_{number}")
            } else {
                symbol
            },
            data,
            elements,
            align_bytes: variable_align_bytes(op),
            is_constant: op.has_flag("constant"),
            is_public: !is_private,
        });
    }
    variables
}

impl Lowering<'_> {
    pub(super) fn get_global(&mut self, id: OpId) {
        let op = self.module.op(id);
        let kind = MemoryKind::VariableAddress(variable(self.module, id));
        let address = Ty::Uniform(Scalar::I64);
        let value = self.emit(OpKind::Memory(kind), &[], address, op.loc);
        self.define(op.result(), value);
    }

    pub(super) fn alloca(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        let number = |name| match op.attr(name) {
            Some(&Attr::Int(number)) => number,
            other => unreachable!("verified: a number, not {other:?}"),
        };
        let (count, alignment) = (number("num_elem"), number("alignment"));
        let tile = self.module.ty(op.result()).as_tile();
        let Some(Element::Ptr(pointee)) = tile.map(|tile| tile.element) else {
            unreachable!("verified: a pointer");
        };
        let limit = i64::from(self.arch.shared_bytes_per_block());
        let bytes = i64::try_from(pointee.bytes())
            .ok()
            .and_then(|bytes| bytes.checked_mul(count))
            .filter(|&bytes| bytes <= limit);
        if op.has_flag("global") {
            return Err(self.unsupported(
                op,
                "memory of the block that other blocks may access".to_owned(),
                "pass the kernel a buffer, or use a `global`",
            ));
        }
        let Some(bytes) = bytes.filter(|_| alignment <= SHARED_ALIGN_BYTES) else {
            return Err(self.unsupported(
                op,
                format!("{count} elements of `{pointee}`, aligned to {alignment} bytes, in the memory of a block"),
                &format!("pass the kernel a buffer; a block has {limit} bytes, aligned to {SHARED_ALIGN_BYTES}"),
            ));
        };
        let buffer = self.kernel.add_buffer(Buffer {
            element: pointee,
            // Even nothing has an address of its own.
            bytes: u32::try_from(bytes.max(1)).expect("within the limit"),
            align_bytes: u32::try_from(alignment).expect("within the limit").max(16),
            layout: None,
            offset_bytes: None,
        });
        self.kernel.kept.push(buffer);
        if self.is_in_loop(id) {
            let number = self.kernel.order.provenance.local(id);
            self.kernel.order.reused.push(number);
        }
        let kind = MemoryKind::LocalAddress(buffer);
        let address = Ty::Uniform(Scalar::I64);
        let value = self.emit(OpKind::Memory(kind), &[], address, op.loc);
        self.define(op.result(), value);
        Ok(())
    }

    fn is_in_loop(&self, id: OpId) -> bool {
        let mut at = self.module.parent_op(id);
        while let Some(op) = at {
            let opcode = self.module.op(op).opcode;
            if opcode == ControlFlowOp::For.into() || opcode == ControlFlowOp::Loop.into() {
                return true;
            }
            at = self.module.parent_op(op);
        }
        false
    }
}
