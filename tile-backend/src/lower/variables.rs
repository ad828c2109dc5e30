//! Lowers variables of the module, and `alloca`s.
//!
//! An `alloca` becomes shared memory: all threads of a block see it, it exists as long as the block, and all
//! iterations of a loop can use the same memory. No other buffer uses its bytes, since its address may
//! escape. An `alloca` that other blocks may access, or that is too large, becomes a slot of an arena in
//! global memory.

use super::{Lowered, Lowering};
use crate::analysis::divisibility::variable_align_bytes;
use crate::analysis::provenance::variable;
use crate::gpu::{Arena, Buffer, MemoryKind, OpKind, Ty, Variable};
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::ir::{Attr, OpId, SymbolVisibility};
use tile_core::ops::ControlFlowOp;
use tile_core::types::Element;
use tile_core::{Module, Scalar};

/// The prefix of the compiler's own names, which no public variable may have.
const RESERVED: &str = "tile_";

/// The alignment of shared memory in bytes.
const SHARED_ALIGN_BYTES: i64 = 1024;

/// Maximum number of bytes of shared memory for `alloca`s, which leaves enough for other buffers.
const MAX_SHARED_BYTES: u64 = 32 << 10;

/// Upper bounds of the number of multiprocessors of a GPU, and of resident blocks on a multiprocessor.
const MAX_MULTIPROCESSORS: u32 = 192;
const MAX_BLOCKS: u32 = 32;

/// Maximum size of an arena, which has memory for all concurrent blocks, and its maximum alignment, both in
/// bytes.
const MAX_ARENA_BYTES: u64 = 1 << 30;
const MAX_ALIGN_BYTES: i64 = 4096;

/// Returns the variables of a module, in the form that kernels use.
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
        let is_named = super::entry::is_identifier(&symbol) && !symbol.starts_with(RESERVED);
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
                // A private variable may have a name that PTX does not accept, so it gets a new one.
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
        let align_bytes = alignment.max(16);
        let bytes = i64::try_from(pointee.bytes())
            .ok()
            .and_then(|bytes| bytes.checked_mul(count))
            // An empty `alloca` has a distinct address too.
            .map(|bytes| bytes.max(1).unsigned_abs());
        let taken: u64 = self
            .kernel
            .shared
            .buffers
            .iter()
            .filter(|buffer| buffer.is_dedicated)
            .map(|buffer| u64::from(buffer.bytes))
            .sum();
        let is_shared = !op.has_flag("global")
            && align_bytes <= SHARED_ALIGN_BYTES
            && bytes.is_some_and(|bytes| taken + bytes <= MAX_SHARED_BYTES);
        let kind = if is_shared {
            let bytes = u32::try_from(bytes.expect("it is few")).expect("it is few");
            let align_bytes = u32::try_from(align_bytes).expect("it is small");
            let buffer = self
                .kernel
                .add_buffer(Buffer::new(pointee, u64::from(bytes), align_bytes, None).dedicated());
            MemoryKind::LocalAddress(buffer)
        } else {
            // An arena has a slot for every block that the largest GPU can run at the same time.
            let threads = 32 * self.kernel.launch.num_warps;
            let blocks = self.arch.threads_per_multiprocessor() / threads;
            let slots = blocks.clamp(1, MAX_BLOCKS) * MAX_MULTIPROCESSORS;
            let part = bytes.and_then(|bytes| {
                let aligned = bytes.checked_next_multiple_of(align_bytes.unsigned_abs())?;
                let fits = aligned.checked_mul(u64::from(slots))? <= MAX_ARENA_BYTES;
                fits.then_some(aligned)
            });
            let Some(bytes) = part.filter(|_| align_bytes <= MAX_ALIGN_BYTES) else {
                let most = MAX_ARENA_BYTES / u64::from(slots);
                return Err(self.unsupported(
                    op,
                    format!("memory of the block for {count} elements of `{pointee}`, aligned to {alignment} bytes"),
                    &format!("pass the kernel a buffer; a block may have {most} bytes here, aligned to {MAX_ALIGN_BYTES}"),
                ));
            };
            let number = self
                .kernel
                .add_buffer(Buffer::new(Scalar::I32, 4, 16, None).dedicated());
            self.kernel.arenas.push(Arena {
                bytes,
                align_bytes: u32::try_from(align_bytes).expect("it is small"),
                slots,
                number,
            });
            MemoryKind::ArenaAddress(self.kernel.arenas.len() - 1)
        };
        // Iterations share the memory, but tokens do not order their accesses, so barriers must separate the
        // iterations.
        if self.is_in_loop(id) {
            let number = self.provenance.local(id);
            self.kernel.order.reused.push(number);
        }
        let address = Ty::Uniform(Scalar::I64);
        let value = self.emit(OpKind::Memory(kind), &[], address, op.loc);
        self.define(op.result(), value);
        Ok(())
    }

    fn is_in_loop(&self, id: OpId) -> bool {
        let mut ancestor = self.module.parent_op(id);
        while let Some(op) = ancestor {
            let opcode = self.module.op(op).opcode;
            if opcode == ControlFlowOp::For.into() || opcode == ControlFlowOp::Loop.into() {
                return true;
            }
            ancestor = self.module.parent_op(op);
        }
        false
    }
}
