//! Compares `tcgen05.mma` in every form with plain loops.
//!
//! [`places`] defines the positions of elements in tensor memory. All of tensor memory is compared,
//! so that unintended writes are detected.
#![expect(
    clippy::needless_range_loop,
    clippy::format_push_string,
    reason = "plain loops over rows and columns; a text that grows"
)]

mod faults;
mod forms;
mod places;

use crate::random::Random;
use crate::tcgen05_run::{Machine, Major, Matrix, Swizzle};
use crate::warp_run::{element, number, sum_bits};

#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
struct Case {
    kind: &'static str,
    /// The types.
    a: &'static str,
    b: &'static str,
    d: &'static str,
    m: usize,
    n: usize,
    /// The number of blocks.
    group: usize,
    ws: bool,
    sparse: bool,
    selector: usize,
    a_in_tensor: bool,
    a_layout: (Major, Swizzle),
    b_layout: (Major, Swizzle),
    /// The number of chunks before the matrix in the line of K-major matrices.
    before: usize,
    accumulate: bool,
    scale_d: u32,
    negate: (bool, bool),
    saturate: bool,
    /// `disable-output-lane`.
    mask: bool,
    /// `.scale_vectorsize`.
    blocks: &'static str,
    scale_type: &'static str,
    /// The scale factor IDs.
    ids: (usize, usize),
    /// The first lane: 0 or 16.
    first: usize,
    ashift: bool,
    collector: &'static str,
    /// The zero-column mask and the maximum shift.
    zero: Option<(u64, u32)>,
    issuer: usize,
    /// Is `true` for K = 96.
    long: bool,
    /// Is `true` if matrix descriptors have the leading dimension as an absolute address.
    absolute: bool,
}

const PLAIN: Case = Case {
    kind: "f16",
    a: "f16",
    b: "f16",
    d: "f32",
    m: 128,
    n: 32,
    group: 1,
    ws: false,
    sparse: false,
    selector: 0,
    a_in_tensor: false,
    a_layout: (Major::K, Swizzle::By128),
    b_layout: (Major::K, Swizzle::By128),
    before: 0,
    accumulate: true,
    scale_d: 0,
    negate: (false, false),
    saturate: false,
    mask: false,
    blocks: "",
    scale_type: "ue8m0",
    ids: (0, 0),
    first: 0,
    ashift: false,
    collector: "",
    zero: None,
    issuer: 0,
    long: false,
    absolute: false,
};

impl Case {
    fn scaled(&self) -> bool {
        self.kind.starts_with("mx")
    }

    fn four(&self) -> bool {
        self.kind.starts_with("mxf4")
    }

    /// Returns the bits per element in shared memory, and the elements per 16 bytes.
    fn packing(&self, ty: &str) -> (usize, usize) {
        match ty {
            "tf32" => (32, 4),
            "f16" | "bf16" => (16, 8),
            "e2m1" if self.four() => (4, 32),
            "e2m1" => (4, 16),
            "e2m3" | "e3m2" => (6, 16),
            _ => (8, 16),
        }
    }

    fn k(&self) -> usize {
        let dense = match self.kind {
            "tf32" => 8,
            "f16" => 16,
            _ if self.long => 96,
            _ if self.four() => 64,
            _ => 32,
        };
        if self.sparse { 2 * dense } else { dense }
    }

    fn stored(&self) -> usize {
        if self.sparse { self.k() / 2 } else { self.k() }
    }

    /// Returns the number of rows per block.
    fn rows(&self) -> usize {
        self.m / self.group
    }

    /// Returns the number of factors per row.
    fn chunks(&self) -> usize {
        match self.blocks {
            ".scale_vec::1X" => 1,
            ".scale_vec::2X" => 2,
            ".scale_vec::4X" => 4,
            ".block16" if self.long => 6,
            ".block16" => 4,
            _ if self.kind == "mxf8f6f4" => 1,
            _ if self.long => 3,
            _ => 2,
        }
    }

    fn instruction(&self) -> u32 {
        let code = |ty: &str| match (self.kind, ty) {
            ("f16", "f16") | (_, "e4m3" | "u8") => 0u32,
            ("f16", "bf16") | (_, "e5m2" | "s8") => 1,
            ("tf32", _) => 2,
            (_, "e2m3") => 3,
            (_, "e3m2") => 4,
            (_, "e2m1") if self.four() => 1,
            (_, "e2m1") => 5,
            other => panic!("no type {other:?}"),
        };
        let flag = |(major, _): (Major, Swizzle)| u32::from(major == Major::Mn);
        let mut bits = u32::from(self.sparse) << 2
            | code(self.a) << 7
            | code(self.b) << 10
            | u32::from(self.negate.0) << 13
            | u32::from(self.negate.1) << 14
            | flag(self.a_layout) << 15
            | flag(self.b_layout) << 16
            | (self.n as u32 >> 3) << 17;
        if self.scaled() {
            bits |= (self.ids.1 as u32) << 4
                | u32::from(self.scale_type == "ue8m0") << 23
                | (self.m as u32 >> 7) << 27
                | (self.ids.0 as u32) << 29
                | u32::from(self.long) << 31;
        } else {
            let d = ["f16", "f32", "s32"].iter().position(|ty| *ty == self.d);
            bits |= self.selector as u32
                | u32::from(self.saturate) << 3
                | (d.unwrap() as u32) << 4
                | (self.m as u32 >> 4) << 24
                | self.zero.map_or(0, |(_, shift)| shift) << 30;
        }
        bits
    }

    fn name(&self) -> String {
        let ws = if self.ws { ".ws" } else { "" };
        let sparse = if self.sparse { ".sp" } else { "" };
        let scale = if self.scaled() { ".block_scale" } else { "" };
        let ashift = if self.ashift { ".ashift" } else { "" };
        format!(
            "tcgen05.mma{ws}{sparse}.cta_group::{}.kind::{}{scale}{}{ashift}{}",
            self.group, self.kind, self.blocks, self.collector
        )
    }

    /// Returns the columns of B that count as 0, and the shift: spans of skipped and of used
    /// columns alternate.
    fn zero_mask(&self) -> (Vec<bool>, usize) {
        let Some((bits, _)) = self.zero else {
            return (vec![false; self.n], 0);
        };
        let byte = |bit: u32| (bits >> bit & 0xff) as usize;
        let parts = 128 / self.m;
        let mut mask = Vec::new();
        for part in 0..parts {
            let mut zeros = bits >> (32 + part) & 1 == 1;
            let mut pattern = Vec::new();
            while pattern.len() < self.n / parts + 256 {
                let (skip, usable) = (byte(40) + 1, byte(48) + 1);
                pattern.extend(vec![zeros; if zeros { skip } else { usable }]);
                zeros = !zeros;
            }
            let start = byte(8 * part as u32);
            mask.extend_from_slice(&pattern[start..start + self.n / parts]);
        }
        if bits >> 39 & 1 == 0 {
            mask.fill(false);
        }
        (mask, (bits >> 56) as usize)
    }
}

/// Draws a code of a chunk, with the positions that it selects.
fn code(kind: &str, random: &mut Random) -> (u32, Vec<usize>) {
    if kind == "tf32" {
        return [(0b0100, vec![0]), (0b1110, vec![1])][random.below(2) as usize].clone();
    }
    let (x, y) = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)][random.below(6) as usize];
    let places = if kind.starts_with("mxf4") {
        vec![2 * x, 2 * x + 1, 2 * y, 2 * y + 1]
    } else {
        vec![x, y]
    };
    ((x | y << 2) as u32, places)
}

fn scale_number(ty: &str, byte: u64) -> f64 {
    match ty {
        "ue8m0" => 2f64.powi(byte as i32 - 127),
        _ => number("e4m3", byte & 0x7f),
    }
}

fn scale_byte(ty: &str, random: &mut Random) -> u64 {
    match ty {
        "ue8m0" => 124 + random.below(7),
        // Any number, without a sign.
        _ => 0x20 + random.below(0x30),
    }
}

/// The columns of tensor memory at which the matrices of a case begin.
struct Columns {
    d: usize,
    a: usize,
    metadata: usize,
    scale_a: usize,
    scale_b: usize,
    all: usize,
}

fn columns(case: &Case) -> Columns {
    let d = 3;
    let a = d + case.n + 5;
    let metadata = a + 12 + 1;
    let scale_a = metadata + 6;
    let scale_b = scale_a + 9;
    Columns {
        d,
        a,
        metadata,
        scale_a,
        scale_b,
        all: scale_b + 17,
    }
}

/// Draws a matrix of random elements.
fn random_matrix(rows: usize, columns: usize, ty: &str, random: &mut Random) -> Vec<Vec<u64>> {
    let row = |random: &mut Random| (0..columns).map(|_| element(ty, random)).collect();
    (0..rows).map(|_| row(random)).collect()
}

fn prepare(case: &Case) -> (Machine, Vec<Vec<u32>>) {
    let mut random = Random::new(case.name().bytes().map(u64::from).sum::<u64>() + case.n as u64);
    let random = &mut random;
    let (k, stored, rows) = (case.k(), case.stored(), case.rows());
    let columns = columns(case);
    let (zero, shift) = case.zero_mask();
    let mut machine = Machine::new(case.group, columns.all, random);
    machine.issuer = case.issuer;
    if case.long {
        machine.target = "sm_103a";
    }
    let a = random_matrix(case.m, stored, case.a, random);
    let b = random_matrix(case.n + shift, k, case.b, random);
    let mut d = random_matrix(case.m, case.n, case.d, random);
    if case.saturate {
        for value in d.iter_mut().flatten() {
            *value = 0x7fff_ffffu64
                .wrapping_add(random.below(60_000))
                .wrapping_sub(30_000);
            *value = if random.below(2) == 0 && *value < 1 << 31 {
                *value
            } else {
                0x8000_0000 + random.below(30_000)
            };
        }
    }
    // Shared memory.
    let of_block = case.n / case.group;
    let matrix = |(major, swizzle), ty, extent, depth, base| {
        let (bits, per) = case.packing(ty);
        Matrix {
            major,
            swizzle,
            bits,
            per,
            extent,
            depth,
            base,
            before: if major == Major::K { case.before } else { 0 },
        }
    };
    let a_matrix = matrix(case.a_layout, case.a, rows, stored, 1024);
    let b_matrix = matrix(case.b_layout, case.b, of_block + shift, k, a_matrix.end());
    for block in 0..case.group {
        let shared = &mut machine.shared[block];
        for row in 0..rows {
            for index in 0..stored {
                if !case.a_in_tensor {
                    a_matrix.write(shared, row, index, a[block * rows + row][index]);
                }
            }
        }
        for column in 0..of_block + shift {
            for index in 0..k {
                b_matrix.write(shared, column, index, b[block * of_block + column][index]);
            }
        }
    }
    // Tensor memory: D, A, metadata, scale factors.
    for row in 0..case.m {
        for column in 0..case.n {
            let (lane, at_column) = case.d_place(row % rows, column);
            let cell = machine.cell(row / rows, lane, columns.d + at_column);
            if case.d == "f16" {
                *cell = *cell & 0xffff_0000 | d[row][column] as u32;
            } else {
                *cell = d[row][column] as u32;
            }
        }
    }
    let set = |machine: &mut Machine, block, lane, bit: usize, size: usize, value: u64| {
        let cell = machine.cell(block, lane, bit / 32);
        let mask = ((1u64 << size) - 1) << (bit % 32);
        *cell = (u64::from(*cell) & !mask | value << (bit % 32)) as u32;
    };
    let size = match case.a {
        "e2m1" if case.four() => 4,
        "e2m1" | "e2m3" | "e3m2" => 8,
        ty => case.packing(ty).0,
    };
    let pad = if size == 8 && case.a == "e2m1" { 2 } else { 0 };
    for row in 0..case.m {
        for index in 0..stored {
            for &copy in case.copies() {
                if case.a_in_tensor {
                    let lane = case.lane(row % rows) + copy;
                    let bit = 32 * columns.a + size * index;
                    set(
                        &mut machine,
                        row / rows,
                        lane,
                        bit,
                        size,
                        a[row][index] << pad,
                    );
                }
            }
        }
    }
    let mut places: Vec<Vec<usize>> = vec![(0..k).collect(); case.m];
    if case.sparse {
        let chunk = k / if matches!(case.kind, "f16" | "tf32") {
            8
        } else {
            16
        };
        for row in 0..case.m {
            places[row].clear();
            for first in (0..k).step_by(chunk) {
                let (code, named) = code(case.kind, random);
                places[row].extend(named.iter().map(|place| first + place));
                let place = case.metadata_place(row % rows, first);
                for copy in case.copies() {
                    let bit = 32 * columns.metadata + place.bit;
                    set(
                        &mut machine,
                        row / rows,
                        place.lane + copy,
                        bit,
                        4,
                        code.into(),
                    );
                }
            }
        }
    }
    let chunks = if case.scaled() { case.chunks() } else { 1 };
    let mut factors = |extent: usize,
                       id: usize,
                       rows_of: &dyn Fn(usize) -> Vec<(usize, usize, usize)>,
                       column: usize,
                       width: usize,
                       machine: &mut Machine| {
        let mut numbers = vec![vec![1.0; chunks]; extent];
        for row in 0..extent {
            for chunk in 0..chunks {
                let byte = scale_byte(case.scale_type, random);
                numbers[row][chunk] = scale_number(case.scale_type, byte);
                for (block, quarter, row) in rows_of(row) {
                    let place = Case::scale_place(row, id + chunk, width);
                    set(
                        machine,
                        block,
                        32 * quarter + place.lane,
                        32 * column + place.bit,
                        8,
                        byte,
                    );
                }
            }
        }
        numbers
    };
    let (mut scale_a, mut scale_b) = (vec![vec![1.0]; case.m], vec![vec![1.0]; case.n]);
    if case.scaled() {
        // All quarters hold the factors of all rows of A.
        let of_a = |row: usize| {
            (0..4)
                .map(|quarter| (row / rows, quarter, row % rows))
                .collect()
        };
        scale_a = factors(
            case.m,
            case.ids.0,
            &of_a,
            columns.scale_a,
            rows,
            &mut machine,
        );
        // Each quarter holds the factors of the columns of B that it computes.
        let parts = case.copies().len();
        let part = case.n / parts;
        let of_b = |column: usize| -> Vec<(usize, usize, usize)> {
            let quarters = (0..4).filter(|quarter| parts == 1 || quarter / 2 == column / part);
            let places =
                quarters.flat_map(|quarter| (0..case.group).map(move |block| (block, quarter)));
            places
                .map(|(block, quarter)| (block, quarter, column % part))
                .collect()
        };
        scale_b = factors(
            case.n,
            case.ids.1,
            &of_b,
            columns.scale_b,
            part,
            &mut machine,
        );
    }
    let masks: Vec<u32> = (0..4 * case.group).map(|_| random.bits() as u32).collect();
    // The expected result.
    let numbers = |matrix: &[Vec<u64>], ty: &str| -> Vec<Vec<f64>> {
        let row = |row: &Vec<u64>| row.iter().map(|&bits| number(ty, bits)).collect();
        matrix.iter().map(row).collect()
    };
    let (a, mut b) = (numbers(&a, case.a), numbers(&b, case.b));
    b.drain(..shift);
    for (column, zero) in b.iter_mut().zip(zero) {
        if zero {
            column.fill(0.0);
        }
    }
    // The row of A that is used as row `row`.
    let from = |row: usize| row + usize::from(case.ashift && row % rows != rows - 1);
    let a: Vec<Vec<f64>> = (0..case.m)
        .map(|row| {
            let values = a[from(row)].iter().zip(&places[from(row)]);
            let scaled = values.map(|(value, k_at)| value * scale_a[row][k_at * chunks / k]);
            scaled.collect()
        })
        .collect();
    for (column, factors) in b.iter_mut().zip(&scale_b) {
        for (index, value) in column.iter_mut().enumerate() {
            *value *= factors[index * chunks / k];
        }
    }
    let mut expected = machine.tensor.clone();
    for row in 0..case.m {
        let from = from(row);
        for column in 0..case.n {
            let (lane, at_column) = case.d_place(row % rows, column);
            if case.mask && masks[row / rows * 4 + lane / 32] >> (lane % 32) & 1 == 1 {
                continue;
            }
            let others = &b[column];
            let pairs = a[row].iter().zip(&places[from]);
            let product: f64 = pairs.map(|(value, &k_at)| value * others[k_at]).sum();
            let mut sum = if case.negate.0 == case.negate.1 {
                product
            } else {
                -product
            };
            if case.accumulate {
                sum += number(case.d, d[row][column]) / f64::from(1u32 << case.scale_d);
            }
            let bits = if case.saturate {
                sum.clamp(f64::from(i32::MIN), f64::from(i32::MAX)) as i32 as u32
            } else {
                sum_bits(case.d, sum) as u32
            };
            expected[row / rows][lane * machine.columns + columns.d + at_column] = bits;
        }
    }
    machine.body = body(case, &columns, &a_matrix, &b_matrix, &masks);
    (machine, expected)
}

fn body(case: &Case, columns: &Columns, a: &Matrix, b: &Matrix, masks: &[u32]) -> String {
    let first = case.first << 16;
    let mut body = format!(
        "mov.b64 %d1, {}; add.u64 %d1, %d1, %units; mov.b64 %d2, {}; add.u64 %d2, %d2, %units;
         add.u32 %r1, %t, {}; add.u32 %r2, %t, {}; mov.b32 %r3, {}; add.u32 %r4, %t, {};
         add.u32 %r5, %t, {}; add.u32 %r6, %t, {}; setp.ne.u32 %p3, 0, {};\n",
        a.descriptor(),
        b.descriptor(),
        first + columns.d,
        first + columns.a,
        case.instruction(),
        first + columns.metadata,
        columns.scale_a,
        columns.scale_b,
        u32::from(case.accumulate),
    );
    if case.absolute {
        // The addresses at which rows continue beyond their 128 bytes.
        for (register, matrix) in [("%d1", a), ("%d2", b)] {
            let (next, _) = matrix.place(0, (8 - matrix.before) * matrix.per);
            let bits = 1u64 << 52 | ((next as u64) >> 4) << 16;
            body += &format!(
                "and.b64 {register}, {register}, 0xffffffffc000ffff; or.b64 {register}, {register}, {bits};
                 shl.b64 %d4, %units, 16; add.u64 {register}, {register}, %d4;\n"
            );
        }
    }
    let mut operands = vec!["[%r1]".to_owned()];
    operands.push(if case.a_in_tensor { "[%r2]" } else { "%d1" }.into());
    operands.push("%d2".into());
    if case.sparse {
        operands.push("[%r4]".into());
    }
    operands.push("%r3".into());
    if case.scaled() {
        operands.extend(["[%r5]".into(), "[%r6]".into()]);
    }
    if case.mask {
        let words: Vec<String> = masks.iter().map(u32::to_string).collect();
        operands.push(format!("{{{}}}", words.join(", ")));
    }
    operands.push("%p3".into());
    if case.scale_d > 0 {
        operands.push(case.scale_d.to_string());
    }
    if let Some((bits, _)) = case.zero {
        body += &format!("mov.b64 %d3, {bits};\n");
        operands.push("%d3".into());
    }
    body + &format!("{} {};", case.name(), operands.join(", "))
}

fn check(case: &Case) {
    let (machine, expected) = prepare(case);
    machine.check(&expected, &format!("{case:?}"));
}
