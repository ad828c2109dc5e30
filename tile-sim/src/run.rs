//! Runs a kernel from PTX text in one call, with host slices as arguments.

use crate::machine::memory::Memory;
use crate::machine::{Arg, Launch, Options};
use crate::module::Module;
use crate::parse::ParseError;
use crate::report::{Report, Resources};

/// Extents along x, y and z. Missing ones are 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extents(pub [u32; 3]);

impl From<u32> for Extents {
    fn from(x: u32) -> Self {
        Self([x, 1, 1])
    }
}

impl From<[u32; 2]> for Extents {
    fn from([x, y]: [u32; 2]) -> Self {
        Self([x, y, 1])
    }
}

impl From<[u32; 3]> for Extents {
    fn from(extents: [u32; 3]) -> Self {
        Self(extents)
    }
}

/// A number type of buffer elements, which are little-endian on the device.
pub trait Element: Copy {
    /// Appends the bytes of the number.
    fn append(self, bytes: &mut Vec<u8>);

    /// Decodes a number from its bytes.
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($ty:ty)+) => {
        $(impl Element for $ty {
            fn append(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                let mut array = [0; size_of::<Self>()];
                array.copy_from_slice(bytes);
                Self::from_le_bytes(array)
            }
        })+
    };
}

elements! { u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 f32 f64 }

/// A function that copies the final contents of a buffer back to the host.
type Back<'a> = Box<dyn FnOnce(&[u8]) + 'a>;

/// A function that creates a kernel parameter from the address of a buffer.
type Parameter<'a> = Box<dyn FnOnce(&mut Memory, u64) -> Arg + 'a>;

enum Kind<'a> {
    Value(Arg),
    Buffer {
        bytes: Vec<u8>,
        align: u64,
        parameter: Parameter<'a>,
        back: Option<Back<'a>>,
    },
    /// Buffers of equal length.
    Replicas(Vec<(Vec<u8>, Back<'a>)>),
}

/// A kernel argument: a number, or a host slice that is copied to the device.
///
/// Numbers and slices convert: `5u32.into()`, `(&input[..]).into()`, `(&mut output[..]).into()`.
pub struct Argument<'a>(Kind<'a>);

/// The alignment of `cuMemAlloc` in bytes.
const ALIGNMENT: u64 = 256;

impl<'a> Argument<'a> {
    /// Passes a number, or the bytes of another parameter type.
    pub fn value(value: impl Into<Arg>) -> Self {
        Self(Kind::Value(value.into()))
    }

    fn buffer(bytes: Vec<u8>, back: Option<Back<'a>>) -> Self {
        Self(Kind::Buffer {
            bytes,
            align: ALIGNMENT,
            parameter: Box::new(|_, address| Arg::from(address)),
            back,
        })
    }

    /// Passes a pointer to a copy of `elements`.
    pub fn input<T: Element>(elements: &[T]) -> Self {
        Self::buffer(bytes_of(elements), None)
    }

    /// Passes a pointer to a copy of `elements`, and copies the buffer back when the kernel ends or
    /// faults.
    pub fn in_out<T: Element>(elements: &'a mut [T]) -> Self {
        Self::buffer(bytes_of(elements), Some(copied_to(elements)))
    }

    /// Passes a multicast address of copies of these slices, for `multimem` instructions. All
    /// slices are copied back.
    ///
    /// # Panics
    ///
    /// Panics if there are no slices, or if their lengths differ.
    pub fn replicas<T: Element + 'a>(replicas: impl IntoIterator<Item = &'a mut [T]>) -> Self {
        let replicas: Vec<_> = replicas
            .into_iter()
            .map(|elements| (bytes_of(elements), copied_to(elements)))
            .collect();
        assert!(!replicas.is_empty(), "there must be at least one replica");
        let length = replicas[0].0.len();
        assert!(
            replicas.iter().all(|(bytes, _)| bytes.len() == length),
            "replicas must have equal lengths"
        );
        Self(Kind::Replicas(replicas))
    }

    /// Allocates the buffer at an odd multiple of `to` bytes, a power of two, instead of 256.
    #[must_use]
    pub fn aligned(mut self, to: u64) -> Self {
        if let Kind::Buffer { align, .. } = &mut self.0 {
            *align = to;
        }
        self
    }

    /// Passes a parameter that `make` creates from the buffer's address, such as a tensor map or a
    /// struct.
    #[must_use]
    pub fn with(mut self, make: impl FnOnce(u64) -> Arg + 'a) -> Self {
        if let Kind::Buffer { parameter, .. } = &mut self.0 {
            *parameter = Box::new(|_, address| make(address));
        }
        self
    }
}

fn copied_to<T: Element>(elements: &mut [T]) -> Back<'_> {
    Box::new(|bytes| {
        let pieces = bytes.chunks_exact(size_of::<T>());
        for (element, bytes) in elements.iter_mut().zip(pieces) {
            *element = T::from_bytes(bytes);
        }
    })
}

fn bytes_of<T: Element>(elements: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size_of_val(elements));
    for &element in elements {
        element.append(&mut bytes);
    }
    bytes
}

impl<V: Into<Arg>> From<V> for Argument<'_> {
    fn from(value: V) -> Self {
        Self::value(value)
    }
}

impl<T: Element> From<&[T]> for Argument<'_> {
    fn from(elements: &[T]) -> Self {
        Self::input(elements)
    }
}

impl<'a, T: Element> From<&'a mut [T]> for Argument<'a> {
    fn from(elements: &'a mut [T]) -> Self {
        Self::in_out(elements)
    }
}

/// The options of [`run()`].
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The options of the machine.
    pub machine: Options,
    /// The size of dynamic shared memory in bytes.
    pub dynamic_shared_bytes: u32,
    /// The number of blocks of a cluster along x, y and z, for kernels without
    /// `.reqnctapercluster`.
    pub cluster: Option<[u32; 3]>,
    /// The resource usage that ptxas reported, which is copied to the report.
    pub resources: Option<Resources>,
}

impl From<Options> for RunOptions {
    fn from(machine: Options) -> Self {
        Self {
            machine,
            ..Self::default()
        }
    }
}

/// Parses PTX and runs one kernel over a grid of `grid` blocks of `block` threads.
///
/// A fault of the kernel is part of the report.
///
/// # Errors
///
/// Returns an error if the text cannot be parsed.
///
/// # Examples
///
/// ```
/// use tile_sim::{Argument, RunOptions, run};
///
/// let ptx = ".version 7.0
///     .target sm_80
///     .address_size 64
///     .visible .entry scale(.param .u64 data, .param .f32 factor) {
///       .reg .f32 %f<3>; .reg .b32 %r<2>; .reg .b64 %d<3>;
///       mov.u32 %r1, %tid.x;
///       ld.param.u64 %d1, [data];
///       ld.param.f32 %f1, [factor];
///       mul.wide.u32 %d2, %r1, 4;
///       add.s64 %d1, %d1, %d2;
///       ld.global.f32 %f2, [%d1];
///       mul.f32 %f2, %f2, %f1;
///       st.global.f32 [%d1], %f2;
///       ret;
///     }";
/// let mut data = [1.0f32, 2.0, 3.0];
/// let args = [Argument::in_out(&mut data), Argument::value(2.0f32)];
/// let report = run(ptx, "scale", 1, 3, args, RunOptions::default())?;
/// assert!(report.fault().is_none(), "{report}");
/// assert_eq!(data, [2.0, 4.0, 6.0]);
///
/// // A block of four threads reads beyond the array.
/// let args = [Argument::in_out(&mut data), Argument::value(2.0f32)];
/// let report = run(ptx, "scale", 1, 4, args, RunOptions::default())?;
/// let fault = report.fault().expect("thread 3 is out of bounds");
/// assert_eq!((fault.line, fault.lane), (11, Some(3)));
/// # Ok::<(), tile_sim::ParseError>(())
/// ```
pub fn run<'a>(
    ptx: &str,
    entry: &str,
    grid: impl Into<Extents>,
    block: impl Into<Extents>,
    args: impl IntoIterator<Item = Argument<'a>>,
    options: impl Into<RunOptions>,
) -> Result<Report, ParseError> {
    let module = Module::parse(ptx)?;
    let (Extents(grid), Extents(block)) = (grid.into(), block.into());
    let RunOptions {
        machine,
        dynamic_shared_bytes,
        cluster,
        resources,
    } = options.into();
    let mut memory = Memory::new();
    let mut backs = Vec::new();
    let args: Vec<Arg> = args
        .into_iter()
        .map(|Argument(kind)| match kind {
            Kind::Value(arg) => arg,
            Kind::Buffer {
                bytes,
                align,
                parameter,
                back,
            } => {
                let address = memory.alloc_with(&bytes, align);
                backs.extend(back.map(|back| (address, back)));
                parameter(&mut memory, address)
            }
            Kind::Replicas(replicas) => {
                let length = replicas[0].0.len();
                let mut bases = Vec::with_capacity(replicas.len());
                for (bytes, back) in replicas {
                    let address = memory.alloc_with(&bytes, ALIGNMENT);
                    backs.push((address, back));
                    bases.push(address);
                }
                let multicast_address = memory.multicast(&bases, length);
                Arg::from(multicast_address.expect("they are as long"))
            }
        })
        .collect();
    let mut launch = Launch::new(entry)
        .grid(grid)
        .block(block)
        .dynamic_shared_bytes(dynamic_shared_bytes)
        .args(args);
    if let Some(cluster) = cluster {
        launch = launch.cluster(cluster);
    }
    // Buffers are copied back after a fault too: their contents help to find the cause.
    let outcome = module.launch(&launch, &mut memory, &machine);
    let printed = memory.take_printed();
    for (address, back) in backs {
        if let Ok(bytes) = memory.bytes(address) {
            back(bytes);
        }
    }
    Ok(Report {
        entry: entry.to_owned(),
        grid,
        block,
        resources,
        printed,
        outcome,
    })
}
