//! Compares `wgmma` in every form with plain loops. Matrices in shared memory are laid out as
//! tensor copies write them, by rows and chunks of 16 bytes instead of address bits.
#![expect(
    clippy::needless_range_loop,
    clippy::format_push_string,
    reason = "plain loops over rows and columns; a text that grows"
)]

use tile_sim::{Fault, FaultKind};

use crate::mma::bits;
use crate::random::Random;
use crate::warp_run::{Registers, Row, element, number, run_block, sum_bits, vector};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Major {
    K,
    Mn,
}

/// A matrix in shared memory: its layout and its bytes.
#[derive(Clone, Copy, Debug)]
struct Layout {
    major: Major,
    /// 0, 32, 64, 128.
    swizzle: usize,
    bits: usize,
    /// The extent along M or N.
    extent: usize,
    /// The number of stored elements along K; each product uses a part.
    depth: usize,
    base: usize,
}

impl Layout {
    /// Returns the distance between atoms (8 rows or 8 columns by a swizzle span; a core matrix) in
    /// bytes, along K and along M or N.
    fn strides(&self) -> (usize, usize) {
        let span = self.swizzle.max(16);
        match self.major {
            // Atoms of all rows, then the next part of K.
            Major::K => (span * self.extent, 8 * span),
            // Atoms of all columns, then the next part of M or N, with a gap between.
            Major::Mn => (8 * span, span * self.depth + 1024),
        }
    }

    /// Returns the byte and the bit of element (`row`, `k`).
    fn place(&self, row: usize, k: usize) -> (usize, usize) {
        let span = self.swizzle.max(16);
        let (in_k, in_rows) = self.strides();
        let (across, along) = match self.major {
            Major::K => (row, k),
            Major::Mn => (k, row),
        };
        let byte = along * self.bits / 8;
        let (chunk, line) = (byte % span / 16, across % 8);
        // The swizzling modes of tensor copies: chunk j of a line moves to j ^ line % 8 (128 B), j
        // ^ line / 2 % 4 (64 B), j ^ line / 4 % 2 (32 B).
        let chunk = match self.swizzle {
            128 => chunk ^ line % 8,
            64 => chunk ^ line / 2 % 4,
            32 => chunk ^ line / 4 % 2,
            _ => chunk,
        };
        let atom = match self.major {
            Major::K => across / 8 * in_rows + byte / span * in_k,
            Major::Mn => across / 8 * in_k + byte / span * in_rows,
        };
        let offset = self.base + atom + line * span + chunk * 16 + byte % 16;
        (offset, along * self.bits % 8)
    }

    /// Returns the descriptor of the product that begins at `k`.
    fn descriptor(&self, k: usize) -> u64 {
        let (in_k, in_rows) = self.strides();
        let span = self.swizzle.max(16);
        let start = match self.major {
            Major::K => {
                let byte = k * self.bits / 8;
                self.base + byte / span * in_k + byte % span
            }
            Major::Mn => self.base + k / 8 * in_k,
        };
        // "Leading Dimension Byte Offset", "Stride Dimension Byte Offset".
        let (leading, stride) = match (self.major, self.swizzle) {
            (Major::K, 0) => (in_k, in_rows),
            (Major::K, _) => (16, in_rows),
            (Major::Mn, 0) => (in_k, in_rows),
            (Major::Mn, _) => (in_rows, in_k),
        };
        let encode = |x: usize| ((x & 0x3ffff) >> 4) as u64;
        let mode = match self.swizzle {
            128 => 1u64,
            64 => 2,
            32 => 3,
            _ => 0,
        };
        encode(start) | encode(leading) << 16 | encode(stride) << 32 | mode << 62
    }

    fn bytes(&self) -> usize {
        let last = (0..self.extent)
            .flat_map(|row| (0..self.depth).map(move |k| (row, k)))
            .map(|(row, k)| self.place(row, k).0)
            .max()
            .unwrap();
        (last + 64 - self.base).next_multiple_of(1024)
    }

    fn write(&self, shared: &mut [u8], row: usize, k: usize, element: u64) {
        let (offset, bit) = self.place(row, k);
        if self.bits < 8 {
            shared[offset] |= (element as u8) << bit;
        } else {
            let bytes = self.bits / 8;
            shared[offset..offset + bytes].copy_from_slice(&element.to_le_bytes()[..bytes]);
        }
    }
}

#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
struct Form {
    n: usize,
    a: &'static str,
    b: &'static str,
    d: &'static str,
    sparse: bool,
    saturate: bool,
    in_registers: bool,
    a_swizzle: (Major, usize),
    b_swizzle: (Major, usize),
    scales: (i32, i32),
    accumulate: bool,
}

const PLAIN: Form = Form {
    n: 16,
    a: "bf16",
    b: "bf16",
    d: "f32",
    sparse: false,
    saturate: false,
    in_registers: false,
    a_swizzle: (Major::K, 128),
    b_swizzle: (Major::K, 128),
    scales: (1, 1),
    accumulate: true,
};

impl Form {
    fn k(&self) -> usize {
        256 / bits(self.a) * if self.sparse { 2 } else { 1 }
    }

    fn integer(&self) -> bool {
        self.d == "s32"
    }

    fn name(&self) -> String {
        let Self { n, a, b, d, .. } = self;
        let sparse = if self.sparse { ".sp" } else { "" };
        let satfinite = if self.saturate { ".satfinite" } else { "" };
        let op = if *a == "b1" { ".and.popc" } else { "" };
        let k = self.k();
        format!("wgmma.mma_async{sparse}.sync.aligned.m64n{n}k{k}{satfinite}.{d}.{a}.{b}{op}")
    }
}

/// Runs three products of consecutive parts of K, each with its own descriptors.
fn check(form: &Form) {
    const STEPS: usize = 3;
    let k = form.k();
    let stored = if form.sparse { k / 2 } else { k };
    let mut random = Random::new(form.name().bytes().map(u64::from).sum());
    let mut matrix = |rows: usize, columns: usize, ty: &str| -> Vec<Vec<u64>> {
        (0..rows)
            .map(|_| (0..columns).map(|_| element(ty, &mut random)).collect())
            .collect()
    };
    let (a, b) = (
        matrix(64, STEPS * stored, form.a),
        matrix(form.n, STEPS * k, form.b),
    );
    let c = matrix(64, form.n, form.d);
    let layout = |(major, swizzle): (Major, usize), ty, extent, depth, base| {
        // Whole atoms along K.
        let depth: usize = match major {
            Major::K => usize::next_multiple_of(depth * bits(ty), 8 * 128) / bits(ty),
            Major::Mn => depth,
        };
        Layout {
            major,
            swizzle,
            bits: bits(ty),
            extent,
            depth,
            base,
        }
    };
    let a_layout = layout(form.a_swizzle, form.a, 64, STEPS * stored, 0);
    let b_base = if form.in_registers {
        0
    } else {
        a_layout.bytes()
    };
    let b_layout = layout(form.b_swizzle, form.b, form.n, STEPS * k, b_base);
    let mut shared = vec![0; b_base + b_layout.bytes()];
    for row in 0..64 {
        for index in 0..STEPS * stored {
            if !form.in_registers {
                a_layout.write(&mut shared, row, index, a[row][index]);
            }
        }
    }
    for column in 0..form.n {
        for index in 0..STEPS * k {
            b_layout.write(&mut shared, column, index, b[column][index]);
        }
    }
    // The positions along K of the stored elements of a sparse A.
    let mut places: Vec<Vec<usize>> = vec![(0..STEPS * k).collect(); 64];
    let mut metadata: Vec<Row> = vec![[0; 32]; STEPS * 4];
    let selector = usize::from(form.sparse && bits(form.a) >= 16);
    if form.sparse {
        let chunk = if form.a == "tf32" { 2 } else { 4 };
        for row in 0..64 {
            places[row].clear();
            for index in 0..STEPS * k / chunk {
                let (code, kept) = if form.a == "tf32" {
                    [(0b0100, vec![0]), (0b1110, vec![1])][random.below(2) as usize].clone()
                } else {
                    let pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];
                    let (x, y) = pairs[random.below(6) as usize];
                    (x as u64 | (y as u64) << 2, vec![x, y])
                };
                places[row].extend(kept.iter().map(|place| chunk * index + place));
                let (step, index) = (index / (k / chunk), index % (k / chunk));
                let (warp, group, upper) = (row / 16, row % 8, row % 16 / 8);
                // From the figures of the metadata of each sparse shape.
                let (thread, bit) = if bits(form.a) >= 16 {
                    (2 * selector + index / 4, 16 * upper + 4 * (index % 4))
                } else {
                    (index / 8 * 2 + upper, 4 * (index % 8))
                };
                metadata[step * 4 + warp][4 * group + thread] |= code << bit;
            }
        }
    }
    // D: row 16w + g (+ 8), column 8j + 2t (+ 1).
    let fragment = |ty: &str, value: &dyn Fn(usize, usize) -> u64| -> Vec<Row> {
        let per = 32 / bits(ty).min(32);
        let mut rows = vec![[0; 32]; form.n / 2 / per * 4];
        for thread in 0..128 {
            let (warp, group, t) = (thread / 32, thread % 32 / 4, thread % 4);
            for i in 0..form.n / 2 {
                let row = 16 * warp + if i & 2 == 0 { group } else { group + 8 };
                let column = i / 4 * 8 + t * 2 + (i & 1);
                rows[i / per * 4 + warp][thread % 32] |=
                    value(row, column) << (bits(ty) * (i % per));
            }
        }
        rows
    };
    let sums = fragment(form.d, &|row, column| c[row][column]);
    let e = 32 / bits(form.a);
    let mut a_rows: Vec<Row> = vec![[0; 32]; STEPS * 16];
    for thread in 0..128 {
        let (warp, group, t) = (thread / 32, thread % 32 / 4, thread % 4);
        for step in 0..STEPS {
            for i in 0..4 * e {
                let row = 16 * warp
                    + if (i / e).is_multiple_of(2) {
                        group
                    } else {
                        group + 8
                    };
                let column = step * stored + t * e + i % e + if i / e < 2 { 0 } else { 4 * e };
                a_rows[(step * 4 + i / e) * 4 + warp][thread % 32] |=
                    a[row][column] << (bits(form.a) * (i % e));
            }
        }
    }
    let mut body =
        String::from("setp.ne.u32 %p1, 0, 0; setp.eq.u32 %p2, 0, 0; fence.proxy.async;\n");
    let registers = form.n / 2 / (32 / bits(form.d).min(32));
    for index in 0..registers {
        body += &format!("mov.b32 %d{index}, %c{index};\n");
    }
    body += "wgmma.fence.sync.aligned;\n";
    let mut descriptors: Vec<Row> = Vec::new();
    for step in 0..STEPS {
        let operand = if form.in_registers {
            let names: Vec<String> = (0..4).map(|i| format!("%a{}", 4 * step + i)).collect();
            format!("{{{}}}", names.join(","))
        } else {
            format!("%q{}", 2 * step)
        };
        descriptors.extend([[a_layout.descriptor(step * stored); 32]; 4]);
        descriptors.extend([[b_layout.descriptor(step * k); 32]; 4]);
        let scale_d = if step > 0 {
            ["1", "%p2"][step % 2]
        } else if form.accumulate {
            "!%p1"
        } else {
            "%p1"
        };
        let sparse = if form.sparse {
            format!("%e{step}, {selector}, ")
        } else {
            String::new()
        };
        let mut last = String::new();
        if !form.integer() {
            last += &format!(", {}, {}", form.scales.0, form.scales.1);
        }
        if bits(form.a) == 16 {
            let flag = |(major, _): (Major, usize)| i32::from(major == Major::Mn);
            if !form.in_registers {
                last += &format!(", {}", flag(form.a_swizzle));
            }
            last += &format!(", {}", flag(form.b_swizzle));
        }
        body += &format!(
            "{} {}, {operand}, %q{}, {sparse}{scale_d}{last};\n",
            form.name(),
            vector("d", registers),
            2 * step + 1,
        );
    }
    body += "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
    let inputs = [
        Registers {
            name: "c",
            wide: false,
            rows: &sums,
        },
        Registers {
            name: "a",
            wide: false,
            rows: &a_rows,
        },
        Registers {
            name: "q",
            wide: true,
            rows: &descriptors,
        },
        Registers {
            name: "e",
            wide: false,
            rows: &metadata,
        },
    ];
    let (actual, _, _) = run_block(4, &body, &inputs, registers, false, &shared)
        .unwrap_or_else(|fault| panic!("{form:?}: {fault}"));
    // Each product is rounded, since each has its own D.
    let sign = f64::from(form.scales.0 * form.scales.1);
    let want = fragment(form.d, &|row, column| {
        let mut d = if form.accumulate { c[row][column] } else { 0 };
        for step in 0..STEPS {
            let mut sum = number(form.d, d);
            for index in step * stored..(step + 1) * stored {
                let b = number(form.b, b[column][places[row][index]]);
                sum += sign * (number(form.a, a[row][index]) * b);
            }
            if form.saturate {
                sum = sum.clamp(-2_147_483_648.0, 2_147_483_647.0);
            }
            d = sum_bits(form.d, sum);
        }
        d
    });
    assert!(actual == want, "{form:?}");
}

const SWIZZLES: [usize; 4] = [0, 32, 64, 128];

#[test]
fn every_width_of_floats_and_integers() {
    for n in (8..=256).step_by(8) {
        check(&Form { n, ..PLAIN });
        if matches!(n, 8 | 24) || n % 16 == 0 {
            check(&Form {
                n,
                a: "s8",
                b: "u8",
                d: "s32",
                ..PLAIN
            });
        }
    }
}

#[test]
fn every_type_with_a_in_memory_and_in_registers() {
    for in_registers in [false, true] {
        for (a, b, d) in [
            ("f16", "f16", "f16"),
            ("f16", "f16", "f32"),
            ("bf16", "bf16", "f32"),
            ("tf32", "tf32", "f32"),
            ("e4m3", "e4m3", "f32"),
            ("e4m3", "e5m2", "f16"),
            ("e5m2", "e4m3", "f32"),
            ("e5m2", "e5m2", "f16"),
            ("s8", "s8", "s32"),
            ("s8", "u8", "s32"),
            ("u8", "s8", "s32"),
            ("u8", "u8", "s32"),
            ("b1", "b1", "s32"),
        ] {
            for n in [8, 24] {
                check(&Form {
                    n,
                    a,
                    b,
                    d,
                    in_registers,
                    ..PLAIN
                });
            }
            if matches!(a, "s8" | "u8") {
                check(&Form {
                    a,
                    b,
                    d,
                    in_registers,
                    saturate: true,
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn every_layout_of_shared_memory() {
    for a in SWIZZLES {
        for b in SWIZZLES {
            for (x, y) in [
                (Major::K, Major::K),
                (Major::K, Major::Mn),
                (Major::Mn, Major::K),
                (Major::Mn, Major::Mn),
            ] {
                check(&Form {
                    n: 128,
                    a_swizzle: (x, a),
                    b_swizzle: (y, b),
                    ..PLAIN
                });
            }
            let (a_swizzle, b_swizzle) = ((Major::K, a), (Major::K, b));
            for (ty, d) in [("tf32", "f32"), ("s8", "s32"), ("b1", "s32")] {
                check(&Form {
                    a: ty,
                    b: ty,
                    d,
                    a_swizzle,
                    b_swizzle,
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn signs_and_first_products() {
    for scales in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
        for accumulate in [false, true] {
            check(&Form {
                scales,
                accumulate,
                ..PLAIN
            });
            check(&Form {
                a: "e5m2",
                b: "e4m3",
                scales,
                accumulate,
                in_registers: true,
                ..PLAIN
            });
        }
    }
    check(&Form {
        n: 16,
        a: "f16",
        b: "f16",
        scales: (-1, 1),
        in_registers: true,
        b_swizzle: (Major::Mn, 32),
        ..PLAIN
    });
    check(&Form {
        a: "u8",
        b: "u8",
        d: "s32",
        accumulate: false,
        ..PLAIN
    });
}

#[test]
fn sparse_products() {
    for in_registers in [false, true] {
        for (a, b, d) in [
            ("f16", "f16", "f16"),
            ("f16", "f16", "f32"),
            ("bf16", "bf16", "f32"),
            ("tf32", "tf32", "f32"),
            ("e4m3", "e5m2", "f32"),
            ("s8", "u8", "s32"),
        ] {
            for swizzle in [0, 64, 128] {
                let b_swizzle = (Major::K, swizzle);
                check(&Form {
                    a,
                    b,
                    d,
                    in_registers,
                    b_swizzle,
                    sparse: true,
                    ..PLAIN
                });
            }
        }
        check(&Form {
            n: 8,
            a: "f16",
            b: "f16",
            in_registers,
            sparse: true,
            ..PLAIN
        });
        let b_swizzle = (Major::Mn, 64);
        check(&Form {
            in_registers,
            b_swizzle,
            n: 64,
            sparse: true,
            ..PLAIN
        });
    }
}

fn one(a: u64, b: u64, lanes: impl Fn(usize, u64) -> u64) -> Result<(), Fault> {
    let rows = |value| -> Vec<Row> { vec![std::array::from_fn(|lane| lanes(lane, value)); 4] };
    let descriptors = [rows(a), rows(b)].concat();
    let body = format!(
        "fence.proxy.async; wgmma.fence.sync.aligned;
         wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {}, %q0, %q1, 0, 1, 1, 0, 0;
         wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
        vector("d", 8)
    );
    let inputs = [Registers {
        name: "q",
        wide: true,
        rows: &descriptors,
    }];
    run_block(4, &body, &inputs, 8, false, &[0; 4096]).map(|_| ())
}

#[test]
fn descriptors_without_meaning_are_faults() {
    // 64 rows of 32 bytes without swizzling: core matrices of 128 bytes.
    let plain = 128 >> 4 << 16 | 256 >> 4 << 32;
    one(plain, plain, |_, value| value).unwrap();
    let says = |a: u64, message: &str| {
        let fault = one(a, plain, |_, value| value).unwrap_err();
        assert!(fault.to_string().contains(message), "{fault}");
    };
    says(plain | 1 << 46, "outside of its fields");
    says(plain | 1 << 49, "base offset but no swizzling");
    // 128-byte rows, from byte 112: 32 bytes do not fit.
    says(112 >> 4 | 1024 >> 4 << 32 | 1 << 62, "leaves its 128-byte");
    says(plain | 4096 >> 4, "outside of every allocation");
    let fault = one(plain, plain, |lane, value| value + u64::from(lane == 7)).unwrap_err();
    assert_eq!(fault.lane, Some(7));
    assert!(matches!(fault.kind, FaultKind::MatrixMisuse(_)), "{fault}");
}

#[test]
fn adding_to_accumulators_that_were_never_written_is_a_fault() {
    let body = "mov.b64 %q0, 0x1000080000;
         wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0,%d1,%d2,%d3}, %q0, %q0, 1, 1, 1, 0, 0;";
    let inputs = [Registers {
        name: "q",
        wide: true,
        rows: &[],
    }];
    let fault = run_block(4, body, &inputs, 4, false, &[0; 4096]).unwrap_err();
    assert!(
        matches!(fault.kind, FaultKind::UninitializedRegister { .. }),
        "{fault}"
    );
}

/// Every word that an asynchronous operation reads is checked, whichever thread wrote the others.
#[test]
fn products_of_shared_memory_that_was_never_written_are_faults() {
    let kernel = |written: u32| {
        format!(
            ".version 8.0 .target sm_90a .address_size 64
             .shared .align 128 .b8 tile[4096];
             .visible .entry k() .reqntid 128 {{
             .reg .b32 %r<4>; .reg .b64 %q<1>; .reg .f32 %d<4>; .reg .pred %p;
             mov.u32 %r0, %tid.x; mov.u32 %r1, tile; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2; mov.u32 %r3, 0;
             setp.ge.u32 %p, %r0, {written}; @%p bra DONE;
             st.shared.u32 [%r1], %r3; st.shared.u32 [%r1+512], %r3;
             st.shared.u32 [%r1+1024], %r3; st.shared.u32 [%r1+1536], %r3;
             DONE: fence.proxy.async; barrier.sync 0; wgmma.fence.sync.aligned;
             mov.b64 %q0, 0x1000080000;
             wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%d0,%d1,%d2,%d3}}, %q0, %q0, 0, 1, 1, 0, 0;
             wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; ret; }}"
        )
    };
    let run = |written: u32| {
        let module = tile_sim::Module::parse(&kernel(written)).unwrap();
        let launch = tile_sim::Launch::new("k").threads(128);
        let options = tile_sim::Options::default();
        crate::support::launch(&module, &launch, &mut tile_sim::Memory::new(), &options)
    };
    run(128).unwrap();
    for written in [0, 96] {
        let fault = run(written).unwrap_err();
        let kind = &fault.kind;
        assert!(
            matches!(kind, FaultKind::UninitializedShared { .. }),
            "{fault}"
        );
    }
}
