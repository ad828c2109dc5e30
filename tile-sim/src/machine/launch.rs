//! What to run: an entry, its grid, its arguments.

use smallvec::SmallVec;

/// An argument of a kernel, as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg(pub(crate) SmallVec<[u8; 8]>);

impl Arg {
    /// The bytes of a parameter of any type.
    pub fn bytes(bytes: &[u8]) -> Self {
        Self(SmallVec::from_slice(bytes))
    }
}

macro_rules! args {
    ($($ty:ty)+) => {
        $(impl From<$ty> for Arg {
            fn from(value: $ty) -> Self {
                Self::bytes(&value.to_le_bytes())
            }
        })+
    };
}

args! { u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 }

impl From<bool> for Arg {
    fn from(value: bool) -> Self {
        Self::bytes(&[u8::from(value)])
    }
}

/// What to run, with what.
#[derive(Clone, Debug)]
pub struct Launch {
    pub(crate) entry: String,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) cluster: Option<[u32; 3]>,
    pub(crate) dynamic_shared_bytes: u32,
    pub(crate) args: Vec<Arg>,
    pub(crate) bound: Vec<(String, u64)>,
}

impl Launch {
    /// The name of what runs.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// One thread of `entry`, without arguments.
    pub fn new(entry: impl Into<String>) -> Self {
        Self {
            entry: entry.into(),
            grid: [1; 3],
            block: [1; 3],
            cluster: None,
            dynamic_shared_bytes: 0,
            args: Vec::new(),
            bound: Vec::new(),
        }
    }

    /// How many blocks along each axis.
    #[must_use]
    pub fn grid(mut self, grid: [u32; 3]) -> Self {
        self.grid = grid;
        self
    }

    /// How many threads in a block, in one row.
    #[must_use]
    pub fn threads(self, threads: u32) -> Self {
        self.block([threads, 1, 1])
    }

    /// How many threads in a block along each axis.
    #[must_use]
    pub fn block(mut self, block: [u32; 3]) -> Self {
        self.block = block;
        self
    }

    /// How many blocks along each axis of a cluster, for kernels that do not say so themselves.
    #[must_use]
    pub fn cluster(mut self, cluster: [u32; 3]) -> Self {
        self.cluster = Some(cluster);
        self
    }

    /// How much shared memory beyond that which the kernel names with a size.
    #[must_use]
    pub fn dynamic_shared_bytes(mut self, bytes: u32) -> Self {
        self.dynamic_shared_bytes = bytes;
        self
    }

    /// The variable of this name, a `.texref`, `.samplerref` or `.surfref`, stands for a handle of
    /// [`Memory::texture`](crate::Memory::texture), [`Memory::sampler`](crate::Memory::sampler) or
    /// [`Memory::surface`](crate::Memory::surface): in this launch, and in later ones that do not
    /// say otherwise.
    #[must_use]
    pub fn bind(mut self, variable: impl Into<String>, handle: u64) -> Self {
        self.bound.push((variable.into(), handle));
        self
    }

    /// The arguments, in the order of the parameters.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = Arg>) -> Self {
        self.args = args.into_iter().collect();
        self
    }
}
