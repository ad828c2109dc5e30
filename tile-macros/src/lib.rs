//! The `#[tile_kernel]` attribute.

mod args;
mod build;
mod check;
mod emit;
mod expand;
mod hir;
mod instantiate;
mod parse;
mod report;
#[cfg(test)]
mod testing;

struct CpuOnly;
impl expand::Backend for CpuOnly {
    type Artifact = Vec<u8>;
    fn compile(&mut self, job: expand::Job<'_>, diagnostics: &mut tile_core::Diagnostics) -> Result<Vec<u8>, tile_core::Reported> {
        let verified = tile_core::verify::verify(job.module, diagnostics)?;
        let canonical = tile_core::canonicalize::canonicalize(verified);
        Ok(tile_core::bytecode::write(canonical.module(), tile_core::bytecode::Version::V13_1).expect("valid"))
    }
}

/// temporary
#[proc_macro_attribute]
pub fn tile_kernel(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    match expand::expand(attribute.into(), item.into(), &mut CpuOnly) {
        Ok(expansion) => {
            let name = expansion.signature.ident.to_string();
            let artifacts: Vec<_> = expansion.artifacts.into_iter().map(|variants| {
                let (_, bytecode) = variants.into_iter().last().expect("general");
                emit::Artifact { variants: vec![emit::VariantArtifact { kind: emit::VariantKind::General, entry: build::entry_name(&name, build::Variant::General), fatbin: vec![], archs: vec![] }], bytecode }
            }).collect();
            emit::emit(&expansion.signature, &artifacts).into()
        }
        Err(error) => error.into_compile_error().into(),
    }
}
