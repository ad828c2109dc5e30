//! Matrix products: accumulators in registers, over rows and vectors of columns.
//!
//! A block of rows is multiplied by a part of a panel at a time: its accumulators are loaded, take one row of the part in
//! each step, and are stored. What is left of the rows, if their number is no multiple of a block's, is a smaller block.

use tile_core::types::Scalar;

use super::super::Level;
use super::super::ir::{Product, Signs, Target, Unit};
use super::gather::Odds;
use super::nest::Iteration;
use super::{Emitter, scalar_type, suffix, vector_type};

mod left;
mod tiles;

/// The bytes of a part of a panel, half of a first-level cache.
const PANEL_BYTES: u64 = 16 << 10;

/// The number of steps that are written out in the innermost loop.
const UNROLLED: u64 = 2;

/// Where the rows of the left operand begin, and their distance in bytes.
#[derive(Clone)]
struct Rows {
    start: String,
    stride: String,
}

/// Where the operands of a block begin, and the metadata of accesses to them.
struct Operands {
    a: Rows,
    b: String,
    acc: String,
    /// The condition under which the sums begin as zeros.
    is_first: Option<String>,
    /// The rows of a tensor that they go to instead, if a condition holds.
    target: Option<TargetRows>,
    /// See [`Emitter::excess`].
    excess: Vec<String>,
    aliases: [String; 3],
    /// The address of the first of the rows of `a` that are prefetched; see [`Emitter::rows_ahead`].
    ahead: Option<String>,
}

/// The rows of a tensor that sums are stored to.
#[derive(Clone)]
struct TargetRows {
    holds: String,
    rows: Rows,
    alias: String,
}

/// The extents of a block, in elements, and of its operands.
#[derive(Clone, Copy)]
struct Block<'p> {
    product: &'p Product,
    rows: u64,
    lanes: u64,
    vectors: u64,
    steps: u64,
}

impl Emitter<'_> {
    pub(super) fn product(&mut self, product: &Product) {
        let &Product {
            batch,
            m,
            n,
            a,
            b,
            panel,
            acc,
            scalar,
            ..
        } = product;
        // Elements of the sums and steps of the operands have as many bytes.
        let (bytes, k) = (scalar.bytes() as u64, product.steps());
        let lanes = panel.min(u64::from(self.level.vector_bytes()) / bytes);
        let vectors = panel / lanes;
        let group = product.rows();
        let rows = match product.unit {
            Unit::Vectors => self.rows_of_block(group, vectors),
            Unit::Tiles => group.min(tiles::BLOCK_ROWS),
        };
        // The part of a panel that stays in the first-level cache while all rows are multiplied by it.
        let steps = k.min((PANEL_BYTES / (panel * bytes)).max(1));
        let mut aliases = [a, b, acc].map(|buffer| self.buffer_alias(buffer));
        if let Some(groups) = &product.groups
            && groups.in_memory(product.k).is_some()
        {
            // The rows are in a buffer or in a tensor.
            aliases[0].clear();
        }
        let [a, b, acc] = [a, b, acc].map(|buffer| self.buffer(buffer));
        let block = Block {
            product,
            rows,
            lanes,
            vectors,
            steps,
        };
        if product.unit == Unit::Tiles {
            self.begin_tiles(block);
        }
        let batches = self.begin_loop(batch);
        let b = self.moved(&b, batches.counter(), k * n * bytes);
        let acc = self.moved(&acc, batches.counter(), m * n * bytes);
        let demanded = product.demanded.map(|both| both.map(|val| self.val(val)));
        let target = product.target.as_ref().map(|target| self.target(target, n));
        let is_first = product.is_first.map(|val| self.val(val));
        let trips = self.parts(demanded.as_ref().map(|[rows, _]| rows), group, m / group);
        let groups = self.begin_loop_of(trips);
        let number = self.value(&format!("mul i64 {}, {}", batches.counter(), m / group));
        let number = self.value(&format!("add i64 {number}, {}", groups.counter()));
        let a = match &product.groups {
            Some(groups) => {
                let packed = Rows {
                    start: a,
                    stride: (k * bytes).to_string(),
                };
                self.group(groups, product.k, &number, packed)
            }
            None => Rows {
                start: self.moved(&a, &number, m * k * bytes),
                stride: (k * bytes).to_string(),
            },
        };
        let acc = self.moved(&acc, groups.counter(), group * n * bytes);
        let target = target.map(|target| self.target_from(&target, groups.counter(), group));
        self.lanes = u32::try_from(lanes).expect("few lanes");
        let of_group = demanded.as_ref().map(|[rows, _]| {
            let before = self.value(&format!("mul i64 {}, {group}", groups.counter()));
            self.value(&format!("sub i64 {rows}, {before}"))
        });
        let trips = self.parts(
            demanded.as_ref().map(|[_, columns]| columns),
            panel,
            n / panel,
        );
        let panels = self.begin_loop_of(trips);
        let b = self.moved(&b, panels.counter(), k * panel * bytes);
        let acc = self.moved(&acc, panels.counter(), panel * bytes);
        let target = target.map(|mut target| {
            target.rows.start = self.moved(&target.rows.start, panels.counter(), panel * bytes);
            target
        });
        let ahead = self.rows_ahead(product, &a, groups.counter(), panels.counter());
        let chunks = self.begin_loop(k / steps);
        let ahead = ahead.map(|start| self.moved(&start, chunks.counter(), steps * bytes));
        let b = self.moved(&b, chunks.counter(), steps * panel * bytes);
        let a = Rows {
            start: self.moved(&a.start, chunks.counter(), steps * bytes),
            ..a
        };
        let excess = self.excess(block, &b, &aliases[1]);
        let is_first = is_first.map(|holds| self.and_equal(&holds, chunks.counter(), 0));
        let target = target.map(|mut target| {
            target.holds = self.and_equal(&target.holds, chunks.counter(), k / steps - 1);
            target
        });
        let trips = self.parts(of_group.as_ref(), rows, group / rows);
        let blocks = self.begin_loop_of(trips);
        let operands = Operands {
            a: self.rows_from(&a, blocks.counter(), rows),
            b: b.clone(),
            acc: self.moved(&acc, blocks.counter(), rows * n * bytes),
            is_first: is_first.clone(),
            target: target
                .as_ref()
                .map(|target| self.target_from(target, blocks.counter(), rows)),
            excess: excess.clone(),
            aliases: aliases.clone(),
            ahead: ahead.map(|start| {
                let rows_ahead = Rows { start, ..a.clone() };
                self.rows_from(&rows_ahead, blocks.counter(), rows).start
            }),
        };
        self.block(block, &operands);
        self.end_loop(blocks);
        if !group.is_multiple_of(rows) {
            let whole = (group / rows).to_string();
            let operands = Operands {
                a: self.rows_from(&a, &whole, rows),
                b,
                acc: self.moved(&acc, &whole, rows * n * bytes),
                is_first,
                target: target.map(|target| self.target_from(&target, &whole, rows)),
                excess,
                aliases,
                ahead: None,
            };
            let rows = group % rows;
            self.block(Block { rows, ..block }, &operands);
        }
        self.end_loop(chunks);
        self.end_loop(panels);
        self.end_loop(groups);
        self.end_loop(batches);
        if product.unit == Unit::Tiles {
            self.end_tiles();
        }
    }

    /// Returns the rows of `n` elements that sums are stored to.
    fn target(&mut self, target: &Target, n: u64) -> TargetRows {
        let Target { holds, place } = target;
        let holds = self.val(*holds);
        let (start, alias) = self.base(place.base);
        let rows = Rows {
            start: self.address(&start, place, &Iteration::default()),
            stride: self.row_stride(place, n),
        };
        TargetRows { holds, rows, alias }
    }

    fn target_from(&mut self, target: &TargetRows, counter: &str, count: u64) -> TargetRows {
        TargetRows {
            rows: self.rows_from(&target.rows, counter, count),
            ..target.clone()
        }
    }

    fn and_equal(&mut self, holds: &str, counter: &str, number: u64) -> String {
        let is_equal = self.value(&format!("icmp eq i64 {counter}, {number}"));
        self.value(&format!("and i1 {holds}, {is_equal}"))
    }

    /// Does one thing or another, by a condition; the other one without it.
    fn choose(
        &mut self,
        condition: Option<&String>,
        yes: impl FnOnce(&mut Self),
        no: impl FnOnce(&mut Self),
    ) {
        match condition {
            Some(condition) => self.do_one_of((condition, Odds::Unknown), yes, no),
            None => no(self),
        }
    }

    /// Returns how many of `all` parts of `size` rows or columns have those that are demanded; at least one.
    fn parts(&mut self, demanded: Option<&String>, size: u64, all: u64) -> String {
        let Some(demanded) = demanded.filter(|_| all > 1) else {
            return all.to_string();
        };
        let mut number = |instruction: &str| self.value(instruction);
        let is_none = number(&format!("icmp slt i64 {demanded}, 1"));
        let some = number(&format!("select i1 {is_none}, i64 1, i64 {demanded}"));
        let end = number(&format!("add i64 {some}, {}", size - 1));
        let parts = number(&format!("udiv i64 {end}, {size}"));
        let is_less = number(&format!("icmp ult i64 {parts}, {all}"));
        number(&format!("select i1 {is_less}, i64 {parts}, i64 {all}"))
    }

    /// Returns the rows of a block whose accumulators fit the registers: all blocks have about as many.
    fn rows_of_block(&self, rows: u64, vectors: u64) -> u64 {
        // What is left of the registers holds operands.
        let accumulators = match self.level {
            Level::Avx512 | Level::Avx512Bf16 | Level::Amx => 24,
            Level::Neon => 16,
            Level::Avx2 => 12,
            Level::Baseline => 8,
        };
        rows.div_ceil(rows.div_ceil(accumulators / vectors))
    }

    /// Returns the rows from `counter * count` on.
    fn rows_from(&mut self, rows: &Rows, counter: &str, count: u64) -> Rows {
        let number = self.value(&format!("mul i64 {counter}, {count}"));
        let offset = self.value(&format!("mul i64 {number}, {}", rows.stride));
        let start = self.value(&format!(
            "getelementptr i8, ptr {}, i64 {offset}",
            rows.start
        ));
        Rows {
            start,
            stride: rows.stride.clone(),
        }
    }

    /// Returns the address `counter * bytes` after `start`.
    fn moved(&mut self, start: &str, counter: &str, bytes: u64) -> String {
        let offset = self.value(&format!("mul i64 {counter}, {bytes}"));
        self.value(&format!("getelementptr i8, ptr {start}, i64 {offset}"))
    }

    /// Adds the product of some rows with a part of a panel to the accumulators.
    fn block(&mut self, block: Block<'_>, operands: &Operands) {
        match block.product.unit {
            Unit::Vectors => self.block_of_vectors(block, operands),
            Unit::Tiles => self.block_of_tiles(block, operands),
        }
    }

    fn block_of_vectors(&mut self, block: Block<'_>, operands: &Operands) {
        let Block {
            product,
            rows,
            lanes,
            vectors,
            steps,
        } = block;
        let &Product {
            n, panel, scalar, ..
        } = product;
        let bytes = scalar.bytes() as u64;
        let ty = vector_type(scalar, self.lanes);
        let element = scalar_type(scalar);
        let [a_alias, b_alias, acc_alias] = &operands.aliases;
        let mut sums = Vec::new();
        for row in 0..rows {
            for vector in 0..vectors {
                let offset = (row * n + vector * lanes) * bytes;
                let at = self.value(&format!(
                    "getelementptr i8, ptr {}, i64 {offset}",
                    operands.acc
                ));
                let variable = self.at_entry(&format!("alloca {ty}"));
                sums.push((at, variable));
            }
        }
        self.choose(
            operands.is_first.as_ref(),
            |this| {
                for (_, variable) in &sums {
                    this.line(&format!("store {ty} zeroinitializer, ptr {variable}"));
                }
            },
            |this| {
                for (at, variable) in &sums {
                    let load = format!("load {ty}, ptr {at}, align {bytes}{acc_alias}");
                    let start = this.value(&load);
                    this.line(&format!("store {ty} {start}, ptr {variable}"));
                }
            },
        );
        let unrolled = steps.min(UNROLLED);
        let looping = self.begin_loop(steps / unrolled);
        let a = self.moved(&operands.a.start, looping.counter(), unrolled * bytes);
        let b = self.moved(&operands.b, looping.counter(), unrolled * panel * bytes);
        for step in 0..unrolled {
            let mut columns = Vec::new();
            for vector in 0..vectors {
                let offset = (step * panel + vector * lanes) * bytes;
                let at = self.value(&format!("getelementptr i8, ptr {b}, i64 {offset}"));
                columns.push(self.value(&format!("load {ty}, ptr {at}, align {bytes}{b_alias}")));
            }
            let mut sums = sums.iter();
            for row in 0..rows {
                let of_row = self.value(&format!("mul i64 {row}, {}", operands.a.stride));
                let at = self.value(&format!("getelementptr i8, ptr {a}, i64 {of_row}"));
                let at = self.value(&format!("getelementptr i8, ptr {at}, i64 {}", step * bytes));
                let one = self.value(&format!("load {element}, ptr {at}, align {bytes}{a_alias}"));
                let one = self.splat_value(&one, scalar);
                for (column, (_, variable)) in columns.iter().zip(&mut sums) {
                    let old = self.value(&format!("load {ty}, ptr {variable}"));
                    let new = match product.operand {
                        Scalar::I8 => {
                            let operands = match product.signs {
                                Signs::Left => [column, &one],
                                _ => [&one, column],
                            };
                            self.add_dot_products_of_bytes(operands, &old)
                        }
                        Scalar::BF16 => self.add_dot_products_of_bf16([&one, column], &old),
                        Scalar::I16 => self.multiply_add_pairs(&one, column, &old),
                        _ => self.multiply_add(&ty, scalar, &one, column, &old),
                    };
                    self.line(&format!("store {ty} {new}, ptr {variable}"));
                }
            }
        }
        self.end_loop(looping);
        let mut ends = Vec::new();
        for (number, (at, variable)) in sums.into_iter().enumerate() {
            let mut sum = self.value(&format!("load {ty}, ptr {variable}"));
            if !operands.excess.is_empty() {
                let excess = &operands.excess[number % operands.excess.len()];
                sum = self.value(&format!("sub {ty} {sum}, {excess}"));
            }
            ends.push((at, sum));
        }
        let target = operands.target.as_ref();
        self.choose(
            target.map(|target| &target.holds),
            |this| {
                let TargetRows { rows, alias, .. } = target.expect("it has a condition");
                for (number, (_, sum)) in (0..).zip(&ends) {
                    let row = this.rows_from(rows, &(number / vectors).to_string(), 1);
                    let at = this.after(&row.start, number % vectors * lanes * bytes);
                    this.line(&format!("store {ty} {sum}, ptr {at}, align 1{alias}"));
                }
            },
            |this| {
                for (at, sum) in &ends {
                    this.line(&format!(
                        "store {ty} {sum}, ptr {at}, align {bytes}{acc_alias}"
                    ));
                }
            },
        );
    }

    fn after(&mut self, start: &str, bytes: u64) -> String {
        self.value(&format!("getelementptr i8, ptr {start}, i64 {bytes}"))
    }

    /// Returns the excess of the sums of each vector of columns over their products, because of [`Signs::LeftShifted`]: 128
    /// times the sums of the columns of a part of a panel. Returns nothing for other signs, which have no excess.
    fn excess(&mut self, block: Block<'_>, b: &str, alias: &str) -> Vec<String> {
        let Block {
            product,
            lanes,
            vectors,
            steps,
            ..
        } = block;
        if product.operand != Scalar::I8 || product.signs != Signs::LeftShifted {
            return Vec::new();
        }
        let ty = vector_type(Scalar::I32, self.lanes);
        let bytes = Scalar::I32.bytes() as u64;
        let shift = self.splat(Scalar::I32, 0x8080_8080);
        let variables: Vec<String> = (0..vectors)
            .map(|_| {
                let variable = self.at_entry(&format!("alloca {ty}"));
                self.line(&format!("store {ty} zeroinitializer, ptr {variable}"));
                variable
            })
            .collect();
        let looping = self.begin_loop(steps);
        let b = self.moved(b, looping.counter(), product.panel * bytes);
        for (variable, vector) in variables.iter().zip(0..) {
            let offset = vector * lanes * bytes;
            let at = self.value(&format!("getelementptr i8, ptr {b}, i64 {offset}"));
            let column = self.value(&format!("load {ty}, ptr {at}, align {bytes}{alias}"));
            let old = self.value(&format!("load {ty}, ptr {variable}"));
            let new = self.add_dot_products_of_bytes([&shift, &column], &old);
            self.line(&format!("store {ty} {new}, ptr {variable}"));
        }
        self.end_loop(looping);
        variables
            .iter()
            .map(|variable| self.value(&format!("load {ty}, ptr {variable}")))
            .collect()
    }

    /// Adds the products of the four bytes of each lane to the lane, those of the first operand without signs, those of the
    /// second with signs. The sum wraps; nothing saturates.
    fn add_dot_products_of_bytes(&mut self, [a, b]: [&String; 2], c: &str) -> String {
        let ty = vector_type(Scalar::I32, self.lanes);
        let name = format!("llvm.x86.avx512.vpdpbusd.{}", self.lanes * 32);
        let bytes = vector_type(Scalar::I8, 4 * self.lanes);
        self.declare(format!("declare {ty} @{name}({ty}, {bytes}, {bytes})"));
        let [a, b] = [a, b].map(|four| self.value(&format!("bitcast {ty} {four} to {bytes}")));
        self.value(&format!(
            "call {ty} @{name}({ty} {c}, {bytes} {a}, {bytes} {b})"
        ))
    }

    /// Adds the products of the two bf16 of each lane to the lane. Subnormal elements count as zeros, and subnormal sums become
    /// zeros.
    fn add_dot_products_of_bf16(&mut self, [a, b]: [&String; 2], c: &str) -> String {
        let ty = vector_type(Scalar::F32, self.lanes);
        let name = format!("llvm.x86.avx512bf16.dpbf16ps.{}", self.lanes * 32);
        let pairs = format!("<{} x bfloat>", 2 * self.lanes);
        self.declare(format!("declare {ty} @{name}({ty}, {pairs}, {pairs})"));
        let [a, b] = [a, b].map(|two| self.value(&format!("bitcast {ty} {two} to {pairs}")));
        self.value(&format!(
            "call {ty} @{name}({ty} {c}, {pairs} {a}, {pairs} {b})"
        ))
    }

    fn multiply_add(&mut self, ty: &str, scalar: Scalar, a: &str, b: &str, c: &str) -> String {
        if !scalar.is_float() {
            let product = self.value(&format!("mul {ty} {a}, {b}"));
            return self.value(&format!("add {ty} {product}, {c}"));
        }
        if self.level.has_fma() {
            let name = format!("llvm.fma.{}", suffix(scalar, self.lanes));
            self.declare(format!("declare {ty} @{name}({ty}, {ty}, {ty})"));
            return self.value(&format!("call {ty} @{name}({ty} {a}, {ty} {b}, {ty} {c})"));
        }
        let product = self.value(&format!("fmul {ty} {a}, {b}"));
        self.value(&format!("fadd {ty} {product}, {c}"))
    }

    /// Adds the products of both halves of each lane, which are 16-bit integers, to the lane.
    ///
    /// Elements of 8 bits are meant: the sum of two products of theirs is below 2^18, so the instructions are exact.
    fn multiply_add_pairs(&mut self, a: &str, b: &str, c: &str) -> String {
        let ty = vector_type(Scalar::I32, self.lanes);
        let name = match self.lanes {
            16 => "llvm.x86.avx512.pmaddw.d.512",
            8 => "llvm.x86.avx2.pmadd.wd",
            4 => "llvm.x86.sse2.pmadd.wd",
            _ => return self.multiply_add_halves(a, b, c),
        };
        let halves = vector_type(Scalar::I16, 2 * self.lanes);
        self.declare(format!("declare {ty} @{name}({halves}, {halves})"));
        let [a, b] = [a, b].map(|pairs| self.value(&format!("bitcast {ty} {pairs} to {halves}")));
        let sum = self.value(&format!("call {ty} @{name}({halves} {a}, {halves} {b})"));
        self.value(&format!("add {ty} {sum}, {c}"))
    }

    /// Does the same without an instruction for it.
    fn multiply_add_halves(&mut self, a: &str, b: &str, c: &str) -> String {
        let ty = vector_type(Scalar::I32, self.lanes);
        let sixteen = self.splat(Scalar::I32, 16);
        let mut sum = c.to_owned();
        let upper = [a, b].map(|pairs| self.value(&format!("ashr {ty} {pairs}, {sixteen}")));
        let lower = [a, b].map(|pairs| {
            let moved = self.value(&format!("shl {ty} {pairs}, {sixteen}"));
            self.value(&format!("ashr {ty} {moved}, {sixteen}"))
        });
        for [a, b] in [lower, upper] {
            let product = self.value(&format!("mul {ty} {a}, {b}"));
            sum = self.value(&format!("add {ty} {sum}, {product}"));
        }
        sum
    }
}
