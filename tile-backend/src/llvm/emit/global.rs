//! Emits loads and stores of tiles of global memory.
//!
//! In: a [`GlobalTile`], a base pointer, and per axis a tile index, an extent and a stride. Out: loads or
//! stores on one of up to three paths, chosen by uniform tests:
//!
//! ```text
//!   the whole tile exists                         vectors
//!   the tile is cut, along vector boundaries      vectors under predicates
//!   the tile is cut within a vector               elements under predicates
//! ```
//!
//! The last path is omitted if whole vectors divide the extent.
//!
//! Addresses are `base + (tile's start + thread's part) * bytes`, one 64-bit pointer per thread. Coordinates
//! of registers become immediate offsets from it where the stride is a constant; otherwise each distinct
//! product with the stride needs one more pointer.
//!
//! An axis whose tiles always exist as a whole needs no test. A tile that begins beyond the end of the tensor
//! has no element that exists ([`cut`](super::cut)); its address is computed, but not used.

use std::collections::BTreeMap;

use inkwell::IntPredicate;
use inkwell::types::IntType;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::code::element_bytes;
use super::cut::Cut;
use super::masked::Modifiers;
use super::{Emitter, Registers};
use crate::gpu::{Access, GlobalTile, Op, ValueId};
use crate::layout::{AddressParts, Axis, InDim, LinearLayout, Register, VectorPlan};

/// The values that are computed before control branches to the paths.
pub(super) struct GlobalAccess<'t, 'ctx> {
    pub(super) tile: &'t GlobalTile,
    pub(super) plan: VectorPlan,
    pub(super) axes: Vec<AxisAccess<'ctx>>,
    /// The address of each register's element.
    pub(super) pointers: Vec<PointerValue<'ctx>>,
    access: Access,
}

/// One axis of the tile, for one thread.
pub(super) struct AxisAccess<'ctx> {
    pub(super) parts: AddressParts,
    /// The thread's part of the coordinate, in 32 bits.
    thread: IntValue<'ctx>,
    /// `true` if the coordinate is `thread + constant`; otherwise it is `thread ^ constant`.
    is_additive: bool,
    stride: IntValue<'ctx>,
    cut: Option<Cut<'ctx>>,
}

/// Where the tensor can end within a tile that is cut.
enum Ends<'ctx> {
    /// At the granularity of one path, known at compile time.
    Known(Path),
    /// Between vectors if the condition holds, otherwise anywhere.
    Tested(IntValue<'ctx>),
}

/// The strides with which addresses are computed.
#[derive(Clone, Copy)]
enum Strides {
    AsGiven,
    /// The given strides, but zero along axes of one element.
    OfSeveral,
}

/// A path of the access; see the module's table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    Whole,
    CutBetweenVectors,
    Ragged,
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn load_global(&mut self, op: &Op, tile: &GlobalTile) {
        let result = op.results[0];
        let layout = self.kernel.layout_of(result);
        let copies = if tile.by_owners {
            layout.free_mask(InDim::Warp)
        } else {
            0
        };
        let Some(owner) = self.thread.is_clear(&self.code, 0, copies) else {
            let loaded = self.load_tile(op, tile, layout);
            self.define(result, loaded);
            return;
        };
        let code = &self.code;
        let nothing = vec![code.constant(tile.element, 0); layout.num_registers()];
        let (before, after) = (code.current_block(), code.new_block("loaded"));
        let inside = code.new_block("owner");
        code.branch(owner, inside, after);
        code.builder.position_at_end(inside);
        let loaded = self.load_tile(op, tile, layout);
        let inside = self.code.current_block();
        self.code.go_to(after);
        self.code.builder.position_at_end(after);
        let merged = self.merge(&[(&nothing, before), (&loaded, inside)]);
        self.define(result, merged);
    }

    fn load_tile(&mut self, op: &Op, tile: &GlobalTile, layout: &LinearLayout) -> Registers<'ctx> {
        let access = self.global_access(tile, layout, &op.args);
        self.on_paths(&access, |emitter, path| emitter.load_path(&access, path))
    }

    pub(super) fn store_global(&mut self, op: &Op, tile: &GlobalTile) {
        let values = self.registers(op.args[0]).clone();
        let layout = self.kernel.layout_of(op.args[0]);
        let owner = self.thread.is_owner(&self.code, layout);
        self.only_if(owner, |emitter| {
            let access = emitter.global_access(tile, layout, &op.args[1..]);
            emitter.on_paths(&access, |emitter, path| {
                emitter.store_path(&access, path, &values);
                Vec::new()
            });
        });
    }

    /// Replaces the zeros that a pipelined copy has written outside of the tensor by the padding. A whole
    /// tile remains unchanged.
    pub(super) fn pad(&mut self, op: &Op, tile: &GlobalTile) {
        let values = self.registers(op.args[0]).clone();
        let layout = self.kernel.layout_of(op.args[0]);
        let access = self.global_access(tile, layout, &op.args[1..]);
        let code = &self.code;
        let Some(whole) = code.all(access.cuts().map(|(_, cut)| cut.is_whole)) else {
            self.define(op.results[0], values);
            return;
        };
        let padding = code.constant(tile.element, tile.padding.unwrap_or(0));
        let (before, after) = (code.current_block(), code.new_block("padded"));
        let edge = code.new_block("edge");
        code.branch(whole, after, edge);
        code.builder.position_at_end(edge);
        let mut predicates = Predicates::default();
        let padded: Registers<'ctx> = (0..)
            .map(Register)
            .zip(&values)
            .map(|(register, &value)| {
                let exists = predicates.compute(self, &access, register);
                exists.map_or(value, |exists| code.select(exists, value, padding))
            })
            .collect();
        self.code.go_to(after);
        self.code.builder.position_at_end(after);
        let merged = self.merge(&[(&values, before), (&padded, edge)]);
        self.define(op.results[0], merged);
    }

    fn load_path(&self, access: &GlobalAccess<'_, 'ctx>, path: Path) -> Registers<'ctx> {
        let (code, element) = (&self.code, access.tile.element);
        let padding = code.constant(element, access.tile.padding.unwrap_or(0));
        let mut loaded: Vec<Option<BasicValueEnum<'ctx>>> = vec![None; access.pointers.len()];
        let mut predicates = Predicates::default();
        let modifiers = match path {
            Path::Whole | Path::CutBetweenVectors => {
                code.cached(access.access, access.tile.caching)
            }
            // Cache hints are dropped, since several accesses touch each sector.
            Path::Ragged => Modifiers::for_access(access.access),
        };
        for group in access.groups(path) {
            let pointer = access.pointers[group[0].index()];
            let predicate = match path {
                Path::Whole => None,
                Path::CutBetweenVectors | Path::Ragged => {
                    predicates.compute(self, access, group[0])
                }
            };
            let values = match predicate {
                None => code.whole_load(pointer, element, group.len(), &modifiers),
                Some(predicate) => code.masked_load(
                    pointer,
                    predicate,
                    element,
                    &vec![padding; group.len()],
                    &modifiers,
                ),
            };
            for (register, value) in group.iter().zip(values) {
                loaded[register.index()] = Some(value);
            }
        }
        for copy in &access.plan.copies {
            loaded[copy.register.index()] = loaded[copy.original.index()];
        }
        loaded
            .into_iter()
            .map(|value| value.expect("the plan covers every register"))
            .collect()
    }

    fn store_path(
        &self,
        access: &GlobalAccess<'_, 'ctx>,
        path: Path,
        values: &[BasicValueEnum<'ctx>],
    ) {
        let (code, element) = (&self.code, access.tile.element);
        let mut predicates = Predicates::default();
        for group in access.groups(path) {
            let pointer = access.pointers[group[0].index()];
            let elements: Vec<_> = group.iter().map(|r| values[r.index()]).collect();
            let predicate = match path {
                Path::Whole => None,
                Path::CutBetweenVectors | Path::Ragged => {
                    predicates.compute(self, access, group[0])
                }
            };
            if let Some(predicate) = predicate {
                code.masked_store(&elements, pointer, predicate, element);
                continue;
            }
            let elements: Vec<_> = elements
                .into_iter()
                .map(|value| code.to_memory(value, element))
                .collect();
            let length = u32::try_from(elements.len()).expect("a vector is short");
            code.store(
                code.pack(&elements),
                pointer,
                length * element_bytes(element),
            );
        }
    }

    /// Emits `body` once per path, after the tests that choose among the paths, and merges their results.
    fn on_paths(
        &mut self,
        access: &GlobalAccess<'_, 'ctx>,
        mut body: impl FnMut(&mut Self, Path) -> Registers<'ctx>,
    ) -> Registers<'ctx> {
        let cuts: Vec<(Axis, Cut<'ctx>)> = access.cuts().collect();
        let whole = self.code.all(cuts.iter().map(|(_, cut)| cut.is_whole));
        let Some(whole) = whole else {
            return body(self, Path::Whole);
        };
        let ends = access.ends(self);

        let code = &self.code;
        let after = code.new_block("accessed");
        let mut arms = Vec::new();
        // Blocks are inserted directly after the head, so the block inserted last comes first in the text.
        let mut add = |path| {
            let block = code.new_block(match path {
                Path::Whole => "whole",
                Path::CutBetweenVectors => "cut",
                Path::Ragged => "ragged",
            });
            arms.push((path, block));
            block
        };
        match ends {
            Ends::Known(path) => {
                let cut = add(path);
                let whole_path = add(Path::Whole);
                code.branch(whole, whole_path, cut);
            }
            Ends::Tested(between) => {
                let ragged = add(Path::Ragged);
                let vectors = add(Path::CutBetweenVectors);
                let edge = code.new_block("edge");
                let whole_path = add(Path::Whole);
                code.branch(whole, whole_path, edge);
                code.builder.position_at_end(edge);
                code.branch(between, vectors, ragged);
            }
        }
        let mut results = Vec::new();
        for &(path, block) in arms.iter().rev() {
            self.code.builder.position_at_end(block);
            let values = body(self, path);
            results.push((values, self.code.current_block()));
            self.code.go_to(after);
        }
        self.code.builder.position_at_end(after);
        let columns: Vec<_> = results
            .iter()
            .map(|(values, block)| (values.as_slice(), *block))
            .collect();
        self.merge(&columns)
    }

    /// Prepares an access; `args` are the base, and for each axis its index, extent and stride.
    pub(super) fn global_access<'t>(
        &self,
        tile: &'t GlobalTile,
        layout: &LinearLayout,
        args: &[ValueId],
    ) -> GlobalAccess<'t, 'ctx> {
        self.access_of(tile, layout, args, Strides::AsGiven)
    }

    /// Does the same as [`Self::global_access`], but keeps the addresses aligned even for elements that do
    /// not exist. The stride of an axis with one element may be any number, and is ignored.
    pub(super) fn aligned_access<'t>(
        &self,
        tile: &'t GlobalTile,
        layout: &LinearLayout,
        args: &[ValueId],
    ) -> GlobalAccess<'t, 'ctx> {
        self.access_of(tile, layout, args, Strides::OfSeveral)
    }

    fn access_of<'t>(
        &self,
        tile: &'t GlobalTile,
        layout: &LinearLayout,
        args: &[ValueId],
        strides: Strides,
    ) -> GlobalAccess<'t, 'ctx> {
        let code = &self.code;
        let width = code.int(if tile.fits_32_bits { 32 } else { 64 });
        let number = |value: ValueId| code.unsigned(self.int(value), width);
        let mut start = width.const_zero();
        let mut axes = Vec::new();
        for (axis, of_axis) in layout.shape().axes().zip(args[1..].chunks_exact(3)) {
            let &[index, extent, stride] = of_axis else {
                unreachable!("three operands per axis");
            };
            let of_tile = &tile.axes[axis.0];
            let (index, extent) = (number(index), number(extent));
            let one = width.const_int(1, false);
            let stride = if tile.contiguous == Some(axis) {
                one
            } else {
                number(stride)
            };
            let is_known = stride.get_zero_extended_constant().is_some();
            let stride = match strides {
                Strides::OfSeveral if !is_known => {
                    let counts = code.compare(IntPredicate::UGT, extent, one);
                    let counted = code.select(counts, stride, width.const_zero());
                    counted.into_int_value()
                }
                Strides::AsGiven | Strides::OfSeveral => stride,
            };
            let first = code.mul(index, width.const_int(of_tile.step, false));
            start = code.add(start, code.mul(first, stride));
            let cut = code.cut(of_tile, index, extent, first);
            let parts = AddressParts::coordinate(layout, axis);
            axes.push(AxisAccess {
                thread: self.thread.runtime(code, &parts.runs),
                is_additive: parts.constant_mask() & parts.runtime_mask() == 0,
                parts,
                stride,
                cut,
            });
        }
        let base = self.pointer(args[0]);
        let pointers = self.register_pointers(tile, &axes, base, start);
        GlobalAccess {
            plan: tile.vectors(layout),
            pointers,
            axes,
            access: self.access(tile.access),
            tile,
        }
    }

    /// Computes the address of each register's element.
    fn register_pointers(
        &self,
        tile: &GlobalTile,
        axes: &[AxisAccess<'ctx>],
        base: PointerValue<'ctx>,
        start: IntValue<'ctx>,
    ) -> Vec<PointerValue<'ctx>> {
        let code = &self.code;
        let width = start.get_type();
        let bytes = u64::from(element_bytes(tile.element));
        let advance = |pointer, elements: IntValue<'ctx>| {
            let elements = code.unsigned(elements, code.cx.i64_type());
            code.offset(pointer, code.mul(elements, code.i64(bytes)))
        };
        let mut axis_pointer = start;
        for axis in axes.iter().filter(|axis| axis.is_additive) {
            axis_pointer = code.add(axis_pointer, axis.times_stride(code, axis.thread, width));
        }
        let thread = advance(base, axis_pointer);

        let mut rows: BTreeMap<Vec<u64>, PointerValue<'ctx>> = BTreeMap::new();
        let registers = axes.first().map_or(1, |axis| axis.parts.constants.len());
        (0..registers)
            .map(|register| {
                let row: Vec<u64> = axes
                    .iter()
                    .map(|axis| match axis.immediate_stride() {
                        Some(_) => 0,
                        None => axis.parts.constants[register],
                    })
                    .collect();
                let immediate: u64 = axes
                    .iter()
                    .filter_map(|axis| {
                        Some(axis.immediate_stride()? * axis.parts.constants[register])
                    })
                    .sum();
                let start = *rows.entry(row.clone()).or_insert_with(|| {
                    let mut further = width.const_zero();
                    for (axis, &constant) in axes.iter().zip(&row) {
                        if let Some(coordinate) = axis.further_coordinate(code, constant) {
                            let part = axis.times_stride(code, coordinate, width);
                            further = code.add(further, part);
                        }
                    }
                    advance(thread, further)
                });
                code.offset(start, code.i64(immediate * bytes))
            })
            .collect()
    }
}

impl<'ctx> AxisAccess<'ctx> {
    /// Computes the coordinate of registers whose constant part is `constant`.
    pub(super) fn coordinate(
        &self,
        code: &super::code::Code<'ctx>,
        constant: u64,
    ) -> IntValue<'ctx> {
        let number = code.i32(u32::try_from(constant).expect("a tile's axis is short"));
        if self.is_additive {
            code.add_nuw(self.thread, number)
        } else {
            code.xor(self.thread, number)
        }
    }

    fn times_stride(
        &self,
        code: &super::code::Code<'ctx>,
        coordinate: IntValue<'ctx>,
        width: IntType<'ctx>,
    ) -> IntValue<'ctx> {
        code.mul(code.unsigned(coordinate, width), self.stride)
    }

    /// Returns the stride, if constant parts along this axis become immediate offsets.
    fn immediate_stride(&self) -> Option<u64> {
        self.stride
            .get_zero_extended_constant()
            .filter(|_| self.is_additive)
    }

    /// Returns the coordinate that remains to be multiplied by the stride and added to the thread's pointer,
    /// for registers whose constant part is `constant`. `None` if nothing remains.
    fn further_coordinate(
        &self,
        code: &super::code::Code<'ctx>,
        constant: u64,
    ) -> Option<IntValue<'ctx>> {
        if self.immediate_stride().is_some() || self.is_additive && constant == 0 {
            return None;
        }
        let number = code.i32(u32::try_from(constant).expect("a tile's axis is short"));
        Some(if self.is_additive {
            number
        } else {
            code.xor(self.thread, number)
        })
    }
}

impl<'ctx> GlobalAccess<'_, 'ctx> {
    pub(super) fn cuts(&self) -> impl Iterator<Item = (Axis, Cut<'ctx>)> {
        let axes = (0..).map(Axis).zip(&self.axes);
        axes.filter_map(|(axis, access)| Some((axis, access.cut?)))
    }

    /// Returns the registers that each instruction of a path accesses.
    fn groups(&self, path: Path) -> Vec<&[Register]> {
        let vectors = self.plan.groups.iter();
        match path {
            Path::Whole | Path::CutBetweenVectors => {
                vectors.map(|group| group.registers.as_slice()).collect()
            }
            Path::Ragged => vectors
                .flat_map(|group| group.registers.chunks(1))
                .collect(),
        }
    }

    /// Determines where the tensor can end, relative to vectors. Vectors of one element count as ragged.
    fn ends(&self, emitter: &Emitter<'_, 'ctx>) -> Ends<'ctx> {
        let width = self.plan.width_elements;
        let contiguous = self.tile.contiguous.filter(|_| width > 1);
        let Some(contiguous) = contiguous else {
            return Ends::Known(Path::Ragged);
        };
        match self.axes[contiguous.0].cut {
            Some(cut) if !self.tile.has_whole_vectors(width) => {
                let code = &emitter.code;
                let within = u32::try_from(width - 1).expect("a vector is short");
                let rest = code.and(cut.limit, code.i32(within));
                Ends::Tested(code.compare(IntPredicate::EQ, rest, code.i32(0)))
            }
            _ => Ends::Known(Path::CutBetweenVectors),
        }
    }
}

/// The predicates of one path, by axis and constant; each is computed once.
#[derive(Default)]
struct Predicates<'ctx> {
    by_coordinate: BTreeMap<(usize, u64), IntValue<'ctx>>,
}

impl<'ctx> Predicates<'ctx> {
    /// Computes whether the element of `register` exists; `None` if it always exists.
    fn compute(
        &mut self,
        emitter: &Emitter<'_, 'ctx>,
        access: &GlobalAccess<'_, 'ctx>,
        register: Register,
    ) -> Option<IntValue<'ctx>> {
        let code = &emitter.code;
        let parts: Vec<IntValue<'ctx>> = access
            .cuts()
            .map(|(axis, cut)| {
                let access = &access.axes[axis.0];
                let constant = access.parts.constants[register.index()];
                let key = (axis.0, constant);
                *self.by_coordinate.entry(key).or_insert_with(|| {
                    let number = u32::try_from(constant).expect("a tile's axis is short");
                    let number = code.i32(number);
                    if access.is_additive {
                        // This is `thread + constant < limit`, with one subtraction for all registers.
                        let left = code.sub(cut.limit, access.thread);
                        return code.compare(IntPredicate::SGT, left, number);
                    }
                    let coordinate = code.xor(access.thread, number);
                    code.compare(IntPredicate::ULT, coordinate, cut.limit)
                })
            })
            .collect();
        code.all(parts)
    }
}
