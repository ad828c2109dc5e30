//! Products in the tile registers of AMX.
//!
//! A register has up to 16 rows of 64 bytes. An instruction multiplies one of the left operand, whose rows have 16 steps, by
//! one of the right, which has these steps as rows and 16 columns, and adds the product to a third. So both operands are read
//! where other levels read them: the rows of the left one, and the panels of the right one. A block is two registers of rows by
//! two of columns: four sums, which take two registers of each operand at a time.
//!
//! The configuration, which says how many rows and bytes each register has, is loaded before a product. After it the registers
//! are released: a thread that does not use them is switched faster.

use std::fmt::Write as _;

use tile_core::types::Scalar;

use super::super::Emitter;
use super::{Block, Operands, Signs, TargetRows};

/// The rows of a register.
const ROWS: u64 = 16;

/// The steps of a row of the left operand, and the columns of the right one: elements of 32 bits.
const LANES: u64 = 16;

/// The rows of the largest block.
pub(super) const BLOCK_ROWS: u64 = 2 * ROWS;

/// The first register of the left operand, after those of four sums, and of the right one.
const LEFT: u64 = 4;
const RIGHT: u64 = 6;

/// The bytes of a step of an operand, and of a sum.
const STEP_BYTES: u64 = 4;

impl Emitter<'_> {
    /// Loads the configuration of the registers for the blocks of a product.
    pub(super) fn begin_tiles(&mut self, block: Block<'_>) {
        let (rows, steps) = (block.rows.min(ROWS), block.steps.min(LANES));
        let columns = block.product.panel.min(LANES);
        let mut bytes_of_rows = [0; 16];
        let mut counts = [0; 16];
        for register in 0..8 {
            let (count, lanes) = match register {
                RIGHT.. => (steps, columns),
                LEFT.. => (rows, steps),
                _ => (rows, columns),
            };
            let register = usize::try_from(register).expect("few registers");
            bytes_of_rows[register] = lanes * STEP_BYTES;
            counts[register] = count;
        }
        // Palette 1, from row 0 on, and reserved bytes.
        let mut bytes = vec![1];
        bytes.extend([0; 15]);
        bytes.extend(bytes_of_rows.iter().flat_map(|&it| [it, 0]));
        bytes.extend(counts);
        let elements: Vec<String> = bytes.iter().map(|byte| format!("i8 {byte}")).collect();
        let name = self.fresh().replace('%', "@tiles.");
        let _ = writeln!(
            self.globals,
            "{name} = private unnamed_addr constant [64 x i8] [{}], align 64",
            elements.join(", ")
        );
        self.tile_instruction("ldtilecfg", &["ptr"], &[name]);
    }

    pub(super) fn end_tiles(&mut self) {
        self.tile_instruction("tilerelease", &[], &[]);
    }

    /// Adds the product of some rows with a part of a panel to the accumulators, in registers.
    pub(super) fn block_of_tiles(&mut self, block: Block<'_>, operands: &Operands) {
        let Block { product, steps, .. } = block;
        let (rows, columns) = (block.rows.div_ceil(ROWS), product.panel.div_ceil(LANES));
        let [right_stride, sums_stride] = [product.panel, product.n].map(|it| it * STEP_BYTES);
        let left_stride = &operands.a.stride;
        let register_rows = self.value(&format!("mul i64 {ROWS}, {left_stride}"));
        let mut sums = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let offset = row * ROWS * sums_stride + column * LANES * STEP_BYTES;
                let at = self.after(&operands.acc, offset);
                sums.push((row, column, at));
            }
        }
        self.choose(
            operands.is_first.as_ref(),
            |this| {
                for (row, column, _) in &sums {
                    let register = (row * 2 + column).to_string();
                    this.tile_instruction("tilezero", &["i8"], &[register]);
                }
            },
            |this| {
                for (row, column, at) in &sums {
                    this.load_tile(row * 2 + column, at, &sums_stride.to_string());
                }
            },
        );
        let steps_of_row = steps.min(LANES);
        let looping = self.begin_loop(steps / steps_of_row);
        let left = self.moved(
            &operands.a.start,
            looping.counter(),
            steps_of_row * STEP_BYTES,
        );
        let right = self.moved(&operands.b, looping.counter(), steps_of_row * right_stride);
        if let Some(start) = &operands.ahead {
            self.prefetch_rows(block, start, left_stride, looping.counter());
        }
        for row in 0..rows {
            let offset = self.value(&format!("mul i64 {register_rows}, {row}"));
            let at = self.value(&format!("getelementptr i8, ptr {left}, i64 {offset}"));
            self.load_tile(LEFT + row, &at, left_stride);
            for column in 0..columns {
                if row == 0 {
                    let at = self.after(&right, column * LANES * STEP_BYTES);
                    self.load_tile(RIGHT + column, &at, &right_stride.to_string());
                }
                let registers = [row * 2 + column, LEFT + row, RIGHT + column];
                let registers = registers.map(|it| it.to_string());
                let name = match (product.operand, product.signs) {
                    (Scalar::BF16, _) => "tdpbf16ps",
                    (_, Signs::Both | Signs::LeftShifted) => "tdpbssd",
                    (_, Signs::Left) => "tdpbsud",
                    (_, Signs::Right) => "tdpbusd",
                    (_, Signs::Neither) => "tdpbuud",
                };
                self.tile_instruction(name, &["i8"; 3], &registers);
            }
        }
        self.end_loop(looping);
        let target = operands.target.as_ref();
        self.choose(
            target.map(|target| &target.holds),
            |this| {
                let TargetRows { rows, .. } = target.expect("it has a condition");
                for (row, column, _) in &sums {
                    let of_row = this.rows_from(rows, &row.to_string(), ROWS);
                    let at = this.after(&of_row.start, column * LANES * STEP_BYTES);
                    this.store_tile(row * 2 + column, &at, &rows.stride);
                }
            },
            |this| {
                for (row, column, at) in &sums {
                    this.store_tile(row * 2 + column, at, &sums_stride.to_string());
                }
            },
        );
    }

    /// Prefetches what one panel has to of rows that are multiplied later: the bytes of a register's row from each, into the
    /// second-level cache.
    fn prefetch_rows(&mut self, block: Block<'_>, start: &str, stride: &str, counter: &str) {
        self.declare("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)".to_owned());
        let panels = block.product.n / block.product.panel;
        let start = self.moved(start, counter, LANES * STEP_BYTES);
        for number in 0..block.rows.div_ceil(panels) {
            let offset = self.value(&format!("mul i64 {stride}, {}", number * panels));
            let at = self.value(&format!("getelementptr i8, ptr {start}, i64 {offset}"));
            // To read, with this locality, data.
            let operands = format!("ptr {at}, i32 0, i32 2, i32 1");
            self.line(&format!("call void @llvm.prefetch.p0({operands})"));
        }
    }

    fn load_tile(&mut self, register: u64, at: &str, stride: &str) {
        let operands = [register.to_string(), at.to_owned(), stride.to_owned()];
        self.tile_instruction("tileloadd64", &["i8", "ptr", "i64"], &operands);
    }

    fn store_tile(&mut self, register: u64, at: &str, stride: &str) {
        let operands = [register.to_string(), at.to_owned(), stride.to_owned()];
        self.tile_instruction("tilestored64", &["i8", "ptr", "i64"], &operands);
    }

    fn tile_instruction(&mut self, name: &str, types: &[&str], operands: &[String]) {
        self.declare(format!(
            "declare void @llvm.x86.{name}({})",
            types.join(", ")
        ));
        let operands: Vec<String> = types
            .iter()
            .zip(operands)
            .map(|(ty, operand)| format!("{ty} {operand}"))
            .collect();
        self.line(&format!(
            "call void @llvm.x86.{name}({})",
            operands.join(", ")
        ));
    }
}
