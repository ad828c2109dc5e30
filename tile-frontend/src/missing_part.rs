//! Warns that kernels get no GPU code because a part of the tool chain is missing.
//!
//! The warning is printed among cargo's own output, since a macro on stable Rust can pass only errors to rustc.

use std::sync::Once;
use tile_backend::session::{BackendError, Environment};

/// Prints the warning, once for the crate that is compiled. `artifact` says why an artifact that the crate ships is
/// not taken.
#[expect(
    clippy::print_stderr,
    reason = "a program without GPU code would surprise its author"
)]
pub(crate) fn warn(error: &BackendError, artifact: Option<&str>, environment: &Environment) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let [name, _] = environment.crate_name();
        eprint!("{}", text(error, artifact, &name));
    });
}

fn text(error: &BackendError, artifact: Option<&str>, crate_name: &str) -> String {
    let help = error.help().unwrap_or_default();
    let artifact = artifact.map_or_else(String::new, |reason| {
        format!(
            "  = note: {reason}; `TILE_ARTIFACTS=write cargo build` writes it anew where LLVM is\n"
        )
    });
    format!(
        "warning: the kernels of `{crate_name}` get no GPU code: {error}\n  \
         = note: they are checked, and run on the CPU device\n\
         {artifact}  \
         = help: {help}; cargo builds the crate again once one of its files has changed\n  \
         = help: `tilec doctor` lists what GPU code needs\n"
    )
}

#[cfg(test)]
mod tests {
    use tile_backend::session::{BackendError, Rejected};

    #[test]
    fn the_warning_names_the_crate_the_fault_and_the_cure() {
        let error = BackendError::LlvmMissing {
            tried: vec![Rejected {
                place: "/toolchain/lib/libLLVM.so.21.1-rust-1.94.0-stable".into(),
                reason: "is LLVM 21.1, and LLVM 22 is needed".to_owned(),
            }],
            is_named: false,
        };
        let with = super::text(
            &error,
            Some("the artifact `k.artifact` is damaged"),
            "digits",
        );
        let text = super::text(&error, None, "digits");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "warning: the kernels of `digits` get no GPU code: LLVM 22 is missing: \
             `/toolchain/lib/libLLVM.so.21.1-rust-1.94.0-stable` is LLVM 21.1, and LLVM 22 is needed"
        );
        assert!(lines[1].contains("CPU device"), "{text}");
        for cure in ["Rust 1.95", "TILE_LLVM", "once one of its files"] {
            assert!(lines[2].contains(cure), "{cure} is not in {text}");
        }
        let added: Vec<&str> = with.lines().filter(|line| !lines.contains(line)).collect();
        let [note] = added[..] else { panic!("{with}") };
        assert!(note.starts_with("  = note: the artifact `k.artifact` is damaged; "));
    }
}
