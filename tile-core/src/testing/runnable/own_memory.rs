//! Memory that is not an argument (variables of the module, and block-local memory), printing, and
//! operations that only order other kernels.

use super::constants::mixed;
use super::memory::Role;
use super::{LOC, Maker};
use crate::ir::{Attr, DenseElements, MemoryOrdering, OpId, SymbolVisibility, ValueId};
use crate::ops::{CoreOp, MemoryOp, MiscOp};
use crate::types::{Scalar, Type};
use std::sync::Arc;

/// The maximum number of elements of an allocation of a block, in the interpreter and on a device.
const OWN: i64 = 16;
const OWN_ON_A_DEVICE: i64 = 256;

/// The maximum number of elements of a printed tile.
const PRINTED: i64 = 64;

/// Conversion specifiers for integers and for floats.
const INTEGERS: [&str; 6] = ["%d", "%5i", "%-8u", "%#x", "%lld", "%+.3d"];
const FLOATS: [&str; 6] = ["%f", "%e", "%G", "%a", "%10.3f", "%+.0e"];

impl Maker<'_> {
    /// Returns a pointer to a new variable of the module, initialized with numbers.
    pub(super) fn variable(&mut self, scalar: Scalar, elements: u64, role: Role) -> ValueId {
        let bits = (0..elements).map(|_| mixed(scalar, &mut self.random));
        let dense = DenseElements::from_bits(scalar, bits.collect());
        let extent = i64::try_from(elements).expect("small");
        let name = format!("variable{}", self.variables);
        self.variables += 1;
        let alignment = self.random.pick(&[0, 8, 64]);
        let visibility = self
            .random
            .pick(&[SymbolVisibility::Public, SymbolVisibility::Private]);
        let is_constant = self.for_devices() && role == Role::Input && self.random.one_in(3);
        let body = self.builder.module().body();
        let inside = self.builder.set_block(body);
        self.builder
            .op(CoreOp::Global, LOC)
            .attr("sym_name", Attr::Str(name.as_str().into()))
            .attr("value_type", Attr::Type(Type::tile(scalar, &[extent])))
            .attr("value", Attr::Dense(Arc::new(dense)))
            .attr("alignment", Attr::Int(alignment))
            .flag("constant", is_constant)
            .attr("symbol_visibility", Attr::Visibility(visibility))
            .finish();
        self.builder.set_block(inside);
        self.builder
            .op(CoreOp::GetGlobal, LOC)
            .attr("name", Attr::Symbol(name.as_str().into()))
            .result(Type::pointer(scalar))
            .finish_value()
    }

    /// Stores a value to block-local memory, and loads it from there.
    pub(super) fn through_own_memory(&mut self) {
        let ty = self.tile_type(|_| true);
        let (_, shape) = ty.as_number_tile().expect("numbers");
        let count: i64 = shape.iter().product();
        let most = if self.for_devices() {
            OWN_ON_A_DEVICE
        } else {
            OWN
        };
        if count > most {
            return;
        }
        let value = self.value(ty);
        let op = self.stored_and_loaded(value);
        self.define(op);
    }

    /// Stores a value to new block-local memory, and makes a load of it.
    pub(super) fn stored_and_loaded(&mut self, value: ValueId) -> OpId {
        let ty = self.builder.ty(value);
        let (scalar, shape) = ty.as_number_tile().expect("numbers");
        let count: i64 = shape.iter().product();
        let spare = i64::try_from(self.random.below(4)).expect("small");
        let alignment = i64::try_from(scalar.bytes()).expect("small") << self.random.below(5);
        let is_global = self.random.one_in(3);
        let base = self
            .builder
            .op(MemoryOp::Alloca, LOC)
            .attr("num_elem", Attr::Int(count + spare))
            .attr("alignment", Attr::Int(alignment))
            .flag("global", is_global)
            .result(Type::pointer(scalar))
            .finish_value();
        let pointers = self.run(base, shape);
        let weak = Attr::MemoryOrdering(MemoryOrdering::Weak);
        let mut token = self
            .builder
            .op(MemoryOp::StorePtrTko, LOC)
            .operand("destination", pointers)
            .operand("value", value)
            .attr("memory_ordering_semantics", weak.clone())
            .result(Type::token())
            .finish_value();
        if self.random.one_in(2) {
            token = self
                .builder
                .op(MemoryOp::MemoryFenceAliasTko, LOC)
                .operand("token", token)
                .result(Type::token())
                .finish_value();
        }
        self.builder
            .op(MemoryOp::LoadPtrTko, LOC)
            .operand("source", pointers)
            .operand("token", token)
            .attr("memory_ordering_semantics", weak)
            .results(&[ty, Type::token()])
            .finish()
    }

    /// Prints values.
    pub(super) fn print(&mut self) {
        let mut format = String::from("100%%");
        let mut args = Vec::new();
        for _ in 0..self.random.below(3) {
            let ty = self.tile_type(|_| true);
            let (scalar, shape) = ty.as_number_tile().expect("numbers");
            if shape.iter().product::<i64>() > PRINTED {
                continue;
            }
            let conversions = if scalar.is_integer() {
                &INTEGERS
            } else {
                &FLOATS
            };
            format += ", ";
            format += self.random.pick(conversions);
            let value = self.value(ty);
            args.push(self.printable(value));
        }
        format += "\n";
        let token = self.some_token();
        let op = self
            .builder
            .op(MiscOp::PrintTko, LOC)
            .operands("args", &args)
            .operands("token", token.as_slice())
            .attr("str", Attr::Str(format.into()))
            .result(Type::token())
            .finish();
        self.define(op);
    }

    /// Makes an operation that waits for preceding kernels, or that lets dependent kernels start.
    pub(super) fn wait(&mut self) {
        let opcode = self
            .random
            .pick(&[MemoryOp::GdcWaitTko, MemoryOp::GdcLaunchDependentsTko]);
        let token = self.some_token();
        let op = self
            .builder
            .op(opcode, LOC)
            .operands("token", token.as_slice())
            .result(Type::token())
            .finish();
        self.define(op);
    }
}
