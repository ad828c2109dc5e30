//! The result of a compilation, and its serialization for the worker and the cache.

use super::work::cubin_of;
use crate::cache::Blobs;
use crate::manifest::{Launch, Manifest};
use crate::remarks::Remark;
use crate::schedule::retry::Attempt;
use crate::target::Arch;

/// A compiled module.
#[derive(Clone, Debug)]
pub struct Artifact {
    /// Cubins and PTX in one file, to be embedded 8-byte aligned in `.nv_fatbin`.
    pub fatbin: Vec<u8>,
    /// The launch of each architecture and entry.
    pub manifest: Manifest,
    /// The PTX of each architecture; empty if a crate ships the artifact.
    pub ptx: Vec<(Arch, String)>,
    /// The cubin of each architecture; empty if the artifact came from the cache, which does not duplicate
    /// the contents of the fatbin.
    pub cubins: Vec<(Arch, Vec<u8>)>,
    /// `true` if the artifact came from the cache.
    pub cached: bool,
    /// Remarks, in the order of the source; empty unless requested.
    pub remarks: Vec<Remark>,
    /// The numbers of warps that ptxas has compiled, in order; empty if the artifact came from the cache.
    pub attempts: Vec<Attempt>,
}

impl Artifact {
    /// Returns the launches that spill registers, with the bytes spilled per thread.
    pub fn spills(&self) -> impl Iterator<Item = (&Launch, u32)> {
        self.manifest.launches.iter().filter_map(|launch| {
            let bytes = launch.spilled_bytes();
            (bytes > 0).then_some((launch, bytes))
        })
    }

    /// Returns what a crate ships of the artifact.
    pub(crate) fn to_shipped(&self) -> Blobs {
        let mut blobs = Blobs::new();
        blobs.insert("fatbin", self.fatbin.as_slice());
        blobs.insert_json("manifest", &self.manifest);
        blobs
    }

    pub(crate) fn from_blobs(blobs: &Blobs) -> Option<Self> {
        let manifest: Manifest = blobs.get_json("manifest").filter(Manifest::is_current)?;
        let launches = manifest.launches.iter();
        let mut archs: Vec<Arch> = launches.map(|launch| launch.arch).collect();
        archs.dedup();
        let ptx = archs
            .iter()
            .filter_map(|&arch| Some((arch, blobs.get_text(&format!("ptx {arch}"))?.to_owned())))
            .collect();
        let cubins = archs
            .into_iter()
            .filter_map(|arch| Some((arch, blobs.get(&cubin_of(arch))?.to_vec())))
            .collect();
        Some(Self {
            fatbin: blobs.get("fatbin")?.to_vec(),
            manifest,
            ptx,
            cubins,
            cached: false,
            remarks: Vec::new(),
            attempts: Vec::new(),
        })
    }
}
