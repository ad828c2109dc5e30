//! The launch manifest: everything that a launch must know about compiled kernels.
//!
//! The worker and the cache store a manifest next to the machine code, `#[tile_kernel]` turns it into constants
//! of the host program, and `tilec build --launches` prints it (`docs/launch.md`). The form in all of them is
//! the JSON that is derived here, so a field is added in one place.

use std::str::Chars;

use nanoserde::{DeJson, DeJsonErr, DeJsonState, SerJson, SerJsonState};

pub use crate::layout::BoxSwizzle;
pub use crate::ptx::resources::Resources;
use crate::target::Arch;

/// The version of the serialized form. Every change of a field or of its meaning increments it.
pub const MANIFEST_VERSION: u32 = 4;

/// The launches of a compiled module.
#[derive(Clone, Debug, PartialEq, Eq, SerJson, DeJson)]
pub struct Manifest {
    version: u32,
    /// One launch for each architecture and entry.
    pub launches: Vec<Launch>,
}

impl Manifest {
    /// Creates the manifest of these launches.
    pub fn new(launches: Vec<Launch>) -> Self {
        Self {
            version: MANIFEST_VERSION,
            launches,
        }
    }

    /// Returns the manifest as JSON on one line.
    pub fn to_json(&self) -> String {
        self.serialize_json()
    }

    /// Returns `true` if the manifest has the version of this compiler.
    pub(crate) fn is_current(&self) -> bool {
        self.version == MANIFEST_VERSION
    }

    /// Returns the launch of an entry on an architecture.
    pub fn launch(&self, arch: Arch, entry: &str) -> Option<&Launch> {
        let mut launches = self.launches.iter();
        launches.find(|launch| launch.arch == arch && launch.entry == entry)
    }
}

impl Default for Manifest {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

/// The launch parameters of one entry on one architecture, and its resource usage there.
#[derive(Clone, Debug, PartialEq, Eq, SerJson, DeJson)]
#[nserde(serialize_none_as_null)]
pub struct Launch {
    /// The architecture of the cubin.
    pub arch: Arch,
    /// The symbol of the entry.
    pub entry: String,
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
    /// Blocks of a cluster along the first axis, if the extent of the grid is a multiple of this number;
    /// otherwise the launch uses clusters of 1.
    pub cluster: u32,
    /// Blocks of a cluster split: the first axis of the launch grid is longer by this factor, and the blocks
    /// of a work tile form a cluster. 1 unless [`crate::session::KernelOptions::cluster_split`] allows
    /// more.
    pub blocks_per_tile: u32,
    /// Tensor maps that the host passes after the parameters; empty unless
    /// [`crate::session::KernelOptions::maps`] allows them.
    pub maps: Vec<TensorMap>,
    /// For a persistent kernel, how many of its blocks a multiprocessor runs simultaneously. The host then
    /// passes the extents of the grid after the tensor maps, as three `u32`, and starts no more blocks than
    /// the device holds. `None` unless [`crate::session::KernelOptions::persistence`] allows it.
    pub persistent_blocks_per_sm: Option<u32>,
    /// `true` if the kernel waits for the previous one in the stream itself, so that the host may let it start
    /// before that one has ended (`CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION`).
    pub programmatic: bool,
    /// The resource usage that ptxas reported; `None` if the driver compiles the PTX.
    pub resources: Option<Resources>,
    /// The abandoned choice that this one replaces; it spilled more.
    pub instead_of: Option<Spilled>,
}

/// An abandoned choice that spilled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SerJson, DeJson)]
pub struct Spilled {
    /// Warps of a block.
    pub num_warps: u32,
    /// Bytes that each thread stored and loaded because registers ran out.
    pub bytes: u32,
}

impl Launch {
    /// Returns the bytes that each thread stores and loads because registers ran out, as far as ptxas reported them.
    pub fn spilled_bytes(&self) -> u32 {
        let resources = self.resources.as_ref();
        resources.map_or(0, Resources::spilled_bytes)
    }

    /// Formats one line: `sm_80: 128 threads, 40 registers, 16 bytes of shared memory`, and the spills, if
    /// there are any.
    pub fn line(&self) -> String {
        let spills = match self.spilled_bytes() {
            0 => String::new(),
            bytes => format!(", spills {bytes} bytes: use smaller tiles or more warps"),
        };
        let registers = match &self.resources {
            Some(resources) => format!("{} registers, ", resources.registers),
            None => String::new(),
        };
        format!(
            "{}: {} threads, {registers}{} bytes of shared memory{spills}",
            self.arch, self.threads, self.shared_bytes
        )
    }
}

/// A number that the host knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapNumber {
    /// The parameter of the entry at this index.
    Param(usize),
    /// A constant.
    Constant(u64),
}

/// A [`MapNumber`] as JSON: an object with one of the two keys.
#[derive(SerJson, DeJson)]
struct MapNumberObject {
    parameter: Option<usize>,
    constant: Option<u64>,
}

impl SerJson for MapNumber {
    fn ser_json(&self, indentation: usize, state: &mut SerJsonState) {
        let (parameter, constant) = match *self {
            MapNumber::Param(index) => (Some(index), None),
            MapNumber::Constant(value) => (None, Some(value)),
        };
        let object = MapNumberObject {
            parameter,
            constant,
        };
        object.ser_json(indentation, state);
    }
}

impl DeJson for MapNumber {
    fn de_json(state: &mut DeJsonState, input: &mut Chars<'_>) -> Result<Self, DeJsonErr> {
        let object = MapNumberObject::de_json(state, input)?;
        match (object.parameter, object.constant) {
            (Some(index), None) => Ok(MapNumber::Param(index)),
            (None, Some(value)) => Ok(MapNumber::Constant(value)),
            _ => Err(state.err_nf("parameter or constant")),
        }
    }
}

/// An axis of a tensor in a tensor map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SerJson, DeJson)]
pub struct MapAxis {
    /// Number of elements of the tensor.
    pub extent: MapNumber,
    /// Elements from one index to the next; 1 for the first axis.
    pub stride: MapNumber,
    /// Number of elements of the box.
    #[nserde(rename = "box")]
    pub length: u32,
}

/// A tensor in global memory and the boxes in which it is copied.
#[derive(Clone, Debug, PartialEq, Eq, Hash, SerJson, DeJson)]
pub struct TensorMap {
    /// Index of the parameter that points to its first element.
    pub base: usize,
    /// Size of an element in bytes.
    pub element_bytes: u32,
    /// The permutation of 16-byte chunks in shared memory.
    #[nserde(rename = "swizzle_bytes")]
    pub swizzle: BoxSwizzle,
    /// The axes, the unit-stride axis first.
    pub axes: Vec<MapAxis>,
}

/// An architecture is the text that it displays.
impl SerJson for Arch {
    fn ser_json(&self, indentation: usize, state: &mut SerJsonState) {
        self.to_string().ser_json(indentation, state);
    }
}

impl DeJson for Arch {
    fn de_json(state: &mut DeJsonState, input: &mut Chars<'_>) -> Result<Self, DeJsonErr> {
        let text = String::de_json(state, input)?;
        text.parse().map_err(|_| state.err_parse(&text))
    }
}

/// A swizzle mode is the number of bytes within which it permutes, 0 without a permutation.
impl SerJson for BoxSwizzle {
    fn ser_json(&self, indentation: usize, state: &mut SerJsonState) {
        let bytes = self.span_bytes().unwrap_or(0);
        bytes.ser_json(indentation, state);
    }
}

impl DeJson for BoxSwizzle {
    fn de_json(state: &mut DeJsonState, input: &mut Chars<'_>) -> Result<Self, DeJsonErr> {
        let bytes = u64::de_json(state, input)?;
        let mut modes = BoxSwizzle::ALL.into_iter();
        let mode = modes.find(|mode| mode.span_bytes().unwrap_or(0) == bytes);
        mode.ok_or_else(|| state.err_range(&format!("a swizzle of {bytes} bytes")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let axis = |extent, length| MapAxis {
            extent,
            stride: MapNumber::Constant(1),
            length,
        };
        let map = |swizzle| TensorMap {
            base: 3,
            element_bytes: 2,
            swizzle,
            axes: vec![
                axis(MapNumber::Param(2), 64),
                axis(MapNumber::Constant(9), 8),
            ],
        };
        Manifest::new(vec![Launch {
            arch: Arch::SM_90A,
            entry: "k__fast".to_owned(),
            threads: 384,
            shared_bytes: 1 << 17,
            cluster: 2,
            blocks_per_tile: 1,
            maps: BoxSwizzle::ALL.map(map).to_vec(),
            persistent_blocks_per_sm: Some(1),
            programmatic: true,
            resources: Some(Resources {
                registers: 168,
                spill_stores_bytes: 4,
                spill_loads_bytes: 8,
                ..Resources::default()
            }),
            instead_of: Some(Spilled {
                num_warps: 4,
                bytes: 16,
            }),
        }])
    }

    #[test]
    fn a_manifest_survives_being_stored_and_has_the_documented_keys() {
        let manifest = manifest();
        let text = manifest.serialize_json();
        let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let launch = &json["launches"][0];
        assert_eq!(
            (&launch["arch"], &json["version"]),
            (&"sm_90a".into(), &MANIFEST_VERSION.into())
        );
        let map = serde_json::json!({
            "base": 3, "element_bytes": 2, "swizzle_bytes": 128, "axes": [
                { "extent": { "parameter": 2 }, "stride": { "constant": 1 }, "box": 64 },
                { "extent": { "constant": 9 }, "stride": { "constant": 1 }, "box": 8 },
            ]
        });
        assert_eq!(
            (&launch["maps"][3], &launch["maps"][0]["swizzle_bytes"]),
            (&map, &0.into())
        );
        let read = Manifest::deserialize_json(&text).expect("it is a manifest");
        assert_eq!(read, manifest);
    }

    #[test]
    fn a_manifest_of_another_version_or_with_odd_values_is_refused() {
        let json = manifest().serialize_json();
        let read = |from: &str, to: &str| {
            let text = json.replacen(from, to, 1);
            assert_ne!(text, json);
            Manifest::deserialize_json(&text)
        };
        let version = format!("\"version\":{MANIFEST_VERSION}");
        assert!(
            !read(&version, "\"version\":1")
                .expect("it reads")
                .is_current()
        );
        for (from, to) in [
            ("sm_90a", "sm_9"),
            ("\"swizzle_bytes\":32", "\"swizzle_bytes\":33"),
            ("\"parameter\"", "\"argument\""),
            ("\"threads\":384,", ""),
        ] {
            assert!(read(from, to).is_err(), "{to}");
        }
    }

    #[test]
    fn a_line_names_the_spills() {
        let line = manifest().launches[0].line();
        let expected = "sm_90a: 384 threads, 168 registers, 131072 bytes of shared memory, spills 12 bytes: use smaller tiles or more warps";
        assert_eq!(line, expected);
    }
}
