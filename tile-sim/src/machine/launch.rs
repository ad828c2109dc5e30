//! The configuration of a launch: kernel, grid and arguments.

use smallvec::SmallVec;

/// A kernel argument, stored as bytes.
///
/// Numbers convert with `Arg::from`; device pointers are `u64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg(pub(crate) SmallVec<[u8; 8]>);

impl Arg {
    /// Creates an argument for a parameter of any type from its bytes.
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

/// The configuration of a kernel launch.
#[derive(Clone, Debug)]
pub struct Launch {
    pub(crate) entry: String,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) cluster: Option<[u32; 3]>,
    pub(crate) dynamic_shared_bytes: u32,
    pub(crate) args: Vec<Arg>,
}

impl Launch {
    /// Returns the name of the kernel.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// Returns the number of blocks along x, y and z.
    pub fn blocks(&self) -> [u32; 3] {
        self.grid
    }

    /// Creates a launch of one thread of `entry`, without arguments.
    pub fn new(entry: impl Into<String>) -> Self {
        Self {
            entry: entry.into(),
            grid: [1; 3],
            block: [1; 3],
            cluster: None,
            dynamic_shared_bytes: 0,
            args: Vec::new(),
        }
    }

    /// Sets the number of blocks along x, y and z.
    #[must_use]
    pub fn grid(mut self, grid: [u32; 3]) -> Self {
        self.grid = grid;
        self
    }

    /// Sets a one-dimensional block of `threads` threads.
    #[must_use]
    pub fn threads(self, threads: u32) -> Self {
        self.block([threads, 1, 1])
    }

    /// Sets the number of threads of a block along x, y and z.
    #[must_use]
    pub fn block(mut self, block: [u32; 3]) -> Self {
        self.block = block;
        self
    }

    /// Sets the number of blocks of a cluster along x, y and z. A kernel with `.reqnctapercluster`
    /// does not need it.
    #[must_use]
    pub fn cluster(mut self, cluster: [u32; 3]) -> Self {
        self.cluster = Some(cluster);
        self
    }

    /// Sets the size of dynamic shared memory in bytes, in addition to the kernel's static shared
    /// memory.
    #[must_use]
    pub fn dynamic_shared_bytes(mut self, bytes: u32) -> Self {
        self.dynamic_shared_bytes = bytes;
        self
    }

    /// Sets the arguments, in the order of the parameters.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = Arg>) -> Self {
        self.args = args.into_iter().collect();
        self
    }
}
