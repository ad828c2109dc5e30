//! Remarks on native code: what is not computed with vectors, and which tiles are stored between loops.

use tile_core::ir::{OpId, ValueId};
use tile_core::{Loc, Module, interp};

use super::emit::Even;
use super::ir::{BufferId, Inst, Kernel, Nest, Reduce, Stmt, Why};
use super::plan::Plan;
use super::{Level, build};
use crate::remarks::{Kind, Remark};

/// The level whose vectors the remarks are about. What is a vector there is one at the other levels.
const LEVEL: Level = Level::Avx2;

/// The least number of elements for which an access that is not a vector is worth a remark.
const FEW: u32 = 8;

/// The least size in bytes of a tile whose way through memory is worth a remark: half of a first-level cache.
const LARGE: u64 = 16 << 10;

/// Returns the remarks on the native code of an entry of a canonical module, in the order of the code; none if it is
/// interpreted.
pub fn remarks(module: &Module, entry: OpId) -> Vec<Remark> {
    let module = interp::with_wide_sums(module);
    let Ok(kernel) = build::build(&module, entry, LEVEL) else {
        return Vec::new();
    };
    let mut finder = Finder {
        module: &module,
        kernel: &kernel,
        remarks: Vec::new(),
        operands: Vec::new(),
    };
    Stmt::walk(&kernel.body, &mut |stmt| finder.stmt(stmt));
    finder.stored();
    let name = module.op(entry).sym_name().to_string();
    let mut remarks: Vec<Remark> = Vec::new();
    for remark in finder.remarks {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    for remark in &mut remarks {
        remark.entry.clone_from(&name);
    }
    remarks
}

struct Finder<'k> {
    module: &'k Module,
    kernel: &'k Kernel,
    remarks: Vec<Remark>,
    /// The buffers of products, which read and write memory.
    operands: Vec<BufferId>,
}

impl Finder<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Nest(nest) => self.nest(nest),
            Stmt::Product(product) => {
                self.operands.extend([product.a, product.b, product.acc]);
                if let Some(groups) = &product.groups {
                    self.nest(&groups.nest);
                }
            }
            _ => {}
        }
    }

    fn nest(&mut self, nest: &Nest) {
        let plan = Plan::of(nest, &self.kernel.vals, LEVEL);
        let even = Even::new(self.module, nest, &plan.lanes, &self.kernel.vals);
        let is_short = 1 << nest.bits < FEW;
        for inst in nest.insts.iter().filter(|_| !is_short) {
            match inst {
                Inst::Gather {
                    op,
                    is_shared,
                    address,
                    mask,
                    ..
                } => self.access(*op, "loaded", *is_shared, || even.far(*address, *mask)),
                Inst::Scatter {
                    op,
                    is_shared,
                    address,
                    mask,
                    ..
                } => self.access(*op, "stored", *is_shared, || even.far(*address, *mask)),
                Inst::Atomic { op, .. } => {
                    let why = "an atomic operation changes one element";
                    self.one_by_one(*op, "updated", why);
                }
                Inst::Reduce(reduce) if plan.lanes.is_empty() => self.sequential(reduce, false),
                Inst::Scan(reduce) if plan.lanes.is_empty() => self.sequential(reduce, true),
                _ => {}
            }
        }
    }

    fn access(
        &mut self,
        op: OpId,
        verb: &str,
        is_shared: bool,
        far: impl FnOnce() -> Option<&'static str>,
    ) {
        let why = if is_shared {
            Some("other blocks may access each at the same time, as its memory ordering says")
        } else {
            far()
        };
        if let Some(why) = why {
            self.one_by_one(op, verb, why);
        }
    }

    fn one_by_one(&mut self, op: OpId, verb: &str, why: &str) {
        let message = format!("the elements are {verb} one at a time on the CPU");
        self.add(Kind::CpuOneByOne, self.module.op(op).loc, message, why);
    }

    fn sequential(&mut self, reduce: &Reduce, is_scan: bool) {
        // One of more elements has partial results or segments, which are lanes.
        let (what, why) = if is_scan {
            ("scan", "each result needs the one before it")
        } else {
            (
                "reduction",
                if reduce.neutral.is_some() {
                    "it flushes subnormal numbers to zero, and its order is promised"
                } else {
                    "its body is more than one operation, and it has fewer than 32 elements"
                },
            )
        };
        let message = format!("the {what} is computed without vectors on the CPU");
        let loc = self.module.op(reduce.op).loc;
        self.add(Kind::CpuSequential, loc, message, why);
    }

    fn stored(&mut self) {
        for stored in &self.kernel.stored {
            let buffer = self.kernel.buffers[stored.buffer.0 as usize];
            let bytes = buffer.count * buffer.scalar.bytes() as u64;
            if bytes < LARGE || self.operands.contains(&stored.buffer) {
                continue;
            }
            let why = match stored.why {
                Why::UsedInLoop => "a loop would compute it in each iteration",
                Why::Carried => "a loop or a branch passes it on",
                Why::UsedAgain => "several loops use it, and it costs more to compute than to load",
                Why::Overwritten => {
                    "the memory that it is loaded from is stored to before its last use"
                }
                Why::Repeated => "a broadcast repeats its elements",
            };
            let message = format!(
                "a tile of {} KiB is stored and loaded again on the CPU",
                bytes >> 10
            );
            let loc = self.loc_of(stored.value);
            self.add(Kind::CpuStored, loc, message, why);
        }
    }

    /// Returns the location of the operation that defines a value, or whose region has it as an argument.
    fn loc_of(&self, value: ValueId) -> Loc {
        let op = self.module.defining_op(value);
        op.map_or(self.module.value(value).loc, |op| self.module.op(op).loc)
    }

    fn add(&mut self, kind: Kind, loc: Loc, message: String, why: &str) {
        self.remarks.push(Remark::new(kind, loc, message).note(why));
    }
}
