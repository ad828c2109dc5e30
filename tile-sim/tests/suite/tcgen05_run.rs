//! Runs tensor core operations on given contents of shared and tensor memory. Matrices in shared
//! memory are laid out as tensor copies write them, by rows and chunks of 16 bytes instead of
//! address bits.

use tile_sim::{Arg, Fault, Launch, Memory, Module, Options};

use crate::random::Random;

/// One or two blocks, and the operations that one of their threads issues.
pub(crate) struct Machine {
    pub(crate) target: &'static str,
    /// The contents of each block's shared memory, from an address that is a multiple of 1,024.
    pub(crate) shared: Vec<Vec<u8>>,
    /// The contents of each block's first columns, lane by lane.
    pub(crate) tensor: Vec<Vec<u32>>,
    pub(crate) columns: usize,
    /// The rank of the issuing block.
    pub(crate) issuer: usize,
    /// The instructions of one thread. `%t` is the address of tensor memory, `%base` that of shared
    /// memory, and `%units` the same in units of 16 bytes.
    pub(crate) body: String,
    pub(crate) seed: u64,
}

impl Machine {
    pub(crate) fn new(blocks: usize, columns: usize, random: &mut Random) -> Self {
        let columns = columns.next_multiple_of(8);
        let words =
            |random: &mut Random| (0..128 * columns).map(|_| random.bits() as u32).collect();
        Self {
            target: "sm_100a",
            shared: vec![Vec::new(); blocks],
            tensor: (0..blocks).map(|_| words(random)).collect(),
            columns,
            issuer: blocks - 1,
            body: String::new(),
            seed: 0,
        }
    }

    pub(crate) fn cell(&mut self, block: usize, lane: usize, column: usize) -> &mut u32 {
        assert!(column < self.columns && lane < 128);
        &mut self.tensor[block][lane * self.columns + column]
    }

    /// Returns the final contents of tensor memory.
    pub(crate) fn run(&self) -> Result<Vec<Vec<u32>>, Fault> {
        let blocks = self.shared.len();
        let bytes = self.shared.iter().map(Vec::len).max().unwrap();
        let bytes = bytes.next_multiple_of(512).max(512);
        let text = format!(
            ".version 9.0 .target {target} .address_size 64
             .extern .shared .align 1024 .b8 dynamic[];
             .visible .entry k(.param .u64 shared, .param .u64 tensor, .param .u64 out) {{
             .reg .pred %p<8>; .reg .b16 %h<4>; .reg .b32 %r<32>, %v<8>, %t, %base, %thread, %rank, %warp, %bar, %own;
             .reg .b64 %d<16>, %units;
             mov.u32 %thread, %tid.x; mov.u32 %rank, %cluster_ctarank; mov.u32 %base, dynamic;
             and.b32 %t, %base, 0x3ffff; cvt.u64.u32 %units, %t; shr.u64 %units, %units, 4;
             shr.u32 %warp, %thread, 5; add.u32 %bar, %base, {bytes};
             ld.param.u64 %d0, [shared]; mul.wide.u32 %d1, %rank, {bytes}; add.u64 %d0, %d0, %d1;
             mul.wide.u32 %d1, %thread, 4; add.u64 %d0, %d0, %d1;
             mad.lo.u32 %r1, %thread, 4, %base; mov.u32 %r0, 0;
             COPY: ld.global.b32 %r2, [%d0]; st.shared.b32 [%r1], %r2;
             add.u64 %d0, %d0, 512; add.u32 %r1, %r1, 512; add.u32 %r0, %r0, 512;
             setp.lt.u32 %p1, %r0, {bytes}; @%p1 bra COPY;
             setp.eq.u32 %p2, %thread, 0;
             @%p2 mbarrier.init.shared.b64 [%bar], 1;
             @%p2 fence.mbarrier_init.release.cluster;
             fence.proxy.async.shared::cta;
             setp.ne.u32 %p1, %warp, 0; @%p1 bra TAKEN;
             tcgen05.alloc.cta_group::{group}.sync.aligned.shared::cta.b32 [%bar+8], 512;
             tcgen05.relinquish_alloc_permit.cta_group::{group}.sync.aligned;
             TAKEN: tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
             ld.shared.b32 %t, [%bar+8];
             shl.b32 %own, %warp, 21; add.u32 %own, %own, %t;
             mad.lo.u32 %r1, %rank, 128, %thread; mul.wide.u32 %d1, %r1, {row};
             ld.param.u64 %d0, [tensor]; add.u64 %d0, %d0, %d1; mov.u32 %r0, 0;
             FILL: ld.global.v4.b32 {{%v0, %v1, %v2, %v3}}, [%d0];
             ld.global.v4.b32 {{%v4, %v5, %v6, %v7}}, [%d0+16];
             add.u32 %r2, %own, %r0;
             tcgen05.st.sync.aligned.32x32b.x8.b32 [%r2], {{%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}};
             add.u64 %d0, %d0, 32; add.u32 %r0, %r0, 8;
             setp.lt.u32 %p1, %r0, {columns}; @%p1 bra FILL;
             tcgen05.wait::st.sync.aligned;
             tcgen05.fence::before_thread_sync;
             barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
             tcgen05.fence::after_thread_sync;
             setp.ne.u32 %p1, %rank, {issuer}; @%p1 bra WAIT; @!%p2 bra WAIT;
             {body}
             {commit}
             WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%bar], 0; @!%p1 bra WAIT;
             tcgen05.fence::after_thread_sync;
             ld.param.u64 %d0, [out]; mad.lo.u32 %r1, %rank, 128, %thread; mul.wide.u32 %d1, %r1, {row};
             add.u64 %d0, %d0, %d1; mov.u32 %r0, 0;
             DUMP: add.u32 %r2, %own, %r0;
             tcgen05.ld.sync.aligned.32x32b.x8.b32 {{%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}}, [%r2];
             tcgen05.wait::ld.sync.aligned;
             st.global.v4.b32 [%d0], {{%v0, %v1, %v2, %v3}};
             st.global.v4.b32 [%d0+16], {{%v4, %v5, %v6, %v7}};
             add.u64 %d0, %d0, 32; add.u32 %r0, %r0, 8;
             setp.lt.u32 %p1, %r0, {columns}; @%p1 bra DUMP;
             tcgen05.fence::before_thread_sync;
             barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
             tcgen05.fence::after_thread_sync;
             setp.ne.u32 %p1, %warp, 0; @%p1 bra END;
             tcgen05.dealloc.cta_group::{group}.sync.aligned.b32 %t, 512;
             END: ret; }}",
            target = self.target,
            group = blocks,
            row = 4 * self.columns,
            columns = self.columns,
            issuer = self.issuer,
            body = self.body,
            commit = if blocks == 1 {
                "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar];"
            } else {
                "mov.b16 %h0, 3; tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%bar], %h0;"
            },
        );
        let module = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{}", self.body));
        let mut memory = Memory::new();
        let mut image = Vec::new();
        for block in &self.shared {
            let mut block = block.clone();
            block.resize(bytes, 0xee);
            image.extend(block);
        }
        let shared = memory.alloc_with(&image, 16);
        let cells: Vec<u8> = self
            .tensor
            .iter()
            .flatten()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let tensor = memory.alloc_with(&cells, 16);
        let out = memory.alloc(cells.len(), 16);
        let count = u32::try_from(blocks).unwrap();
        let launch = Launch::new("k")
            .grid([count, 1, 1])
            .cluster([count, 1, 1])
            .threads(128)
            .dynamic_shared_bytes(u32::try_from(bytes + 16).unwrap())
            .args([shared, tensor, out].map(Arg::from));
        let options = Options {
            seed: self.seed,
            ..Options::default()
        };
        crate::support::launch(&module, &launch, &mut memory, &options)?;
        let words: Vec<u32> = memory
            .bytes(out)
            .unwrap()
            .chunks(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect();
        Ok(words
            .chunks(128 * self.columns)
            .map(<[u32]>::to_vec)
            .collect())
    }

    /// Runs the operations and compares all of tensor memory.
    pub(crate) fn check(&self, expected: &[Vec<u32>], what: &str) {
        let actual = self.run().unwrap_or_else(|fault| panic!("{what}: {fault}"));
        for (block, (actual, expected)) in actual.iter().zip(expected).enumerate() {
            let differs = |&index: &usize| actual[index] != expected[index];
            let wrong: Vec<usize> = (0..actual.len()).filter(differs).collect();
            if let Some(&index) = wrong.first() {
                panic!(
                    "{what}: {} cells of block {block} differ, first lane {}, column {}: {:#x}, not {:#x}\n{}",
                    wrong.len(),
                    index / self.columns,
                    index % self.columns,
                    actual[index],
                    expected[index],
                    self.body,
                );
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Major {
    K,
    Mn,
}

/// The layout of 16-byte chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swizzle {
    None,
    By32,
    By64,
    By128,
    /// The 128-byte swizzle with 32-byte atoms.
    By128Of32,
}

impl Swizzle {
    fn span(self) -> usize {
        match self {
            Self::None => 16,
            Self::By32 => 32,
            Self::By64 => 64,
            Self::By128 | Self::By128Of32 => 128,
        }
    }

    /// Returns the position of chunk `chunk` in a line.
    fn chunk(self, chunk: usize, line: usize) -> usize {
        match self {
            Self::None => chunk,
            Self::By32 => chunk ^ line / 4 % 2,
            Self::By64 => chunk ^ line / 2 % 4,
            Self::By128 => chunk ^ line % 8,
            Self::By128Of32 => 2 * (chunk / 2 ^ line % 4) + chunk % 2,
        }
    }
}

/// A matrix in the shared memory of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    pub(crate) major: Major,
    pub(crate) swizzle: Swizzle,
    /// The number of bits per element.
    pub(crate) bits: usize,
    /// The number of elements per 16 bytes.
    pub(crate) per: usize,
    /// The extent along M or N.
    pub(crate) extent: usize,
    pub(crate) depth: usize,
    pub(crate) base: usize,
    /// The number of chunks before the matrix in a K-major line.
    pub(crate) before: usize,
}

impl Matrix {
    /// Returns the distance between atoms in bytes, along K and along M or N, with gaps.
    fn strides(&self) -> (usize, usize) {
        let span = self.swizzle.span();
        let lines = self.lines();
        let atom = lines * span + 1024;
        match self.major {
            Major::K => (atom * self.extent.div_ceil(8) + 1024, atom),
            Major::Mn => (atom, atom * self.depth.div_ceil(lines) + 1024),
        }
    }

    fn lines(&self) -> usize {
        if self.swizzle == Swizzle::By128Of32 && self.major == Major::Mn {
            4
        } else {
            8
        }
    }

    /// Returns the byte at which a chunk begins, and the bit of element (`row`, `k`) in it.
    pub(crate) fn place(&self, row: usize, k: usize) -> (usize, usize) {
        let span = self.swizzle.span();
        let (in_k, in_rows) = self.strides();
        let (across, along) = match self.major {
            Major::K => (row, k),
            Major::Mn => (k, row),
        };
        let chunk = along / self.per + self.before;
        let line = across % self.lines();
        let atom = match self.major {
            Major::K => across / 8 * in_rows + chunk * 16 / span * in_k,
            Major::Mn => across / self.lines() * in_k + chunk * 16 / span * in_rows,
        };
        let within = self.swizzle.chunk(chunk % (span / 16), line);
        let offset = self.base + atom + line * span + within * 16;
        (offset, along % self.per * self.bits)
    }

    /// Returns the descriptor, from the table of the ISA.
    pub(crate) fn descriptor(&self) -> u64 {
        let (in_k, in_rows) = self.strides();
        let (leading, stride) = match (self.major, self.swizzle) {
            (_, Swizzle::None) => (in_k, in_rows),
            (Major::K, _) => (16, in_rows),
            (Major::Mn, _) => (in_rows, in_k),
        };
        let start = self.base + self.before * 16;
        let encode = |x: usize| ((x & 0x3ffff) >> 4) as u64;
        let mode = match self.swizzle {
            Swizzle::None => 0u64,
            Swizzle::By128Of32 => 1,
            Swizzle::By128 => 2,
            Swizzle::By64 => 4,
            Swizzle::By32 => 6,
        };
        encode(start) | encode(leading) << 16 | encode(stride) << 32 | 1 << 46 | mode << 61
    }

    /// Returns the first byte after the matrix at which another may begin.
    pub(crate) fn end(&self) -> usize {
        let (rows, ks) = match self.major {
            Major::K => (1, self.per),
            Major::Mn => (self.per, 1),
        };
        let rows = (0..self.extent).step_by(rows);
        let places = rows.flat_map(|row| (0..self.depth).step_by(ks).map(move |k| (row, k)));
        let last = places.map(|(row, k)| self.place(row, k).0).max().unwrap();
        (last + 16).next_multiple_of(1024)
    }

    pub(crate) fn write(&self, shared: &mut Vec<u8>, row: usize, k: usize, element: u64) {
        let (offset, bit) = self.place(row, k);
        if shared.len() < offset + 16 {
            shared.resize(offset + 16, 0);
        }
        // The remaining bytes of the unit are still 0.
        let mut unit = u128::from_le_bytes(shared[offset..offset + 16].try_into().unwrap());
        unit |= u128::from(element) << bit;
        shared[offset..offset + 16].copy_from_slice(&unit.to_le_bytes());
    }
}
