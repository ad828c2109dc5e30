//! One call from PTX text to a [`Report`], with buffers of the host as arguments.

use crate::machine::memory::Memory;
use crate::machine::{Arg, Launch, Options};
use crate::module::Module;
use crate::parse::ParseError;
use crate::report::{Report, Resources};
use crate::texture::{Image, Texture};

/// Extents along x, y and z. What is left out is 1.
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

/// A number that buffers are made of; its bytes on the device are little-endian.
pub trait Element: Copy {
    /// Puts its bytes behind `bytes`.
    fn append(self, bytes: &mut Vec<u8>);

    /// Reads it from as many bytes as it has.
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($ty:ty)+) => {
        $(impl Element for $ty {
            fn append(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn from_bytes(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<Self>()];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }
        })+
    };
}

elements! { u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 f32 f64 }

/// Copies what the kernel left in a buffer back to where it came from.
type Back<'a> = Box<dyn FnOnce(&[u8]) + 'a>;

/// Makes a parameter of a buffer's address.
type Parameter<'a> = Box<dyn FnOnce(&mut Memory, u64) -> Arg + 'a>;

enum Kind<'a> {
    Value(Arg),
    Buffer {
        bytes: Vec<u8>,
        align: u64,
        parameter: Parameter<'a>,
        back: Option<Back<'a>>,
    },
    /// Buffers of one length.
    Replicas(Vec<(Vec<u8>, Back<'a>)>),
}

/// What a kernel is given for a parameter: a number, or memory that lies on the host.
///
/// Numbers and slices convert: `5u32.into()`, `(&input[..]).into()`, `(&mut output[..]).into()`.
pub struct Argument<'a>(Kind<'a>);

/// The alignment of `cuMemAlloc`.
const ALIGNMENT: u64 = 256;

impl<'a> Argument<'a> {
    /// A number, or the bytes of a parameter of another type.
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

    /// A pointer to a copy of these elements.
    pub fn input<T: Element>(elements: &[T]) -> Self {
        Self::buffer(bytes_of(elements), None)
    }

    /// A pointer to a copy of these elements, which are overwritten with what the kernel left
    /// there: at its end, or at its fault.
    pub fn in_out<T: Element>(elements: &'a mut [T]) -> Self {
        Self::buffer(bytes_of(elements), Some(copied_to(elements)))
    }

    /// A multicast address of copies of these slices, which are as long as the first: what
    /// `multimem` instructions take. All are overwritten with what the kernel left there.
    ///
    /// # Panics
    ///
    /// If there are none, or one is shorter or longer.
    pub fn replicas<T: Element + 'a>(replicas: impl IntoIterator<Item = &'a mut [T]>) -> Self {
        let replicas: Vec<_> = replicas
            .into_iter()
            .map(|elements| (bytes_of(elements), copied_to(elements)))
            .collect();
        assert!(!replicas.is_empty(), "there is at least one replica");
        let length = replicas[0].0.len();
        assert!(
            replicas.iter().all(|(bytes, _)| bytes.len() == length),
            "replicas are of one length"
        );
        Self(Kind::Replicas(replicas))
    }

    /// A handle of a texture of these elements; its image gets the address.
    ///
    /// # Panics
    ///
    /// If there are fewer elements than the image has, or there is no such texture.
    #[must_use]
    pub fn texture<T: Element>(elements: &[T], texture: Texture) -> Self {
        let make = move |memory: &mut Memory, address| {
            let image = Image {
                address,
                ..texture.image
            };
            let made = memory.texture(&Texture { image, ..texture });
            Arg::from(made.unwrap_or_else(|error| panic!("{error}")))
        };
        Self(Kind::Buffer {
            bytes: bytes_of(elements),
            align: ALIGNMENT,
            parameter: Box::new(make),
            back: None,
        })
    }

    /// A handle of a surface of these elements, which are overwritten with what the kernel left
    /// there; its image gets the address.
    ///
    /// # Panics
    ///
    /// If there are fewer elements than the image has, or there is no such image.
    pub fn surface<T: Element>(elements: &'a mut [T], image: Image) -> Self {
        let make = move |memory: &mut Memory, address| {
            let made = memory.surface(&Image { address, ..image });
            Arg::from(made.unwrap_or_else(|error| panic!("{error}")))
        };
        Self(Kind::Buffer {
            bytes: bytes_of(elements),
            align: ALIGNMENT,
            parameter: Box::new(make),
            back: Some(copied_to(elements)),
        })
    }

    /// A buffer at an odd multiple of `align` bytes, a power of two, in place of 256.
    #[must_use]
    pub fn aligned(mut self, to: u64) -> Self {
        if let Kind::Buffer { align, .. } = &mut self.0 {
            *align = to;
        }
        self
    }

    /// A parameter made of the buffer's address, such as a tensor map or a struct that holds it,
    /// in place of the address alone.
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

/// How to run a kernel, and what of a launch is seldom needed.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The machine's.
    pub machine: Options,
    /// Shared memory beyond that which the kernel names with a size, in bytes.
    pub dynamic_shared_bytes: u32,
    /// Blocks along each axis of a cluster, for kernels that do not say so themselves.
    pub cluster: Option<[u32; 3]>,
    /// What ptxas reports of the kernel, to be passed on in the report.
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

/// Reads PTX and runs one of its entries over a grid of blocks.
///
/// A fault of the kernel is in the report; an error is a text that cannot be read.
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
/// // One thread too many.
/// let args = [Argument::in_out(&mut data), Argument::value(2.0f32)];
/// let report = run(ptx, "scale", 1, 4, args, RunOptions::default())?;
/// let fault = report.fault().expect("it reads beyond the array");
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
                let all = memory.multicast(&bases, length);
                Arg::from(all.expect("they are as long"))
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
