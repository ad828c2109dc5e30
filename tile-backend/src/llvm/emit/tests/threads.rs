//! Tests how tiles move by executing kernels thread by thread.
//!
//! A kernel whose numbers are all constants is emitted once per thread, with the thread's number as a
//! constant too. LLVM folds every address, so that the PTX of each thread is a list of loads and stores at
//! literal addresses, which this module executes. A byte is identified by the address from which it was
//! loaded, and a byte of a sum by the addresses of all its terms. The expected result does not depend on
//! layouts: it is computed from the tile's coordinates alone.

use std::collections::{BTreeMap, BTreeSet};

use tile_core::Scalar;

use super::kernels::{Build, TileOf};
use crate::gpu::{Access, Kernel, OpKind, ValueId};
use crate::layout::{
    Axis, InDim, LinearLayout, MmaWarps, OutShape, coalesced, mma_accumulator, mma_operand_a,
    mma_operand_b, reduce_plan, swizzled_for,
};
use crate::llvm::{Compilation, Context, compile};
use crate::target::Arch;

/// One byte, as its address in the source tensor. For a sum, the addresses of its terms, in order; empty for
/// padding.
type Byte = Vec<u64>;

/// The program of one thread.
struct Thread {
    lines: Vec<String>,
    next_line: usize,
    registers: BTreeMap<String, Vec<Byte>>,
    predicates: BTreeMap<String, bool>,
}

#[derive(Default)]
struct Memory {
    shared: BTreeMap<u64, Byte>,
    stored: BTreeMap<u64, Byte>,
    loaded: BTreeSet<u64>,
}

/// Runs `kernel`, which reads from parameter 0 and writes to parameter 1.
fn run(kernel: &Kernel) -> Memory {
    let arch = Arch::SM_80;
    let mut threads: Vec<Thread> = (0..32 * kernel.launch.num_warps)
        .map(|number| {
            let cx = Context::new();
            let module = cx.module("thread", arch).expect("a module");
            let module = super::super::emit_for(
                &cx,
                module,
                kernel,
                arch,
                crate::level::DebugInfo::None,
                |c| c.i32(number),
            )
            .expect("supported");
            let ptx = compile(&cx, &module, &Compilation::new(arch)).expect("PTX");
            let text = ptx.text().replace(" \t", " ").replace('\t', " ");
            let body = text.split_once(".minnctapersm 1").expect("a body").1;
            let lines = body.lines().map(|line| line.trim().to_owned());
            Thread {
                lines: lines.collect(),
                next_line: 0,
                registers: BTreeMap::new(),
                predicates: BTreeMap::new(),
            }
        })
        .collect();
    let mut memory = Memory::default();
    loop {
        for thread in &mut threads {
            thread.run_to_barrier(&mut memory);
        }
        while let Some(waiting) = threads.iter().position(Thread::waits_for_warp) {
            let warp = waiting / 32 * 32;
            if threads[waiting].is_at("ldmatrix") {
                load_matrices(&mut threads[warp..warp + 32], &memory);
            } else {
                shuffle(&mut threads[warp..warp + 32]);
            }
            for thread in &mut threads[warp..warp + 32] {
                thread.run_to_barrier(&mut memory);
            }
        }
        if threads
            .iter()
            .all(|thread| thread.next_line == thread.lines.len())
        {
            return memory;
        }
        for thread in &mut threads {
            assert!(thread.is_at("bar.sync"), "all threads reach the barrier");
            thread.next_line += 1;
        }
    }
}

fn shuffle(warp: &mut [Thread]) {
    let values: Vec<Vec<Byte>> = warp
        .iter()
        .map(|thread| {
            let from = operands(&thread.lines[thread.next_line]).1;
            thread.value(from.split(',').next().expect("a register"))
        })
        .collect();
    for (lane, thread) in warp.iter_mut().enumerate() {
        let line = thread.lines[thread.next_line].clone();
        assert!(line.starts_with("shfl.sync.bfly.b32"), "{line}");
        assert!(line.ends_with(", 31, -1;"), "{line}");
        let (to, rest) = operands(&line);
        let mask = rest.split(", ").nth(1).expect("a mask");
        let mask: usize = mask.parse().expect("a number");
        thread
            .registers
            .insert(to.to_owned(), values[lane ^ mask].clone());
        thread.next_line += 1;
    }
}

fn load_matrices(warp: &mut [Thread], memory: &Memory) {
    let rows: Vec<u64> = warp
        .iter()
        .map(|thread| address(operands(&thread.lines[thread.next_line]).1).1)
        .collect();
    for (lane, thread) in warp.iter_mut().enumerate() {
        let line = thread.lines[thread.next_line].clone();
        let (destinations, _) = operands(&line);
        for (matrix, register) in names(destinations).into_iter().enumerate() {
            let unit = |row: usize, column: usize| -> Vec<Byte> {
                let start = rows[8 * matrix + row] + 2 * column as u64;
                (start..start + 2)
                    .map(|offset| memory.shared[&offset].clone())
                    .collect()
            };
            let (first, second) = if line.contains(".trans") {
                let (row, column) = (2 * (lane % 4), lane / 4);
                (unit(row, column), unit(row + 1, column))
            } else {
                let (row, column) = (lane / 4, 2 * (lane % 4));
                (unit(row, column), unit(row, column + 1))
            };
            thread.registers.insert(register, [first, second].concat());
        }
        thread.next_line += 1;
    }
}

/// Returns `a, b` of `name a, b;`, where `a` may be a list in braces.
fn operands(line: &str) -> (&str, &str) {
    let rest = line.trim_end_matches(';');
    let rest = if rest.starts_with('@') {
        rest.split_once(' ').expect("a predicate").1
    } else {
        rest
    };
    let rest = rest.split_once(' ').expect("operands").1.trim();
    let open = rest.find(['{', '[']).filter(|&position| position == 0);
    let end = match open {
        Some(_) => rest.find(['}', ']']).expect("closed") + 1,
        None => rest.find(',').expect("two operands"),
    };
    (&rest[..end], rest[end..].trim_start_matches([',', ' ']))
}

fn names(list: &str) -> Vec<String> {
    let list = list.trim_matches(['{', '}']);
    list.split(',').map(|name| name.trim().to_owned()).collect()
}

/// Parses `[base+4]`: the base and the offset.
fn address(operand: &str) -> (String, u64) {
    let inside = operand.trim_matches(['[', ']']);
    match inside.split_once('+') {
        Some((base, offset)) => (base.to_owned(), offset.parse().expect("a number")),
        None => (inside.to_owned(), 0),
    }
}

impl Thread {
    fn is_at(&self, instruction: &str) -> bool {
        let line = self.lines.get(self.next_line);
        line.is_some_and(|line| line.starts_with(instruction))
    }

    fn waits_for_warp(&self) -> bool {
        self.is_at("ldmatrix") || self.is_at("shfl")
    }

    fn run_to_barrier(&mut self, memory: &mut Memory) {
        let mut bases: BTreeMap<String, (usize, u64)> = BTreeMap::new();
        // Execute the computations of the tensors' addresses first; they can be anywhere in the text.
        for line in &self.lines {
            if line.starts_with("ld.param") {
                let (register, param) = operands(line);
                let number = param.trim_end_matches(']').rsplit('_').next();
                let number = number.expect("a number").parse().expect("a number");
                bases.insert(register.to_owned(), (number, 0));
            } else if line.starts_with("add.s64") {
                let (register, rest) = operands(line);
                let (base, offset) = rest.split_once(", ").expect("two terms");
                let (param, start) = bases[base];
                let offset: u64 = offset.parse().expect("a number");
                bases.insert(register.to_owned(), (param, start + offset));
            }
        }
        let place = |operand: &str| {
            let (base, offset) = address(operand);
            let (param, start) = bases[&base];
            (param, start + offset)
        };
        while self.next_line < self.lines.len() && !self.is_at("bar.sync") && !self.waits_for_warp()
        {
            let line = self.lines[self.next_line].clone();
            self.next_line += 1;
            let mut instruction = line.as_str();
            if let Some(predicate) = line.strip_prefix("@%") {
                let (name, rest) = predicate.split_once(' ').expect("an instruction");
                instruction = rest;
                if !self.predicates[name] {
                    continue;
                }
            }
            let name = instruction.split(' ').next().expect("a word");
            let bits = name.rsplit(".b").next().and_then(|bits| bits.parse().ok());
            let bytes = bits.unwrap_or(0u64) / 8;
            if name.starts_with("ld.global") {
                let (registers, from) = operands(instruction);
                let (param, mut offset) = place(from);
                assert_eq!(param, 0, "{line}");
                for register in names(registers) {
                    let value = (offset..offset + bytes)
                        .map(|offset| vec![offset])
                        .collect();
                    memory.loaded.extend(offset..offset + bytes);
                    self.registers.insert(register, value);
                    offset += bytes;
                }
            } else if name.starts_with("st.global") {
                let (to, registers) = operands(instruction);
                let (param, mut offset) = place(to);
                assert_eq!(param, 1, "{line}");
                for register in names(registers) {
                    for byte in self.value(&register).into_iter().take(bytes as usize) {
                        assert_eq!(
                            memory.stored.insert(offset, byte),
                            None,
                            "{offset} is stored twice"
                        );
                        offset += 1;
                    }
                }
            } else if name.starts_with("st.shared") {
                let (to, registers) = operands(instruction);
                let mut offset = address(to).1;
                for register in names(registers) {
                    for byte in self.value(&register).into_iter().take(bytes as usize) {
                        assert_eq!(
                            memory.shared.insert(offset, byte),
                            None,
                            "{offset} is stored twice"
                        );
                        offset += 1;
                    }
                }
            } else if name.starts_with("ld.shared") {
                let (registers, from) = operands(instruction);
                let mut offset = address(from).1;
                for register in names(registers) {
                    let value = (offset..offset + bytes)
                        .map(|offset| memory.shared[&offset].clone())
                        .collect();
                    self.registers.insert(register, value);
                    offset += bytes;
                }
            } else if name == "add.rn.f32" {
                let (to, terms) = operands(instruction);
                let mut sum = vec![Byte::new(); 4];
                for term in terms.split(", ") {
                    for (byte, more) in sum.iter_mut().zip(self.value(term)) {
                        byte.extend(more);
                        byte.sort_unstable();
                    }
                }
                self.registers.insert(to.to_owned(), sum);
            } else if name.starts_with("mov.pred") {
                let (register, value) = operands(instruction);
                let register = register.trim_start_matches('%').to_owned();
                self.predicates.insert(register, value != "0");
            } else if name.starts_with("mov.b") {
                let (to, from) = operands(instruction);
                if to.starts_with('{') {
                    let value = self.value(from);
                    let half = value.len() / 2;
                    for (register, part) in names(to).into_iter().zip(value.chunks(half)) {
                        if register != "_" {
                            self.registers.insert(register, part.to_vec());
                        }
                    }
                } else {
                    let parts = names(from).into_iter().flat_map(|name| self.value(&name));
                    let mut value: Vec<Byte> = parts.collect();
                    value.resize(bytes as usize, Vec::new());
                    self.registers.insert(to.to_owned(), value);
                }
            } else {
                let prefixes = ["ld.param", "add.s64", "ret", ".", "{", "}", "//", "bra"];
                let fine =
                    line.is_empty() || prefixes.iter().any(|prefix| line.starts_with(prefix));
                assert!(fine, "`{line}` is not understood");
            }
        }
    }

    /// Returns the bytes of a register; the bytes of a literal are padding.
    fn value(&self, register: &str) -> Vec<Byte> {
        if !register.starts_with('%') {
            return vec![Vec::new(); 8];
        }
        self.registers[register].clone()
    }
}

/// Copies a tile from one tensor to another; see [`Copy::check`].
struct Copy {
    element: Scalar,
    sizes: [u64; 2],
    index: [u64; 2],
    extents: [u64; 2],
    strides: [[u64; 2]; 2],
    vector_elements: u64,
    num_warps: u32,
    load: LinearLayout,
    /// The layout of the store; the tile gets it through shared memory if it differs from `load`.
    store: LinearLayout,
    via: Via,
}

#[derive(PartialEq)]
enum Via {
    Registers,
    Shared(LinearLayout),
    Matrix(LinearLayout),
}

impl Copy {
    fn kernel(&self) -> Kernel {
        let mut build = Build::new("copy", self.num_warps);
        let from = build.pointer(self.element, Access::Read);
        let to = build.pointer(self.element, Access::Write);
        let mut tile = |param, base, strides: [u64; 2], vector_elements| TileOf {
            param,
            base,
            axes: (0..2)
                .map(|axis| {
                    [self.index[axis], self.extents[axis], strides[axis]]
                        .map(|number| build.constant(Scalar::I32, number))
                })
                .collect(),
            contiguous: strides.iter().position(|&stride| stride == 1).map(Axis),
            vector_elements,
            padding: None,
            fits_32_bits: true,
        };
        let source = tile(0, from, self.strides[0], self.vector_elements);
        let target = tile(1, to, self.strides[1], self.vector_elements);
        let mut value = build.load(&source, self.element, &self.load);
        if let Via::Shared(memory) | Via::Matrix(memory) = &self.via {
            let elements = self.sizes.iter().product();
            // Add an unused buffer, so that the next buffer does not start at offset zero.
            build.buffer(self.element, 64, None);
            let buffer = build.buffer(self.element, elements, Some(memory));
            build.run(OpKind::StoreShared(buffer), &[value]);
            build.run(OpKind::Barrier, &[]);
            let ty = build.distributed(self.element, &self.store);
            let kind = match &self.via {
                Via::Matrix(_) => OpKind::LoadMatrix(buffer),
                Via::Shared(_) | Via::Registers => OpKind::LoadShared(buffer),
            };
            value = build.one(kind, &[], ty);
        }
        build.store(&target, value);
        build.finish()
    }

    /// Checks that every element that exists is loaded from its place and stored once to its place, and that
    /// nothing else is stored.
    fn check(&self) {
        let memory = run(&self.kernel());
        let bytes = self.element.bytes() as u64;
        let mut expected = BTreeMap::new();
        for row in 0..self.sizes[0] {
            for column in 0..self.sizes[1] {
                let row = self.index[0] * self.sizes[0] + row;
                let column = self.index[1] * self.sizes[1] + column;
                if row >= self.extents[0] || column >= self.extents[1] {
                    continue;
                }
                let [from, to] = self
                    .strides
                    .map(|strides| (row * strides[0] + column * strides[1]) * bytes);
                for byte in 0..bytes {
                    expected.insert(to + byte, vec![from + byte]);
                }
            }
        }
        assert_eq!(memory.stored, expected);
        let exists = expected.into_values().flatten().collect();
        assert_eq!(memory.loaded, exists, "only what exists is loaded");
    }
}

fn shape(sizes: [u64; 2]) -> OutShape {
    OutShape::new(&sizes).expect("powers of two")
}

const ROWS: [Axis; 2] = [Axis(1), Axis(0)];

/// Describes a copy of tile `(1, 2)` of shape `sizes`, where the tensor ends `cut` elements before the end of
/// the tile.
fn copy(element: Scalar, sizes: [u64; 2], cut: [u64; 2], num_warps: u32) -> Copy {
    let bits = 8 * u32::try_from(element.bytes()).expect("small");
    let vector = u64::from(128 / bits);
    let layout = coalesced(&shape(sizes), bits, vector, num_warps, &ROWS);
    Copy {
        element,
        sizes,
        index: [1, 2],
        extents: [2 * sizes[0] - cut[0], 3 * sizes[1] - cut[1]],
        strides: [[1024, 1], [512, 1]],
        vector_elements: vector,
        num_warps,
        load: layout.clone(),
        store: layout,
        via: Via::Registers,
    }
}

#[test]
fn whole_and_cut_tiles_are_copied() {
    for cut in [[0, 0], [0, 4], [3, 8], [5, 3], [7, 31]] {
        copy(Scalar::F32, [8, 32], cut, 2).check();
    }
    copy(Scalar::F16, [8, 64], [1, 8], 2).check();
    copy(Scalar::F16, [8, 64], [1, 9], 2).check();
    copy(Scalar::F64, [8, 16], [1, 3], 1).check();
}

#[test]
fn tensors_may_have_any_strides() {
    for (strides, vector_elements) in [([1, 64], 4), ([3, 100], 1), ([100, 3], 1)] {
        let mut tiles = copy(Scalar::F32, [8, 32], [2, 5], 2);
        tiles.strides[0] = strides;
        tiles.vector_elements = vector_elements;
        let contiguous = strides[0] == 1;
        let order = if contiguous { [Axis(0), Axis(1)] } else { ROWS };
        tiles.load = coalesced(&shape(tiles.sizes), 32, vector_elements, 2, &order);
        tiles.store = tiles.load.clone();
        tiles.check();
    }
}

#[test]
fn copies_in_several_threads_are_stored_once() {
    // 64 threads hold copies of 16 elements.
    copy(Scalar::F32, [4, 4], [1, 1], 2).check();
    copy(Scalar::F32, [1, 2], [0, 0], 2).check();
}

#[test]
fn coordinates_that_are_not_sums_are_exclusive_ors() {
    let tile = shape([4, 32]);
    let flat = |row, column| tile.flatten(&[row, column]);
    let layout = LinearLayout::new(
        tile.clone(),
        [
            // Register bit 1 and lane bit 1 flip the same bit of the column.
            (InDim::Register, vec![flat(1, 0), flat(2, 4)]),
            (
                InDim::Lane,
                vec![flat(0, 1), flat(0, 4), flat(0, 2), flat(0, 8), flat(0, 16)],
            ),
        ],
    );
    for cut in [[0, 0], [1, 7]] {
        let mut tiles = copy(Scalar::F32, [4, 32], cut, 1);
        tiles.load = layout.clone();
        tiles.store = layout.clone();
        tiles.check();
    }
}

#[test]
fn tiles_go_through_swizzled_shared_memory() {
    let sizes = [32, 32];
    let warps = MmaWarps {
        batch: 1,
        m: 2,
        n: 1,
    };
    for (element, bits) in [(Scalar::F32, 32), (Scalar::F16, 16)] {
        let mut tiles = copy(element, sizes, [3, 5], 2);
        tiles.store = mma_accumulator(&shape(sizes), warps).expect("it fits");
        tiles.vector_elements = 1;
        tiles.via = Via::Shared(swizzled_for(&shape(sizes), &ROWS, bits));
        tiles.check();
    }
}

#[test]
fn matrices_are_loaded_as_operands() {
    let sizes = [32, 32];
    let warps = MmaWarps {
        batch: 1,
        m: 2,
        n: 1,
    };
    let a = mma_operand_a(&shape(sizes), warps, 16).expect("it fits");
    let b = mma_operand_b(&shape(sizes), warps, 16).expect("it fits");
    for operand in [a, b] {
        let mut tiles = copy(Scalar::F16, sizes, [0, 0], 2);
        tiles.store = operand;
        tiles.vector_elements = 1;
        tiles.via = Via::Matrix(swizzled_for(&shape(sizes), &ROWS, 16));
        tiles.check();
    }
    let mut tiles = copy(Scalar::F32, sizes, [0, 0], 2);
    tiles.store = mma_operand_a(&shape(sizes), warps, 32).expect("it fits");
    tiles.vector_elements = 1;
    tiles.via = Via::Matrix(swizzled_for(&shape(sizes), &ROWS, 32));
    tiles.check();
}

/// Sums a tile along `along` in 4 warps, and checks the terms of each sum.
fn check_sums(sizes: [u64; 2], along: Axis, cut: [u64; 2]) {
    let num_warps = 4;
    let tiles = copy(Scalar::F32, sizes, cut, num_warps);
    let mut build = Build::new("sums", num_warps);
    let from = build.pointer(Scalar::F32, Access::Read);
    let to = build.pointer(Scalar::F32, Access::Write);
    let mut number = |number| build.constant(Scalar::I32, number);
    let axes: Vec<[ValueId; 3]> = (0..2)
        .map(|axis| {
            [
                number(tiles.index[axis]),
                number(tiles.extents[axis]),
                number(tiles.strides[0][axis]),
            ]
        })
        .collect();
    let kept = 1 - along.0;
    let size = sizes[kept];
    let out = [number(0), number(size), number(1)];
    let source = TileOf {
        param: 0,
        base: from,
        axes,
        contiguous: Some(Axis(1)),
        vector_elements: 4,
        padding: Some(0),
        fits_32_bits: true,
    };
    let value = build.load(&source, Scalar::F32, &tiles.load);
    let plan = reduce_plan(&tiles.load, along).expect("the tile is not spread over blocks");
    let sum = build.sum(&plan, Scalar::F32, value);
    let target = TileOf {
        param: 1,
        base: to,
        axes: vec![out],
        contiguous: Some(Axis(0)),
        vector_elements: 1,
        ..source
    };
    build.store(&target, sum);
    let memory = run(&build.finish());

    let mut expected: BTreeMap<u64, Byte> = (0..4 * size)
        .map(|address| (address, Byte::new()))
        .collect();
    for row in 0..sizes[0] {
        for column in 0..sizes[1] {
            let places = [row, column];
            let [row, column] = [0, 1].map(|axis| tiles.index[axis] * sizes[axis] + places[axis]);
            if row >= tiles.extents[0] || column >= tiles.extents[1] {
                continue;
            }
            let from = (row * tiles.strides[0][0] + column) * 4;
            for byte in 0..4 {
                let sum = expected.get_mut(&(4 * places[kept] + byte));
                sum.expect("a sum").push(from + byte);
            }
        }
    }
    assert_eq!(memory.stored, expected);
}

#[test]
fn reductions_take_every_element_once() {
    // These reduce over registers and lanes; over registers, lanes and warps; and with idle lanes and warps.
    check_sums([16, 64], Axis(1), [0, 0]);
    check_sums([16, 64], Axis(0), [0, 0]);
    check_sums([2, 512], Axis(1), [1, 5]);
    check_sums([4, 8], Axis(0), [1, 1]);
    check_sums([4, 8], Axis(1), [0, 3]);
}
