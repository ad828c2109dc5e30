//! Generates random valid modules.
//!
//! The input is a seed and options, the output a module that verifies. Invariants:
//!
//! - the same seed and options give the same module;
//! - nothing newer than [`GenerateOptions::version`] appears, so the module can be written in that
//!   version and in every newer one;
//! - every operation of the table that the version has is generated eventually.
//!
//! Generation is type-directed: operands are taken from a pool of the values in scope, by type, and
//! missing ones are built from constants, `iota`, `reshape`, `broadcast` and conversions.
//! Elementwise operations are generated from their rows; every other operation has a function in
//! the file of its group. The functions are called from exhaustive matches, so a new row does not
//! compile without one.

mod attrs;
mod control_flow;
mod conversion;
mod core;
mod debug;
mod elementwise;
mod memory;
mod misc;
mod types;
mod values;
mod view;

pub(super) use attrs::enum_value;
pub(super) use memory::has_mode;

use super::pool::Pool;
use super::random::Random;
use crate::build::Builder;
use crate::ir::{Attr, DiscardableAttr, Loc, Module, OpId, SymbolVisibility, ValueId};
use crate::ops::{CoreOp, Effects, Opcode, TestingOp, Version};
use crate::types::{FunctionType, Scalar, Type, TypeKind};
use arcstr::ArcStr;
use control_flow::Frame;
use debug::Scopes;

/// Options of [`generate`].
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct GenerateOptions {
    /// The newest version whose features may appear.
    pub version: Version,
    /// The approximate number of operations of a module.
    pub ops: usize,
    /// The number of entries of a module.
    pub entries: usize,
    /// The maximum number of elements of a tile.
    pub max_elements: i64,
    /// Restricts modules to those that a compiler accepts, although the verifier admits more:
    /// entries have no views or tokens as parameters, and names are valid in PTX.
    pub compilable: bool,
    /// Gives names to some values, which bytecode does not keep.
    pub value_names: bool,
    /// The locations of operations.
    pub debug: DebugLocations,
    /// Gives discardable attributes to some operations, which bytecode does not keep.
    pub discardable: bool,
    /// Adds functions of the operation `testing$func`, which bytecode does not hold.
    pub testing: bool,
}

/// The locations of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugLocations {
    /// No locations.
    None,
    /// Locations that bytecode keeps: positions in a scope, and call sites.
    Bytecode,
    /// Also locations that bytecode drops: positions without a scope, names and fused locations.
    Any,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self {
            version: Version::V13_4,
            ops: 40,
            entries: 1,
            max_elements: 1024,
            compilable: false,
            value_names: true,
            debug: DebugLocations::None,
            discardable: false,
            testing: false,
        }
    }
}

/// Generates the module of `seed`.
pub fn generate(seed: u64, options: &GenerateOptions) -> Module {
    module(Random::new(seed), options)
}

/// Generates the module whose choices are the bytes of `data`, for coverage-guided fuzzers.
pub fn generate_from_bytes(data: &[u8], options: &GenerateOptions) -> Module {
    module(Random::from_bytes(data), options)
}

fn module(random: Random<'_>, options: &GenerateOptions) -> Module {
    // Every module that is read from bytecode has this name.
    let mut module = Module::new("kernels");
    let mut generator = Generator::new(Builder::new(&mut module), random, options);
    generator.module();
    module
}

/// The maximum nesting depth of operations with regions.
const MAX_DEPTH: usize = 5;

struct Generator<'m, 'd, 'o> {
    builder: Builder<'m>,
    random: Random<'d>,
    options: &'o GenerateOptions,
    /// The operations that may be chosen, and the subset without effects.
    candidates: [Vec<Opcode>; 2],
    pool: Pool,
    /// The operations around the insertion point, outermost first.
    frames: Vec<Frame>,
    /// The number of operations that are still to be made.
    fuel: usize,
    /// The nesting depth of values that are built for other values.
    depth: usize,
    globals: Vec<(ArcStr, Scalar)>,
    scopes: Option<Scopes>,
}

impl<'m, 'd, 'o> Generator<'m, 'd, 'o> {
    fn new(builder: Builder<'m>, random: Random<'d>, options: &'o GenerateOptions) -> Self {
        let opcodes: Vec<Opcode> = Opcode::all()
            .filter(|&opcode| opcode.def().since <= options.version && is_chosen(opcode))
            .collect();
        let pure = |opcode: &Opcode| opcode.def().effects == Effects::Pure;
        let pure = opcodes.iter().copied().filter(pure).collect();
        Self {
            builder,
            random,
            options,
            candidates: [opcodes, pure],
            pool: Pool::default(),
            frames: Vec::new(),
            fuel: 0,
            depth: 0,
            globals: Vec::new(),
            scopes: None,
        }
    }

    fn has(&self, version: Version) -> bool {
        self.options.version >= version
    }

    fn module(&mut self) {
        if self.has(Version::V13_3) && self.random.one_in(3) {
            // `tileirdisasm` prints the producer verbatim as a comment.
            self.builder.module().producer = Some(self.text().replace('\n', " "));
        }
        let globals = self.random.below(3);
        for number in 0..globals {
            self.global(number);
        }
        let entries = self.options.entries.max(1);
        for number in 0..entries {
            self.fuel = self.options.ops / entries;
            self.function(CoreOp::Entry.into(), number);
        }
        if self.options.testing {
            self.fuel = self.options.ops / entries;
            self.function(TestingOp::Func.into(), 0);
        }
    }

    fn global(&mut self, number: usize) {
        let scalar = self.scalar(|scalar| scalar != Scalar::I4);
        let name: ArcStr = format!("global_{number}").into();
        let min = usize::from(scalar == Scalar::F4E2M1FN);
        let shape = [1_i64 << (min + self.random.below(5 - min))];
        let value = self.dense(scalar, &shape);
        let alignment = match self.random.below(3) {
            0 => 0,
            _ => 1 << (4 + self.random.below(5)),
        };
        let newer = self.has(Version::V13_3);
        let constant = newer && self.random.one_in(2);
        let visibility = if newer && self.random.one_in(2) {
            SymbolVisibility::Private
        } else {
            SymbolVisibility::Public
        };
        let body = self.builder.module().body();
        self.builder.set_block(body);
        self.builder
            .op(CoreOp::Global, Loc::UNKNOWN)
            .attr("sym_name", Attr::Str(name.clone()))
            .attr("value_type", Attr::Type(Type::tile(scalar, &shape)))
            .attr("value", value)
            .attr("alignment", Attr::Int(alignment))
            .flag("constant", constant)
            .attr("symbol_visibility", Attr::Visibility(visibility))
            .finish();
        self.globals.push((name, scalar));
    }

    /// Makes an entry or a testing function.
    fn function(&mut self, opcode: Opcode, number: usize) {
        let is_entry = opcode == CoreOp::Entry.into();
        let name: ArcStr = if is_entry {
            self.entry_name(number)
        } else {
            "function".into()
        };
        self.enter_scopes(&name);
        let params = self.params(is_entry);
        let results = if is_entry {
            Vec::new()
        } else {
            self.carried(3)
        };
        let signature = Type::new(TypeKind::Function(FunctionType {
            inputs: params.clone(),
            results: results.clone(),
        }));
        let hints = self.entry_hints();
        let loc = self.function_loc();
        let body = self.builder.module().body();
        self.builder.set_block(body);
        let op = self
            .builder
            .op(opcode, loc)
            .attr("sym_name", Attr::Str(name))
            .attr("function_type", Attr::Type(signature))
            .attr("optimization_hints", hints)
            .finish();
        self.discardable(op);
        self.region(op, &params, Frame::Function(results), usize::MAX);
        self.scopes = None;
    }

    fn entry_name(&mut self, number: usize) -> ArcStr {
        match self.random.below(4) {
            0 if !self.options.compilable => format!("k.{number}").into(),
            0 => format!("k${number}").into(),
            1 => format!("_Kernel_{number}").into(),
            _ => format!("kernel_{number}").into(),
        }
    }

    fn params(&mut self, is_entry: bool) -> Vec<Type> {
        let count = self.random.below(7);
        (0..count)
            .map(|_| {
                if !self.options.compilable && self.random.one_in(24) {
                    return self.any_type();
                }
                let scalar = self.scalar(|scalar| {
                    !matches!(scalar, Scalar::I4 | Scalar::F4E2M1FN | Scalar::F8E8M0FNU)
                });
                match self.random.below(4) {
                    0 | 1 => Type::pointer(scalar),
                    2 => Type::scalar(self.random.pick(&[Scalar::I32, Scalar::I64, Scalar::F32])),
                    _ if is_entry => Type::scalar(scalar),
                    _ => self.tile_type(|_| true),
                }
            })
            .collect()
    }

    /// Returns `true` if the insertion point is in a body that admits no effects.
    fn is_pure(&self) -> bool {
        matches!(self.frames.last(), Some(Frame::Pure(_)))
    }

    /// Makes random operations.
    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            if self.fuel == 0 {
                break;
            }
            self.step();
        }
    }

    fn step(&mut self) {
        let candidates = &self.candidates[usize::from(self.is_pure())];
        let opcode = candidates[self.random.below(candidates.len())];
        // An operation that cannot be made here must not be tried forever.
        self.fuel = self.fuel.saturating_sub(1);
        match opcode {
            Opcode::Core(op) => self.core(op),
            Opcode::Conversion(op) => self.conversion(op),
            Opcode::ControlFlow(op) => self.control_flow(op),
            Opcode::Memory(op) => self.memory(op),
            Opcode::Float(op) => self.float(op),
            Opcode::Integer(op) => self.integer(op),
            Opcode::Bitwise(_) => self.elementwise(opcode),
            Opcode::Atomic(op) => self.atomic(op),
            Opcode::View(op) => self.view(op),
            Opcode::Misc(op) => self.misc(op),
            Opcode::LoopDialect(_) | Opcode::Testing(_) | Opcode::Unregistered(_) => {
                unreachable!("these are not candidates")
            }
        }
    }

    /// Adds the results of an operation to the pool.
    fn define(&mut self, op: OpId) -> ValueId {
        self.fuel = self.fuel.saturating_sub(1);
        self.discardable(op);
        let results = self.builder.module().op(op).results.clone();
        for &result in &results {
            self.name(result);
            let ty = self.builder.ty(result);
            self.pool.add(ty, result);
        }
        results[0]
    }

    fn name(&mut self, value: ValueId) {
        const NAMES: [&str; 8] = ["x", "acc", "x_1", "a.b", "$v", "tok", "_", "x-y"];
        if self.options.value_names && self.random.one_in(4) {
            let name = self.random.pick(&NAMES);
            self.builder.module().value_mut(value).name = Some(name.into());
        }
    }

    fn discardable(&mut self, op: OpId) {
        const ATTRS: [(&str, Option<&str>); 5] = [
            ("test.a", None),
            ("test.b", Some("1 : i32")),
            ("test.c", Some("\"text\"")),
            ("test.d", Some("[1, 2]")),
            ("test.e", Some("{a = 1 : i64, b}")),
        ];
        if !self.options.discardable || !self.random.one_in(4) {
            return;
        }
        for (name, value) in ATTRS {
            if self.random.one_in(2) {
                let attr = DiscardableAttr {
                    name: name.into(),
                    value: value.map(Into::into),
                };
                self.builder.module().op_mut(op).discardable.push(attr);
            }
        }
    }
}

/// Returns `true` if an operation may be chosen at random: not an operation that holds entries, a
/// terminator, or one that this crate does not know.
fn is_chosen(opcode: Opcode) -> bool {
    let structure: [Opcode; 3] = [
        CoreOp::Entry.into(),
        CoreOp::Global.into(),
        CoreOp::Module.into(),
    ];
    !opcode.def().is_terminator()
        && !structure.contains(&opcode)
        && opcode.dialect().has_bytecode()
        && !matches!(opcode, Opcode::Testing(_) | Opcode::Unregistered(_))
}
