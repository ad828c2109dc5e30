//! Matrix products: accumulators in registers, over rows and vectors of columns.

use super::super::Level;
use super::super::ir::Product;
use super::{Emitter, scalar_type, suffix, vector_type};

/// The bytes of a part of a panel, half of a first-level cache.
const PANEL_BYTES: u64 = 16 << 10;

impl Emitter<'_> {
    pub(super) fn product(&mut self, product: &Product) {
        let &Product {
            batch,
            m,
            n,
            k,
            a,
            b,
            panel,
            acc,
            scalar,
        } = product;
        let bytes = scalar.bytes() as u64;
        let lanes = panel.min(u64::from(self.level.vector_bytes()) / bytes);
        let vectors = panel / lanes;
        // 32 registers hold 16 accumulators, 16 hold 8, with operands beside them.
        let accumulators = if self.level == Level::Avx512 || self.level == Level::Neon {
            16
        } else {
            8
        };
        let rows = m.min((accumulators / vectors).max(1));
        // The part of a panel that stays in the first-level cache while all rows are multiplied by it.
        let chunk = k.min((PANEL_BYTES / (panel * bytes)).max(1));
        let lanes32 = u32::try_from(lanes).expect("few lanes");
        self.lanes = lanes32;
        let (ty, element) = (vector_type(scalar, lanes32), scalar_type(scalar));
        let (a_alias, b_alias, acc_alias) = (
            self.buffer_alias(a),
            self.buffer_alias(b),
            self.buffer_alias(acc),
        );
        let [a, b, acc] = [a, b, acc].map(|buffer| self.buffer(buffer));
        let batches = self.begin_loop(batch);
        let [a, b, acc] = [(a, m * k), (b, k * n), (acc, m * n)].map(|(start, count)| {
            let offset = self.value(&format!("mul i64 {}, {}", batches.counter(), count * bytes));
            self.value(&format!("getelementptr i8, ptr {start}, i64 {offset}"))
        });
        let panels = self.begin_loop(n / panel);
        let offset = self.value(&format!(
            "mul i64 {}, {}",
            panels.counter(),
            k * panel * bytes
        ));
        let b = self.value(&format!("getelementptr i8, ptr {b}, i64 {offset}"));
        let offset = self.value(&format!("mul i64 {}, {}", panels.counter(), panel * bytes));
        let acc = self.value(&format!("getelementptr i8, ptr {acc}, i64 {offset}"));
        let chunks = self.begin_loop(k / chunk);
        let offset = self.value(&format!(
            "mul i64 {}, {}",
            chunks.counter(),
            chunk * panel * bytes
        ));
        let b = self.value(&format!("getelementptr i8, ptr {b}, i64 {offset}"));
        let offset = self.value(&format!("mul i64 {}, {}", chunks.counter(), chunk * bytes));
        let a = self.value(&format!("getelementptr i8, ptr {a}, i64 {offset}"));
        let blocks = self.begin_loop(m / rows);
        let offset = self.value(&format!(
            "mul i64 {}, {}",
            blocks.counter(),
            rows * k * bytes
        ));
        let a = self.value(&format!("getelementptr i8, ptr {a}, i64 {offset}"));
        let offset = self.value(&format!(
            "mul i64 {}, {}",
            blocks.counter(),
            rows * n * bytes
        ));
        let acc = self.value(&format!("getelementptr i8, ptr {acc}, i64 {offset}"));
        let mut sums = Vec::new();
        for row in 0..rows {
            for vector in 0..vectors {
                let offset = (row * n + vector * lanes) * bytes;
                let at = self.value(&format!("getelementptr i8, ptr {acc}, i64 {offset}"));
                let variable = self.at_entry(&format!("alloca {ty}"));
                let start = self.value(&format!("load {ty}, ptr {at}, align {bytes}{acc_alias}"));
                self.line(&format!("store {ty} {start}, ptr {variable}"));
                sums.push((at, variable));
            }
        }
        let steps = self.begin_loop(chunk);
        let offset = self.value(&format!("mul i64 {}, {}", steps.counter(), panel * bytes));
        let b = self.value(&format!("getelementptr i8, ptr {b}, i64 {offset}"));
        let mut columns = Vec::new();
        for vector in 0..vectors {
            let at = self.value(&format!(
                "getelementptr i8, ptr {b}, i64 {}",
                vector * lanes * bytes
            ));
            columns.push(self.value(&format!("load {ty}, ptr {at}, align {bytes}{b_alias}")));
        }
        let offset = self.value(&format!("mul i64 {}, {bytes}", steps.counter()));
        let a = self.value(&format!("getelementptr i8, ptr {a}, i64 {offset}"));
        for row in 0..rows {
            let at = self.value(&format!(
                "getelementptr i8, ptr {a}, i64 {}",
                row * k * bytes
            ));
            let one = self.value(&format!("load {element}, ptr {at}, align {bytes}{a_alias}"));
            let one = self.splat_value(&one, scalar);
            for (vector, column) in (0..vectors).zip(&columns) {
                let (_, variable) =
                    &sums[usize::try_from(row * vectors + vector).expect("few")].clone();
                let old = self.value(&format!("load {ty}, ptr {variable}"));
                let new = self.multiply_add(&ty, scalar, &one, column, &old);
                self.line(&format!("store {ty} {new}, ptr {variable}"));
            }
        }
        self.end_loop(steps);
        for (at, variable) in sums {
            let sum = self.value(&format!("load {ty}, ptr {variable}"));
            self.line(&format!(
                "store {ty} {sum}, ptr {at}, align {bytes}{acc_alias}"
            ));
        }
        self.end_loop(blocks);
        self.end_loop(chunks);
        self.end_loop(panels);
        self.end_loop(batches);
    }

    fn multiply_add(
        &mut self,
        ty: &str,
        scalar: tile_core::types::Scalar,
        a: &str,
        b: &str,
        c: &str,
    ) -> String {
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
}
