//! Emits native code for the CPU device: a naked function per level, for the architecture that the macro runs on.
//!
//! The macro does not know the target of the crate, so the functions are under `cfg`. On another target the kernel is
//! interpreted.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use tile_backend::cpu::{Level, Native};

use super::hygiene::private;
use crate::cpu_code::{CpuCode, CpuMode};

/// Returns the constant with the functions, if there is native code.
pub(super) fn items(code: &CpuCode) -> TokenStream {
    let Some(first) = code.levels.first() else {
        return TokenStream::new();
    };
    let private = private();
    let target = target(first.level);
    let functions = code.levels.iter().map(function);
    let images = code.levels.iter().map(image);
    quote! {
        #[cfg(#target)]
        const NATIVE: &[#private::NativeImage] = {
            #(#functions)*
            &[#(#images),*]
        };
        #[cfg(not(#target))]
        const NATIVE: &[#private::NativeImage] = &[];
    }
}

/// Returns the fields of the image.
pub(super) fn fields(code: &CpuCode) -> [Option<TokenStream>; 3] {
    let native = (!code.levels.is_empty()).then(|| quote!(native: NATIVE));
    let not_native = match (&code.not_native, code.mode) {
        (Some(not_native), _) => {
            let reason = &not_native.reason;
            let line = Literal::u32_unsuffixed(not_native.loc.line());
            Some(quote!(not_native: ::core::option::Option::Some((#reason, #line))))
        }
        (None, CpuMode::Interpreted) => {
            let reason = "its attribute has the option `cpu = \"interpreted\"`";
            Some(quote!(not_native: ::core::option::Option::Some((#reason, 0))))
        }
        (None, CpuMode::Native | CpuMode::None) => None,
    };
    let no_cpu = (code.mode == CpuMode::None).then(|| quote!(no_cpu: true));
    [native, not_native, no_cpu]
}

/// Returns the predicate of the targets that the code is for: its directives are those of ELF, and its calls those of the
/// System V ABI.
fn target(level: Level) -> TokenStream {
    let architecture = level.architecture();
    quote!(all(target_arch = #architecture, target_os = "linux", target_pointer_width = "64"))
}

fn name(level: Level) -> proc_macro2::Ident {
    format_ident!("native_{}", level.name())
}

fn function(native: &Native) -> TokenStream {
    let private = private();
    let name = name(native.level);
    let text = Literal::string(&native.assembly);
    let (abi, options) = match native.level {
        Level::Neon => ("C", quote!(options(raw))),
        _ => ("sysv64", quote!(options(att_syntax, raw))),
    };
    quote! {
        #[unsafe(naked)]
        extern #abi fn #name(
            _: &#private::NativeLaunch,
            _: *mut ::core::primitive::u8,
            _: ::core::primitive::u64,
            _: ::core::primitive::u64,
        ) -> ::core::primitive::u64 {
            ::core::arch::naked_asm!(#text, #options)
        }
    }
}

fn image(native: &Native) -> TokenStream {
    let private = private();
    let Native {
        level,
        assembly: _,
        scratch_bytes,
        in_order,
    } = native;
    let name = name(*level);
    let level = match level {
        Level::Baseline => quote!(Baseline),
        Level::Avx2 => quote!(Avx2),
        Level::Avx512 => quote!(Avx512),
        Level::Avx512Bf16 => quote!(Avx512Bf16),
        Level::Amx => quote!(Amx),
        Level::Neon => quote!(Neon),
    };
    let scratch_bytes = Literal::usize_unsuffixed(*scratch_bytes);
    quote! {
        #private::NativeImage {
            level: #private::NativeLevel::#level,
            run: #name,
            scratch_bytes: #scratch_bytes,
            in_order: #in_order,
        }
    }
}
