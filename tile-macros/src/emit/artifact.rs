//! Emits the compiled code of one instance as statics.
//!
//! A fatbin is placed in the section `.nv_fatbin`, where `cuobjdump` finds it, at an address that
//! `cuModuleLoadData` accepts. The linker drops a static that nothing launches.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::hygiene::{local, private};
use super::{claims, facts, plan};
use crate::grid_tiles::GridTiles;
use crate::hir::claims::Claimed;
use crate::hir::fact::Fact;
use crate::hir::signature::Signature;
use tile_backend::gpu::{MapNumber, TensorMap};
use tile_core::flatten::EntryPlan;

/// The compiled code of one instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Artifact {
    /// The variants in order of preference; the general variant is the last one.
    pub(crate) variants: Vec<VariantArtifact>,
    /// The general variant as Tile IR bytecode.
    pub(crate) bytecode: Vec<u8>,
    /// The line of inline PTX without a body for the CPU device, in which case there is no
    /// bytecode.
    pub(crate) gpu_only: Option<u32>,
    /// The launch plan: additional parameters, and the grid of a parallel loop.
    pub(crate) plan: Option<EntryPlan>,
    /// Facts that a launch checks.
    pub(crate) facts: Vec<Fact>,
    /// Claims about numbers in the kernel that a launch checks to ensure that blocks store to
    /// disjoint elements.
    pub(crate) claims: Vec<Claimed>,
    /// The unit-stride axis of each tensor in `fast`, if it is not the last one.
    pub(crate) units: Vec<(usize, usize)>,
    /// Parameters whose strides the kernel reads or states facts about.
    pub(crate) strides_read: Vec<usize>,
    /// Bounds on the blocks of a launch that `fast` relies on.
    pub(crate) grid: Vec<GridTiles>,
}

/// One compiled variant.
#[derive(Clone, Debug)]
pub(crate) struct VariantArtifact {
    /// The assumptions about the tensors.
    pub(crate) kind: VariantKind,
    /// The symbol of the entry.
    pub(crate) entry: String,
    /// The fatbin; empty if stages 8 to 11 were skipped.
    pub(crate) fatbin: Vec<u8>,
    /// The architectures in the fatbin.
    pub(crate) archs: Vec<ArchArtifact>,
}

/// The assumptions of a variant about the tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariantKind {
    /// Aligned, unit innermost stride, 32-bit extents.
    Fast,
    /// No assumptions.
    General,
}

/// The launch parameters of the code for one architecture.
#[derive(Clone, Debug)]
pub(crate) struct ArchArtifact {
    /// The name, such as `sm_90a`.
    pub(crate) name: String,
    /// The compute capability, such as 90.
    pub(crate) capability: u32,
    /// The number of threads per block.
    pub(crate) threads: u32,
    /// The dynamic shared memory per block, in bytes.
    pub(crate) shared_bytes: u32,
    /// The maximum number of blocks in a cluster.
    pub(crate) cluster: u32,
    /// Tensor maps that are passed after the parameters.
    pub(crate) maps: Vec<TensorMap>,
    /// The number of blocks of a persistent kernel that a multiprocessor holds at the same time;
    /// `None` if it is not persistent.
    pub(crate) persistent_blocks_per_sm: Option<u32>,
    /// The number of blocks in a cluster that split a work tile.
    pub(crate) blocks_per_tile: u32,
}

/// Returns the body of a function that returns the image of one instance.
pub(super) fn image(signature: &Signature, artifact: &Artifact) -> TokenStream {
    let Artifact {
        variants,
        bytecode,
        gpu_only,
        plan,
        facts,
        claims,
        units,
        strides_read,
        grid,
    } = artifact;
    let private = private();
    let fatbins = variants.iter().map(fatbin);
    let count = Literal::usize_unsuffixed(variants.len());
    let variants = variants.iter().map(variant);
    let name = signature.ident.unraw().to_string();
    let params = signature
        .params
        .iter()
        .map(|param| param.ident.unraw().to_string());
    let bytecode = Literal::byte_string(bytecode);
    let place = place(&signature.ident);
    let single = signature.single.contains(&true).then(|| {
        let axes = signature.single;
        quote!(.with_single_axes([#(#axes),*]))
    });
    let max_blocks = (signature.max_blocks != [None; 3]).then(|| {
        let blocks = signature
            .max_blocks
            .map(|max_blocks| Literal::u32_unsuffixed(max_blocks.unwrap_or(u32::MAX)));
        quote!(.with_max_blocks([#(#blocks),*]))
    });
    let gpu_only = gpu_only.map(|line| {
        let line = Literal::u32_unsuffixed(line);
        quote!(.with_ptx_alone(#line))
    });
    let plan = plan.as_ref().and_then(plan::tokens);
    let facts = facts::stated(facts);
    let claims = claims::tokens(claims);
    let units = facts::units(units);
    let strides_read = facts::strides_read(strides_read);
    let grid = facts::grid(grid);
    quote! {
        #(#fatbins)*
        static VARIANTS: [#private::VariantImage; #count] = [#(#variants),*];
        static IMAGE: #private::KernelImage = #private::KernelImage::new(
            #name,
            #place,
            &[#(#params),*],
            &VARIANTS,
            #bytecode,
        )#single #max_blocks #gpu_only #plan #facts #claims #units #strides_read #grid;
        &IMAGE
    }
}

/// Returns the file and the line of a name. `line!()` in an expansion is the line of the attribute,
/// which may be the line of the module that contains the kernel.
fn place(ident: &Ident) -> TokenStream {
    if !proc_macro::is_available() {
        return quote!((::core::file!(), ::core::line!()));
    }
    let span = ident.span();
    let (file, line) = (span.file(), Literal::usize_unsuffixed(span.start().line));
    quote!((#file, #line))
}

fn fatbin_name(kind: VariantKind) -> Ident {
    match kind {
        VariantKind::Fast => local("FAST"),
        VariantKind::General => local("GENERAL"),
    }
}

/// Returns the static for the fatbin of a variant, or `None` for an empty one.
fn fatbin(variant: &VariantArtifact) -> Option<TokenStream> {
    if variant.fatbin.is_empty() {
        return None;
    }
    let private = private();
    let name = fatbin_name(variant.kind);
    let len = Literal::usize_unsuffixed(variant.fatbin.len());
    // The bytes are one byte string, since an array of number tokens takes ten times as long to
    // expand.
    let bytes = Literal::byte_string(&variant.fatbin);
    Some(quote! {
        #[cfg_attr(target_os = "linux", unsafe(link_section = ".nv_fatbin"))]
        static #name: #private::Aligned<[::core::primitive::u8; #len]> = #private::Aligned(*#bytes);
    })
}

fn variant(variant: &VariantArtifact) -> TokenStream {
    let VariantArtifact {
        kind,
        entry,
        fatbin,
        archs,
    } = variant;
    let private = private();
    let bytes = if fatbin.is_empty() {
        quote!(&[])
    } else {
        let name = fatbin_name(*kind);
        quote!(&#name.0)
    };
    let kind = match kind {
        VariantKind::Fast => quote!(#private::VariantKind::Fast),
        VariantKind::General => quote!(#private::VariantKind::General),
    };
    let maps = maps(archs);
    let persistent = persistent(archs);
    let blocks_per_tile = blocks_per_tile(archs);
    let archs = archs.iter().map(|arch| {
        let ArchArtifact {
            name,
            capability,
            threads,
            shared_bytes,
            cluster,
            maps: _,
            persistent_blocks_per_sm: _,
            blocks_per_tile: _,
        } = arch;
        let [capability, threads, shared_bytes, cluster] =
            [*capability, *threads, *shared_bytes, *cluster].map(Literal::u32_unsuffixed);
        quote! {
            #private::ArchImage {
                name: #name,
                capability: #capability,
                threads: #threads,
                shared_bytes: #shared_bytes,
                cluster: #cluster,
            }
        }
    });
    quote!(#private::VariantImage::new(#kind, #entry, #bytes, &[#(#archs),*]) #maps #persistent #blocks_per_tile)
}

/// Returns the tensor maps of the architectures that have any.
fn maps(archs: &[ArchArtifact]) -> Option<TokenStream> {
    let mut taking = archs.iter().filter(|arch| !arch.maps.is_empty()).peekable();
    taking.peek()?;
    let taking = taking.map(|arch| {
        let name = &arch.name;
        let maps = arch.maps.iter().map(map);
        quote!((#name, &[#(#maps),*]))
    });
    Some(quote!(.with_maps(&[#(#taking),*])))
}

/// Returns the architectures on which the kernel is persistent.
fn persistent(archs: &[ArchArtifact]) -> Option<TokenStream> {
    let persistent = archs.iter().filter_map(|arch| {
        let name = &arch.name;
        let blocks = Literal::u32_unsuffixed(arch.persistent_blocks_per_sm?);
        Some(quote!((#name, #blocks)))
    });
    let mut persistent = persistent.peekable();
    persistent.peek()?;
    Some(quote!(.with_persistent_blocks_per_sm(&[#(#persistent),*])))
}

/// Returns the architectures on which a cluster splits each work tile.
fn blocks_per_tile(archs: &[ArchArtifact]) -> Option<TokenStream> {
    let mut shared = archs
        .iter()
        .filter(|arch| arch.blocks_per_tile > 1)
        .peekable();
    shared.peek()?;
    let shared = shared.map(|arch| {
        let (name, blocks_per_tile) = (&arch.name, Literal::u32_unsuffixed(arch.blocks_per_tile));
        quote!((#name, #blocks_per_tile))
    });
    Some(quote!(.with_blocks_per_tile(&[#(#shared),*])))
}

fn map(map: &TensorMap) -> TokenStream {
    let TensorMap {
        base,
        element_bytes,
        swizzle,
        axes,
    } = map;
    let private = private();
    let base = Literal::usize_unsuffixed(*base);
    let element_bytes = Literal::u32_unsuffixed(*element_bytes);
    let swizzle = Literal::u32_unsuffixed(swizzle.number());
    let number = |number: MapNumber| match number {
        MapNumber::Param(position) => {
            let position = Literal::usize_unsuffixed(position);
            quote!(#private::MapNumber::Param(#position))
        }
        MapNumber::Constant(number) => {
            let number = Literal::u64_unsuffixed(number);
            quote!(#private::MapNumber::Constant(#number))
        }
    };
    let axes = axes.iter().map(|axis| {
        let (extent, stride) = (number(axis.extent), number(axis.stride));
        let length = Literal::u32_unsuffixed(axis.length);
        quote!((#extent, #stride, #length))
    });
    quote! {
        #private::MapImage {
            base: #base,
            element_bytes: #element_bytes,
            swizzle: #swizzle,
            axes: &[#(#axes),*],
        }
    }
}
