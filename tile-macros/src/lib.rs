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

struct Nothing;
impl expand::Backend for Nothing {
    type Artifact = ();
    fn compile(&mut self, _job: expand::Job<'_>, _: &mut tile_core::Diagnostics) -> Result<(), tile_core::Reported> { Ok(()) }
}

/// temporary
#[proc_macro_attribute]
pub fn tile_kernel(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    match expand::expand(attribute.into(), item.into(), &mut Nothing) {
        Ok(expansion) => {
            let artifacts: Vec<_> = expansion.artifacts.iter().map(|_| emit::Artifact::default()).collect();
            emit::emit(&expansion.signature, &artifacts).into()
        }
        Err(error) => error.into_compile_error().into(),
    }
}
