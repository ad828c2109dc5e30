//! Gathers and scatters at numbers of 32 bits, as in `x.gather([column])`.
//!
//! The address is `start + index * stride`, and the mask has `index < extent`, both in 64 bits. If, when the code runs, the stride
//! is 1 and the first `extent` elements are in memory, no lane needs a check of its own, and an instruction takes the indices
//! as they are.

use tile_core::ir::{ComparisonPredicate, OpId, Signedness};
use tile_core::ops::{BitwiseOp, ConversionOp, CoreOp, IntegerOp, Opcode};
use tile_core::types::{Element, Scalar};

use super::super::super::ir::{Fun, Inst, Reg};
use super::super::nest::Iteration;
use super::super::places::memory_scalar;
use super::super::{Emitter, scalar_type, vector_of, vector_type};
use super::{At, Even};

/// The greatest extent whose indices have 31 bits.
const MAX_EXTENT: u64 = 1 << 31;

/// An address, as the instructions of a nest compute it.
struct Indexed {
    /// The pointer to which numbers of elements are added, the same in all lanes.
    start: Reg,
    offset: Offset,
    /// The comparison of the index with the extent, and the extent.
    is_inside: Reg,
    extent: Reg,
}

/// A number of elements: what is the same in all lanes, and an index times its stride.
#[derive(Default)]
struct Offset {
    same: Vec<Reg>,
    index: Option<Index>,
}

/// An index of 32 bits and the instruction that extends it.
struct Index {
    narrow: Reg,
    wide: Reg,
    /// `None` for 1.
    stride: Option<Reg>,
}

/// An access of lanes at numbers of 32 bits from a first element.
pub(in super::super) struct Direct {
    /// The condition under which `mask` has the lanes of the access, and all of these are in memory.
    pub(in super::super) condition: String,
    /// The pointer to the element at 0.
    first: String,
    pub(in super::super) indices: String,
    pub(in super::super) mask: String,
}

/// Elements from an address on.
pub(super) struct Elements<'e> {
    pub(super) first: &'e str,
    /// How many there are.
    pub(super) extent: &'e str,
    /// The bytes of each.
    pub(super) bytes: usize,
}

impl Even<'_> {
    /// Returns the access of an instruction at indices of 32 bits, if its address and its mask have the form for it.
    pub(in super::super) fn direct(
        &mut self,
        emitter: &mut Emitter<'_>,
        (address, mask): (Reg, Option<Reg>),
        at: &At,
        regs: &[String],
        iteration: &Iteration,
    ) -> Option<Direct> {
        let bytes = memory_scalar(at.scalar).bytes();
        let has_instruction = emitter.level.has_masks();
        if emitter.lanes == 1 || has_instruction && !matches!(bytes, 4 | 8) {
            return None;
        }
        let mask = mask?;
        let indexed = self.indexed(address, mask, bytes)?;
        let index = indexed.offset.index.as_ref().expect("an index was found");
        let first = self.first(emitter, &indexed, bytes, regs, iteration);
        let extent = self.element(emitter, indexed.extent, 0, regs, iteration);
        let elements = Elements {
            first: &first,
            extent: &extent,
            bytes,
        };
        let mut condition = emitter.has_elements(&elements, at.param, MAX_EXTENT);
        if !has_instruction {
            // Lanes that the mask does not have load the first element.
            let has_first = emitter.value(&format!("icmp ne i64 {extent}, 0"));
            condition = emitter.value(&format!("and i1 {condition}, {has_first}"));
        }
        if let Some(stride) = index.stride {
            let stride = self.element(emitter, stride, 0, regs, iteration);
            let is_one = emitter.value(&format!("icmp eq i64 {stride}, 1"));
            condition = emitter.value(&format!("and i1 {condition}, {is_one}"));
        }
        let end = emitter.value(&format!("trunc i64 {extent} to i32"));
        let end = emitter.splat_of(&end, "i32");
        let (numbers, indices) = (vector_of("i32", emitter.lanes), &regs[index.narrow]);
        let is_inside = emitter.value(&format!("icmp ult {numbers} {indices}, {end}"));
        let mut lanes = is_inside;
        for part in self.comparisons(mask) {
            if part == indexed.is_inside {
                continue;
            }
            if self.is_same(part) {
                let holds = self.element(emitter, part, 0, regs, iteration);
                condition = emitter.value(&format!("and i1 {condition}, {holds}"));
            } else {
                let truth = vector_of("i1", emitter.lanes);
                lanes = emitter.value(&format!("and {truth} {lanes}, {}", regs[part]));
            }
        }
        let first = emitter.value(&format!("inttoptr i64 {first} to ptr"));
        Some(Direct {
            condition,
            first,
            indices: indices.clone(),
            mask: lanes,
        })
    }

    pub(super) fn op(&self, reg: Reg) -> Option<(OpId, Opcode, &[Reg])> {
        match &self.nest.insts[reg] {
            Inst::Call(Fun::Op(id), args, _) => Some((*id, self.module.op(*id).opcode, args)),
            _ => None,
        }
    }

    /// Returns the pointer of an address of elements of so many bytes, and the number of elements, in 64 bits, that is added to it
    /// where the mask is true.
    pub(super) fn offset_of(&self, address: Reg, mask: Reg, bytes: usize) -> Option<(Reg, Reg)> {
        let (id, Opcode::Core(CoreOp::Offset), &[start, by]) = self.op(address)? else {
            return None;
        };
        let tile = self.module.ty(self.module.op(id).result()).as_tile()?;
        let fits = matches!(tile.element, Element::Ptr(pointee) if pointee.bytes() == bytes);
        let is_wide = self.nest.scalar(by, self.vals) == Some(Scalar::I64);
        if !fits || !is_wide {
            return None;
        }
        let by = match self.op(by) {
            Some((_, Opcode::Core(CoreOp::Select), &[guard, chosen, _])) => {
                self.implies(mask, guard).then_some(chosen)?
            }
            _ => by,
        };
        Some((start, by))
    }

    /// Takes apart an address of elements of so many bytes. The mask has only lanes whose index is below the extent.
    fn indexed(&self, address: Reg, mask: Reg, bytes: usize) -> Option<Indexed> {
        let (start, by) = self.offset_of(address, mask, bytes)?;
        if !self.is_same(start) {
            return None;
        }
        let mut offset = Offset::default();
        self.add_terms(by, &mut offset)?;
        let (is_inside, extent) = self.extent(mask, offset.index.as_ref()?.wide)?;
        Some(Indexed {
            start,
            offset,
            is_inside,
            extent,
        })
    }

    /// Adds the terms of a number to an offset; `None` if there are two indices, or other operations.
    fn add_terms(&self, reg: Reg, offset: &mut Offset) -> Option<()> {
        if self.is_same(reg) {
            offset.same.push(reg);
            return Some(());
        }
        let (wide, stride) = match self.op(reg)? {
            (_, Opcode::Integer(IntegerOp::AddI), &[one, two]) => {
                self.add_terms(one, offset)?;
                return self.add_terms(two, offset);
            }
            (_, Opcode::Integer(IntegerOp::MulI), &[one, two]) if self.is_same(two) => {
                (one, Some(two))
            }
            (_, Opcode::Integer(IntegerOp::MulI), &[one, two]) if self.is_same(one) => {
                (two, Some(one))
            }
            _ => (reg, None),
        };
        let (_, Opcode::Conversion(ConversionOp::ExtI), &[narrow]) = self.op(wide)? else {
            return None;
        };
        let is_narrow = self.nest.scalar(narrow, self.vals) == Some(Scalar::I32);
        if !is_narrow || offset.index.is_some() {
            return None;
        }
        offset.index = Some(Index {
            narrow,
            wide,
            stride,
        });
        Some(())
    }

    /// Returns the comparison of a mask that is true for numbers from 0 to below an extent, and the extent.
    fn extent(&self, mask: Reg, wide: Reg) -> Option<(Reg, Reg)> {
        match self.op(mask)? {
            (id, Opcode::Integer(IntegerOp::CmpI), &[number, extent]) => {
                let op = self.module.op(id);
                let is_below = op.predicate() == ComparisonPredicate::LessThan
                    && op.signedness() == Signedness::Unsigned;
                (number == wide && is_below && self.is_same(extent)).then_some((mask, extent))
            }
            (_, Opcode::Bitwise(BitwiseOp::AndI), args) => {
                args.iter().find_map(|&arg| self.extent(arg, wide))
            }
            _ => None,
        }
    }

    /// Returns the address of the element whose index is 0.
    fn first(
        &mut self,
        emitter: &mut Emitter<'_>,
        indexed: &Indexed,
        bytes: usize,
        regs: &[String],
        iteration: &Iteration,
    ) -> String {
        let mut first = self.element(emitter, indexed.start, 0, regs, iteration);
        for &same in &indexed.offset.same {
            let elements = self.element(emitter, same, 0, regs, iteration);
            let by = emitter.value(&format!("mul i64 {elements}, {bytes}"));
            first = emitter.value(&format!("add i64 {first}, {by}"));
        }
        first
    }
}

impl Emitter<'_> {
    /// Loads elements where the condition holds.
    pub(super) fn gather_direct(
        &mut self,
        direct: &Direct,
        scalar: Scalar,
        padding: &str,
        alias: &str,
    ) -> String {
        let Direct {
            first,
            indices,
            mask,
            ..
        } = direct;
        if !self.level.has_masks() {
            return self.load_direct(direct, scalar, padding, alias);
        }
        let lanes = self.lanes;
        // LLVM takes indices that were extended for other code as well from there, and makes them shorter again.
        let name = match (scalar, lanes) {
            (Scalar::F32, 16) => "dps",
            (Scalar::I32, 16) => "dpi",
            (Scalar::F64, 8) => "dpd",
            (Scalar::I64, 8) => "dpq",
            _ => {
                let pointers = self.direct_pointers(direct, scalar);
                return self.gather(&pointers, mask, padding, scalar, alias);
            }
        };
        let name = format!("llvm.x86.avx512.mask.gather.{name}.512");
        let (ty, numbers) = (vector_type(scalar, lanes), vector_of("i32", lanes));
        let truths = vector_of("i1", lanes);
        self.declare(format!(
            "declare {ty} @{name}({ty}, ptr, {numbers}, {truths}, i32)"
        ));
        self.value(&format!(
            "call {ty} @{name}({ty} {padding}, ptr {first}, {numbers} {indices}, {truths} {mask}, i32 {}){alias}",
            scalar.bytes()
        ))
    }

    /// Loads elements one by one, without a branch: lanes that the mask does not have load the first element of the tensor.
    ///
    /// They are loaded as integers, since LLVM inserts these into a vector where they are loaded; floats whose vector is an operand of
    /// `select` are loaded to a register each.
    fn load_direct(
        &mut self,
        direct: &Direct,
        scalar: Scalar,
        padding: &str,
        alias: &str,
    ) -> String {
        let lanes = self.lanes;
        let element = scalar_type(memory_scalar(scalar));
        let word = format!("i{}", 8 * memory_scalar(scalar).bytes());
        let (numbers, truths) = (vector_of("i32", lanes), vector_of("i1", lanes));
        let indices = self.value(&format!(
            "select {truths} {}, {numbers} {}, {numbers} zeroinitializer",
            direct.mask, direct.indices
        ));
        let [in_memory, as_words] = [vector_of(element, lanes), vector_of(&word, lanes)];
        let mut vector = "poison".to_owned();
        for lane in 0..lanes {
            let pointer = self.lane_pointer(direct, &indices, scalar, lanes, lane);
            let loaded = self.value(&format!("load {word}, ptr {pointer}, align 1{alias}"));
            vector = self.value(&format!(
                "insertelement {as_words} {vector}, {word} {loaded}, i64 {lane}"
            ));
        }
        let padding = self.widen_for_memory(padding, scalar);
        let padding = self.value(&format!("bitcast {in_memory} {padding} to {as_words}"));
        let chosen = self.value(&format!(
            "select {truths} {}, {as_words} {vector}, {as_words} {padding}",
            direct.mask
        ));
        let chosen = self.value(&format!("bitcast {as_words} {chosen} to {in_memory}"));
        self.narrow_from_memory(&chosen, scalar)
    }

    /// Stores elements where the condition holds.
    pub(super) fn scatter_direct(
        &mut self,
        direct: &Direct,
        scalar: Scalar,
        value: &str,
        alias: &str,
    ) {
        let pointers = self.direct_pointers(direct, scalar);
        self.scatter(&pointers, &direct.mask, value, scalar, alias);
    }

    /// Returns the pointer to the element of one of `lanes` lanes, of which there are two at least. Indices leave the vector in pairs:
    /// half as many moves from vector registers, of which processors do one in a cycle. On Zen 3, a sparse product takes 5 to 9 % less
    /// time for it, and a histogram 10 to 23 % less.
    pub(in super::super) fn lane_pointer(
        &mut self,
        direct: &Direct,
        indices: &str,
        scalar: Scalar,
        lanes: u32,
        lane: u32,
    ) -> String {
        let element = scalar_type(memory_scalar(scalar));
        let (numbers, pairs) = (vector_of("i32", lanes), vector_of("i64", lanes / 2));
        let mut both = self.value(&format!("bitcast {numbers} {indices} to {pairs}"));
        if lanes > 2 {
            both = self.value(&format!("extractelement {pairs} {both}, i64 {}", lane / 2));
        }
        let index = if lane.is_multiple_of(2) {
            self.value(&format!("and i64 {both}, {}", u32::MAX))
        } else {
            self.value(&format!("lshr i64 {both}, 32"))
        };
        self.value(&format!(
            "getelementptr {element}, ptr {}, i64 {index}",
            direct.first
        ))
    }

    /// Returns whether the address of the first element is a multiple of the size of an element.
    pub(in super::super) fn is_straight(&mut self, direct: &Direct, scalar: Scalar) -> String {
        let address = self.value(&format!("ptrtoint ptr {} to i64", direct.first));
        let low_bits = self.value(&format!("and i64 {address}, {}", scalar.bytes() - 1));
        self.value(&format!("icmp eq i64 {low_bits}, 0"))
    }

    fn direct_pointers(&mut self, direct: &Direct, scalar: Scalar) -> String {
        let (element, numbers) = (
            scalar_type(memory_scalar(scalar)),
            vector_of("i32", self.lanes),
        );
        self.value(&format!(
            "getelementptr {element}, ptr {}, {numbers} {}",
            direct.first, direct.indices
        ))
    }

    /// Returns whether elements, at most so many, are in the memory of a parameter.
    pub(super) fn has_elements(
        &mut self,
        &Elements {
            first,
            extent,
            bytes,
        }: &Elements<'_>,
        param: u32,
        most: u64,
    ) -> String {
        let word = self.first_word(param);
        let [start, length] = [self.word(word), self.word(word + 1)];
        let offset = self.value(&format!("sub i64 {first}, {start}"));
        let rest = self.value(&format!("sub i64 {length}, {offset}"));
        let needed = self.value(&format!("mul i64 {extent}, {bytes}"));
        let is_few = self.value(&format!("icmp ule i64 {extent}, {most}"));
        let begins = self.value(&format!("icmp ule i64 {offset}, {length}"));
        let ends = self.value(&format!("icmp ule i64 {needed}, {rest}"));
        let is_there = self.value(&format!("and i1 {begins}, {ends}"));
        self.value(&format!("and i1 {is_few}, {is_there}"))
    }
}
