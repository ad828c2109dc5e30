//! The verdicts of our verifier and of `tileirdisasm` on a bytecode file.

use std::path::PathBuf;
use std::process::Command;
use tile_core::diag::Severity;
use tile_core::ir::Loc;
use tile_core::verify::verify;
use tile_core::{Diagnostics, Module, bytecode};

/// The verdict of one of the two verifiers.
#[derive(Debug)]
pub(crate) enum Verdict {
    Accepted,
    /// All errors; `tileirdisasm` stops at its first message.
    Refused(Vec<Fault>),
}

impl Verdict {
    pub(crate) fn is_accepted(&self) -> bool {
        matches!(self, Verdict::Accepted)
    }

    pub(crate) fn faults(&self) -> &[Fault] {
        match self {
            Verdict::Accepted => &[],
            Verdict::Refused(faults) => faults,
        }
    }
}

/// An error.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The mnemonic of the operation; empty if it is unknown.
    pub(crate) op: String,
    pub(crate) message: String,
    /// The rule that is broken, or the message where no rule is stated.
    pub(crate) rule: String,
}

impl Fault {
    /// Returns the error without its particulars: the operation and the rule, without numbers.
    pub(crate) fn kind(&self) -> String {
        let mut kind = format!("{}: ", self.op);
        for letter in self.rule.chars() {
            let letter = if letter.is_ascii_digit() { '#' } else { letter };
            if letter != '#' || !kind.ends_with('#') {
                kind.push(letter);
            }
        }
        kind
    }
}

/// Returns the verdict of our reader and verifier.
pub(crate) fn ours(bytes: &[u8]) -> Verdict {
    let mut module = match bytecode::read(bytes) {
        Ok(module) => module,
        Err(error) => {
            return Verdict::Refused(vec![Fault {
                op: "reader".to_owned(),
                rule: error.message.clone(),
                message: error.message,
            }]);
        }
    };
    let names = number(&mut module);
    let mut diagnostics = Diagnostics::new();
    if verify(module, &mut diagnostics).is_ok() {
        // Drop the warnings.
        diagnostics.take();
        return Verdict::Accepted;
    }
    let faults = diagnostics.take().into_iter();
    let faults = faults.filter(|fault| fault.severity == Severity::Error);
    let faults = faults.map(|fault| {
        let line = usize::try_from(fault.primary.loc.line()).expect("small");
        Fault {
            op: line
                .checked_sub(1)
                .map_or("", |index| names[index])
                .to_owned(),
            rule: match fault.notes.first() {
                Some(rule) => rule.clone(),
                None => fault.message.clone(),
            },
            message: fault.message,
        }
    });
    Verdict::Refused(faults.collect())
}

/// Gives every operation a location on a line of its own. Returns the mnemonics by line.
fn number(module: &mut Module) -> Vec<&'static str> {
    let mut names = Vec::new();
    for id in module.walk(module.body()) {
        names.push(module.op(id).def().mnemonic);
        let line = u32::try_from(names.len()).expect("small");
        let op = module.op_mut(id);
        op.loc = Loc::file("module", line, 1).with_debug(op.loc.debug());
    }
    names
}

/// Runs `tileirdisasm`.
pub(crate) struct Oracle {
    tool: PathBuf,
    folder: tempfile::TempDir,
}

impl Oracle {
    pub(crate) fn new(tool: PathBuf) -> Self {
        Self {
            tool,
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    pub(crate) fn verdict(&self, bytes: &[u8]) -> Verdict {
        let file = tempfile::NamedTempFile::new_in(&self.folder).expect("the folder is writable");
        std::fs::write(&file, bytes).expect("it is writable");
        let output = Command::new(&self.tool)
            .arg(file.path())
            .output()
            .expect("it runs");
        let path = file.path().display().to_string();
        let message = String::from_utf8_lossy(&output.stderr).replace(&path, "FILE");
        let message = match output.status.code() {
            Some(0) => return Verdict::Accepted,
            Some(_) => message,
            None => format!("{}: {message}", output.status),
        };
        Verdict::Refused(vec![Fault {
            op: String::new(),
            rule: message.clone(),
            message,
        }])
    }
}
