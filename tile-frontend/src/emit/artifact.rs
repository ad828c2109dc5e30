//! Emits the compiled code of one instance as statics.
//!
//! The launch parameters are those of the manifest of each variant. A fatbin is placed in the section `.nv_fatbin`, where `cuobjdump` finds it, at an address that
//! `cuModuleLoadData` accepts. The linker drops a static that nothing launches.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::hygiene::{local, private};
use super::{claims, facts, native, plan};
use crate::cpu_code::CpuCode;
use crate::grid_tiles::GridTiles;
use crate::hir::claims::Claimed;
use crate::hir::fact::Fact;
use crate::hir::signature::Signature;
use crate::work::Part;
use tile_backend::manifest::{Launch, Manifest, MapNumber, TensorMap};
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
    /// The native code of the general variant, and what becomes of the CPU device without it.
    pub(crate) cpu: CpuCode,
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
    /// `true` if the kernel has the option `programmatic_launch`, whatever the architectures.
    pub(crate) programmatic: bool,
    /// The text of the general variant and its schedule options, if the kernel has `tune(..)`.
    pub(crate) code: String,
    /// The work of a block, if the kernel has `tune(..)`.
    pub(crate) work: Vec<Part>,
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
    /// The launches of the architectures in the fatbin.
    pub(crate) manifest: Manifest,
}

/// The assumptions of a variant about the tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariantKind {
    /// Aligned, unit innermost stride, 32-bit extents.
    Fast,
    /// No assumptions.
    General,
}

/// Returns the body of a function that returns one instance.
pub(super) fn instance(signature: &Signature, artifact: &Artifact) -> TokenStream {
    let Artifact {
        variants,
        bytecode,
        gpu_only,
        cpu,
        plan,
        facts,
        claims,
        units,
        strides_read,
        grid,
        programmatic,
        code: _,
        work: _,
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
    let image = quote! {
        #private::KernelImage::new(#name, #place, &[#(#params),*], &VARIANTS, #bytecode)
    };
    let natives = native::items(cpu);
    let [native, not_native, no_cpu] = native::fields(cpu);
    let fields = [
        single_axes(signature.single),
        max_blocks(signature.max_blocks),
        gpu_only.map(ptx_alone),
        native,
        not_native,
        no_cpu,
        plan.as_ref().and_then(plan::field),
        facts::stated(facts),
        claims::field(claims),
        facts::units(units),
        facts::strides_read(strides_read),
        facts::grid(grid),
        programmatic.then(|| quote!(programmatic: true)),
    ];
    let mut fields = fields.into_iter().flatten().peekable();
    let image = if fields.peek().is_some() {
        quote!(#private::KernelImage { #(#fields,)* ..#image })
    } else {
        image
    };
    quote! {
        #(#fatbins)*
        #natives
        static VARIANTS: [#private::VariantImage; #count] = [#(#variants),*];
        static INSTANCE: #private::Instance = #private::Instance::new(#image);
        &INSTANCE
    }
}

/// Returns the field with the axes of the grid along which a launch has one block, if there are any.
fn single_axes(axes: [bool; 3]) -> Option<TokenStream> {
    axes.contains(&true)
        .then(|| quote!(single_axes: [#(#axes),*]))
}

/// Returns the field with the maximum number of blocks along each axis, if one is limited.
fn max_blocks(blocks: [Option<u32>; 3]) -> Option<TokenStream> {
    (blocks != [None; 3]).then(|| {
        let blocks = blocks.map(|blocks| Literal::u32_unsuffixed(blocks.unwrap_or(u32::MAX)));
        quote!(max_blocks: [#(#blocks),*])
    })
}

/// Returns the field with the line of inline PTX that has no body for the CPU device.
fn ptx_alone(line: u32) -> TokenStream {
    let line = Literal::u32_unsuffixed(line);
    quote!(ptx_alone: ::core::option::Option::Some(#line))
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
        manifest,
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
    let archs = manifest.launches.iter().map(arch);
    quote!(#private::VariantImage::new(#kind, #entry, #bytes, &[#(#archs),*]))
}

/// Returns what a launch must know about the code for one architecture.
fn arch(launch: &Launch) -> TokenStream {
    let Launch {
        arch,
        entry: _,
        threads,
        shared_bytes,
        cluster,
        blocks_per_tile,
        maps,
        persistent_blocks_per_sm,
        programmatic,
        resources: _,
        instead_of: _,
    } = launch;
    let private = private();
    let (name, capability) = (arch.to_string(), u32::from(arch.capability()));
    let number = Literal::u32_unsuffixed;
    let [capability, threads, shared_bytes, cluster, blocks_per_tile] = [
        capability,
        *threads,
        *shared_bytes,
        *cluster,
        *blocks_per_tile,
    ]
    .map(number);
    let maps = maps.iter().map(map);
    let persistent_blocks_per_sm = match persistent_blocks_per_sm.map(number) {
        None => quote!(::core::option::Option::None),
        Some(blocks) => quote!(::core::option::Option::Some(#blocks)),
    };
    quote! {
        #private::ArchImage {
            name: #name,
            capability: #capability,
            threads: #threads,
            shared_bytes: #shared_bytes,
            cluster: #cluster,
            blocks_per_tile: #blocks_per_tile,
            maps: &[#(#maps),*],
            persistent_blocks_per_sm: #persistent_blocks_per_sm,
            programmatic: #programmatic,
        }
    }
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
