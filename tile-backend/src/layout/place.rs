//! Hardware places: the inputs of a layout.
//!
//! A place is a register in a lane of a warp in a block, or an offset in the shared memory of a block. In a
//! flat index, the numbers of a place are concatenated in the order of [`InDim::ALL`].

/// An input dimension of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InDim {
    /// The index of a value among those that a thread holds of one tile.
    Register,
    /// The thread's index in its warp.
    Lane,
    /// The warp's index in its block.
    Warp,
    /// An element offset into a shared-memory buffer.
    Offset,
    /// The block's index in its cluster.
    Block,
}

impl InDim {
    /// All dimensions, in the order of a flat input index (lowest bits first).
    pub const ALL: [Self; 5] = [
        Self::Register,
        Self::Lane,
        Self::Warp,
        Self::Offset,
        Self::Block,
    ];

    pub(super) fn index(self) -> usize {
        self as usize
    }

    /// Returns the dimension's name in printed layouts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Lane => "lane",
            Self::Warp => "warp",
            Self::Offset => "offset",
            Self::Block => "block",
        }
    }
}

/// The index of a value among those that a thread holds of one tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub u32);

impl Register {
    /// Returns the index, for slices.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place that can hold an element: one number per input dimension. Start from
/// `Location::default()`, where all are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// See [`InDim::Register`].
    pub register: u32,
    /// See [`InDim::Lane`].
    pub lane: u32,
    /// See [`InDim::Warp`].
    pub warp: u32,
    /// See [`InDim::Offset`].
    pub offset: u32,
    /// See [`InDim::Block`].
    pub block: u32,
}

impl Location {
    /// Returns the place of a register of a thread, in block 0.
    pub fn thread(register: Register, lane: u32, warp: u32) -> Self {
        Self {
            register: register.0,
            lane,
            warp,
            ..Self::default()
        }
    }

    /// Returns the place at an offset into the shared memory of block 0.
    pub fn offset(offset: u32) -> Self {
        Self {
            offset,
            ..Self::default()
        }
    }

    /// Returns the number in one dimension.
    pub fn get(self, dim: InDim) -> u32 {
        match dim {
            InDim::Register => self.register,
            InDim::Lane => self.lane,
            InDim::Warp => self.warp,
            InDim::Offset => self.offset,
            InDim::Block => self.block,
        }
    }

    /// Replaces the number in one dimension.
    #[must_use]
    pub fn with(mut self, dim: InDim, value: u32) -> Self {
        *match dim {
            InDim::Register => &mut self.register,
            InDim::Lane => &mut self.lane,
            InDim::Warp => &mut self.warp,
            InDim::Offset => &mut self.offset,
            InDim::Block => &mut self.block,
        } = value;
        self
    }
}

/// The number of bits of each input dimension: the domain of a layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct InBits {
    bits: [u32; 5],
}

impl InBits {
    /// Returns the domain with these numbers of bits, in the order of [`InDim::ALL`].
    pub fn new(bits: [u32; 5]) -> Self {
        Self { bits }
    }

    /// Returns the domain of a distributed layout.
    pub fn distributed(register: u32, lane: u32, warp: u32, block: u32) -> Self {
        Self {
            bits: [register, lane, warp, 0, block],
        }
    }

    /// Returns the number of bits of `dim`.
    pub fn bits(&self, dim: InDim) -> u32 {
        self.bits[dim.index()]
    }

    /// Returns the number of values of `dim`.
    pub fn size(&self, dim: InDim) -> u32 {
        1 << self.bits(dim)
    }

    /// Returns the number of bits of a flat input index.
    pub fn total(&self) -> u32 {
        self.bits.iter().sum()
    }

    /// Returns the lowest bit of `dim` in a flat input index.
    pub fn shift(&self, dim: InDim) -> u32 {
        self.bits[..dim.index()].iter().sum()
    }

    /// Returns the part of a flat input index, or of a mask over one, that belongs to `dim`.
    pub fn extract(&self, flat: u64, dim: InDim) -> u32 {
        let bits = flat >> self.shift(dim) & ((1 << self.bits(dim)) - 1);
        u32::try_from(bits).expect("a dimension has at most 31 bits")
    }

    /// Returns the flat input index of a place.
    pub fn flatten(&self, location: Location) -> u64 {
        InDim::ALL.into_iter().fold(0, |flat, dim| {
            let value = location.get(dim);
            assert!(
                value < self.size(dim),
                "{} {value} is out of range",
                dim.name()
            );
            flat | u64::from(value) << self.shift(dim)
        })
    }

    /// Returns the place of a flat input index.
    pub fn unflatten(&self, flat: u64) -> Location {
        InDim::ALL
            .into_iter()
            .fold(Location::default(), |location, dim| {
                location.with(dim, self.extract(flat, dim))
            })
    }

    /// Returns all dimensions' bits, lowest flat bit first.
    pub fn each_bit(&self) -> impl Iterator<Item = (InDim, u32)> + use<> {
        let bits = self.bits;
        InDim::ALL
            .into_iter()
            .flat_map(move |dim| (0..bits[dim.index()]).map(move |bit| (dim, bit)))
    }
}
