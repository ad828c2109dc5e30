//! Textures, samplers and surfaces: what the host makes, and kernels get handles of.
//!
//! An image lies in global memory without gaps: channels of an element, elements along x, then y,
//! then z or layers. It has one level.

pub(crate) mod sample;

/// What a channel of an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// An unsigned number of 8 bits.
    Unsigned8,
    /// A signed number of 8 bits.
    Signed8,
    /// An unsigned number of 16 bits.
    Unsigned16,
    /// A signed number of 16 bits.
    Signed16,
    /// An unsigned number of 32 bits.
    Unsigned32,
    /// A signed number of 32 bits.
    Signed32,
    /// A floating-point number of half precision.
    Float16,
    /// A floating-point number of single precision.
    Float32,
}

impl Channel {
    /// How many bytes it has.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Unsigned8 | Self::Signed8 => 1,
            Self::Unsigned16 | Self::Signed16 | Self::Float16 => 2,
            Self::Unsigned32 | Self::Signed32 | Self::Float32 => 4,
        }
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Self::Float16 | Self::Float32)
    }
}

/// How many elements an image has along which axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `.1d`
    Line {
        /// Elements along x.
        width: u32,
    },
    /// `.2d`
    Plane {
        /// Elements along x.
        width: u32,
        /// Elements along y.
        height: u32,
    },
    /// `.3d`
    Volume {
        /// Elements along x.
        width: u32,
        /// Elements along y.
        height: u32,
        /// Elements along z.
        depth: u32,
    },
    /// `.a1d`
    Lines {
        /// Elements along x.
        width: u32,
        /// How many lines.
        layers: u32,
    },
    /// `.a2d`
    Planes {
        /// Elements along x.
        width: u32,
        /// Elements along y.
        height: u32,
        /// How many planes.
        layers: u32,
    },
    /// `.cube`: six faces, those of positive and negative x, y and z.
    Cube {
        /// Elements along both axes of a face.
        width: u32,
    },
    /// `.acube`
    Cubes {
        /// Elements along both axes of a face.
        width: u32,
        /// How many cubes.
        cubes: u32,
    },
}

impl Shape {
    /// Elements along x, y and z.
    pub(crate) fn extents(self) -> [u32; 3] {
        match self {
            Self::Line { width } | Self::Lines { width, .. } => [width, 1, 1],
            Self::Plane { width, height } | Self::Planes { width, height, .. } => {
                [width, height, 1]
            }
            Self::Volume {
                width,
                height,
                depth,
            } => [width, height, depth],
            Self::Cube { width } | Self::Cubes { width, .. } => [width, width, 1],
        }
    }

    /// Lines, planes or faces, one behind the other.
    pub(crate) fn layers(self) -> u32 {
        match self {
            Self::Line { .. } | Self::Plane { .. } | Self::Volume { .. } => 1,
            Self::Lines { layers, .. } | Self::Planes { layers, .. } => layers,
            Self::Cube { .. } => 6,
            Self::Cubes { cubes, .. } => cubes.saturating_mul(6),
        }
    }

    /// As modifiers name it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Line { .. } => "1d",
            Self::Plane { .. } => "2d",
            Self::Volume { .. } => "3d",
            Self::Lines { .. } => "a1d",
            Self::Planes { .. } => "a2d",
            Self::Cube { .. } => "cube",
            Self::Cubes { .. } => "acube",
        }
    }
}

/// Elements in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Image {
    /// The first byte, at a multiple of 16.
    pub address: u64,
    /// What each channel is.
    pub channel: Channel,
    /// 1, 2 or 4.
    pub channels: usize,
    /// How many elements there are.
    pub shape: Shape,
}

impl Image {
    /// Bytes of an element.
    pub fn element_bytes(&self) -> usize {
        self.channel.bytes() * self.channels
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> u64 {
        let [x, y, z] = self.shape.extents().map(u64::from);
        let elements = x.saturating_mul(y).saturating_mul(z);
        elements
            .saturating_mul(u64::from(self.shape.layers()))
            .saturating_mul(self.element_bytes() as u64)
    }

    /// Where an element lies that is there.
    pub(crate) fn element(&self, layer: u32, at: [u32; 3]) -> u64 {
        let [width, height, depth] = self.shape.extents().map(u64::from);
        let [x, y, z] = at.map(u64::from);
        let index = ((u64::from(layer) * depth + z) * height + y) * width + x;
        self.address + index * self.element_bytes() as u64
    }

    pub(crate) fn check(&self) -> Result<(), ImageError> {
        if !matches!(self.channels, 1 | 2 | 4) {
            return Err(ImageError::Channels(self.channels));
        }
        if !self.address.is_multiple_of(16) {
            return Err(ImageError::Misaligned(self.address));
        }
        if self.bytes() == 0 {
            return Err(ImageError::Empty);
        }
        Ok(())
    }
}

/// What becomes of coordinates outside of an image (CUDA C++ Programming Guide, "Texture
/// Fetching").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressMode {
    /// Only the fraction counts. For normalized coordinates; others are clamped.
    Wrap,
    /// Likewise, every other time backwards.
    Mirror,
    /// The nearest element.
    Clamp,
    /// Zeros.
    Border,
}

/// What is made of the elements near a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The one that it is in.
    Point,
    /// A mean of the nearest two along each axis, with weights of 8 fractional bits.
    Linear,
}

/// What coordinates count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coordinates {
    /// Elements.
    Elements,
    /// The image: from 0 to 1.
    Normalized,
}

/// How a texture is read at coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Along x, y and z.
    pub address: [AddressMode; 3],
    /// Between elements.
    pub filter: Filter,
    /// What coordinates count.
    pub coordinates: Coordinates,
}

impl Default for Sampler {
    /// Elements at integers, and the nearest one outside.
    fn default() -> Self {
        Self {
            address: [AddressMode::Clamp; 3],
            filter: Filter::Point,
            coordinates: Coordinates::Elements,
        }
    }
}

/// What reading an element gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadMode {
    /// Its numbers.
    Element,
    /// For integers of 8 and 16 bits: the share of the greatest, from 0 or -1 to 1.
    Normalized,
}

/// An image that kernels read at coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Texture {
    /// What it is made of.
    pub image: Image,
    /// How it is read where the instruction has no sampler of its own.
    pub sampler: Sampler,
    /// What reading gives.
    pub read: ReadMode,
}

impl Texture {
    pub(crate) fn check(&self) -> Result<(), ImageError> {
        self.image.check()?;
        let channel = self.image.channel;
        if self.read == ReadMode::Normalized && (channel.is_float() || channel.bytes() == 4) {
            return Err(ImageError::NotNormalized);
        }
        Ok(())
    }
}

/// What a handle leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Object {
    Texture(Texture),
    Sampler(Sampler),
    Surface(Image),
}

/// An image that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// Elements have other numbers of channels.
    #[error("an element has 1, 2 or 4 channels, not {0}")]
    Channels(usize),
    /// It does not begin where images begin.
    #[error("an image begins at a multiple of 16 bytes, not at {0:#x}")]
    Misaligned(u64),
    /// It has no element.
    #[error("the image has no elements")]
    Empty,
    /// Reading gives fractions of what has no greatest number.
    #[error("only integers of 8 and 16 bits are read as normalized")]
    NotNormalized,
    /// It is not where its address says.
    #[error("{0}")]
    Memory(#[from] crate::MemoryError),
}
