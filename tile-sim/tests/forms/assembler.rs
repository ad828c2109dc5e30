//! The verdicts of `ptxas` and of `tile-sim` on many instructions per run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use tile_sim::Module;

/// The target and the PTX version of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Setting {
    pub(crate) version: &'static str,
    pub(crate) target: &'static str,
}

/// The number of lines before the first instruction.
const LINES_BEFORE: usize = 14;

/// Returns a kernel with these instructions, each on its own line, except for those in `without`.
fn text(setting: Setting, instructions: &[String], without: &BTreeMap<usize, String>) -> String {
    let Setting { version, target } = setting;
    let mut text = format!(
        ".version {version}\n.target {target}\n.address_size 64\n\
         .global .align 128 .b8 gl[4096];\n.const .align 16 .b8 cs[64];\n\
         .extern .shared .align 128 .b8 dynamic[];\n\
         .visible .entry k(.param .u64 param, .param .align 64 .b8 map[128]) {{\n\
         .reg .pred %p<64>; .reg .b16 %h<64>; .reg .b32 %r<300>; .reg .b64 %d<300>;{}\n\
         .shared .align 128 .b8 sh[4096];\n.local .align 16 .b8 lo[64];\n\
         .reg .f32 %f<8>; .reg .f64 %fd<8>; .reg .u32 %u<8>; .reg .f16 %fh<8>;\n\
         L0: L1:\nTS: .branchtargets L0, L1;\n\n",
        if has_wide(setting) {
            " .reg .b128 %q<8>;"
        } else {
            ""
        }
    );
    assert_eq!(text.lines().count(), LINES_BEFORE);
    for (index, instruction) in instructions.iter().enumerate() {
        if !without.contains_key(&index) {
            text.push_str(instruction);
        }
        text.push('\n');
    }
    text
}

/// Returns `true` if the setting has 128-bit registers (PTX 8.3, `sm_70`).
fn has_wide(setting: Setting) -> bool {
    let version: f64 = setting.version.parse().expect("a version");
    version >= 8.3
}

/// The refused instructions, with the reason.
pub(crate) type Refused = BTreeMap<usize, String>;

pub(crate) fn by_tile_sim(setting: Setting, instructions: &[String]) -> Refused {
    let mut refused = Refused::new();
    loop {
        let text = text(setting, instructions, &refused) + "}\n";
        let Err(error) = Module::parse(&text) else {
            return refused;
        };
        let errors = std::iter::once(&error).chain(&error.others);
        let before = refused.len();
        for error in errors {
            let index = (error.line as usize).checked_sub(LINES_BEFORE + 1);
            let index = index.filter(|&index| index < instructions.len());
            let index = index.unwrap_or_else(|| panic!("{setting:?}: {error}"));
            refused.insert(index, error.message.clone());
        }
        assert!(refused.len() > before, "{error}");
    }
}

/// The number of instructions per run of the assembler.
const CHUNK: usize = 1000;

/// An assembler.
pub(crate) struct Ptxas {
    path: PathBuf,
    folder: tempfile::TempDir,
}

impl Ptxas {
    pub(crate) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    pub(crate) fn verdicts(&self, setting: Setting, instructions: &[String]) -> Refused {
        let mut refused = Refused::new();
        // After some errors the assembler stops reading, and the rest is tried again: short texts
        // are cheaper.
        for (number, part) in instructions.chunks(CHUNK).enumerate() {
            let numbers: Vec<usize> = (0..part.len()).collect();
            let mut part_refused = Refused::new();
            self.try_all(setting, part, &numbers, &mut part_refused);
            let part_refused = part_refused.into_iter();
            refused.extend(part_refused.map(|(index, why)| (number * CHUNK + index, why)));
        }
        refused
    }

    /// Assembles the instructions of `tried` and adds refused ones to `refused`.
    fn try_all(
        &self,
        setting: Setting,
        instructions: &[String],
        tried: &[usize],
        refused: &mut Refused,
    ) {
        loop {
            let mut without: Refused = (0..instructions.len())
                .map(|index| (index, String::new()))
                .collect();
            for index in tried.iter().filter(|index| !refused.contains_key(index)) {
                without.remove(index);
            }
            let output = self.run(setting, &text(setting, instructions, &without));
            let before = refused.len();
            for (line, why) in output.errors {
                let index = line.checked_sub(LINES_BEFORE + 1);
                let index = index.unwrap_or_else(|| panic!("{setting:?}: line {line}: {why}"));
                if index < instructions.len() {
                    refused.entry(index).or_insert(why);
                }
            }
            if refused.len() > before {
                continue;
            }
            let left: Vec<usize> = tried
                .iter()
                .copied()
                .filter(|index| !refused.contains_key(index))
                .collect();
            match (output.nameless, left.as_slice()) {
                (None, _) => return,
                (Some(why), [index]) => {
                    refused.insert(*index, why);
                }
                // The error has no line, so the instruction is found by bisection.
                (Some(why), _) => {
                    assert!(!left.is_empty(), "{setting:?}: {why}");
                    let (first, second) = left.split_at(left.len() / 2);
                    self.try_all(setting, instructions, first, refused);
                    self.try_all(setting, instructions, second, refused);
                    return;
                }
            }
        }
    }

    fn run(&self, setting: Setting, text: &str) -> Messages {
        let source = self.folder.path().join("forms.ptx");
        // An error at the end prevents code generation.
        let text = format!("{text}not_an_instruction;\n}}\n");
        std::fs::write(&source, &text).expect("writes");
        let output = Command::new(&self.path)
            .arg(format!("-arch={}", setting.target))
            .args(["--output-file", "/dev/null"])
            .arg(&source)
            .output()
            .expect("ptxas runs");
        let last = text.lines().count() - 1;
        let mut messages = Messages::default();
        let mut complete = false;
        for message in String::from_utf8_lossy(&output.stderr).lines() {
            if ["aborted due to errors", "warning", "Advisory"]
                .iter()
                .any(|harmless| message.contains(harmless))
            {
                continue;
            }
            let place = message
                .strip_prefix("ptxas ")
                .and_then(|rest| rest.strip_prefix(source.to_str()?))
                .and_then(|rest| rest.strip_prefix(", line ")?.split_once(';'));
            let why = message.rsplit_once("  : ").or(message.split_once(": "));
            let why = why.map_or(message, |(_, why)| why).trim().to_owned();
            match place {
                Some((line, _)) => {
                    let line = line.trim().parse().expect("a number");
                    complete |= line == last;
                    messages.errors.push((line, why));
                }
                // The error is in a macro of the assembler, or in the text as a whole.
                None => messages.nameless = Some(why),
            }
        }
        assert!(
            complete || !messages.errors.is_empty() || messages.nameless.is_some(),
            "{setting:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        messages
    }
}

/// The messages of the assembler.
#[derive(Default)]
struct Messages {
    errors: Vec<(usize, String)>,
    /// An error without a line.
    nameless: Option<String>,
}

/// Returns the assemblers of `cargo xtask setup`: the one that kernels are built with, and a later
/// one.
pub(crate) fn installed() -> Vec<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = variable("TILE_KERNEL_CACHE").map(PathBuf::from);
    let xdg = || variable("XDG_CACHE_HOME").map(PathBuf::from);
    let xdg = || {
        xdg()
            .filter(|path| path.is_absolute())
            .map(|path| path.join("tile-kernel"))
    };
    let home = || variable("HOME").map(|home| Path::new(&home).join(".cache/tile-kernel"));
    let tools = cache
        .or_else(xdg)
        .or_else(home)
        .map(|cache| cache.join("tools/current"));
    let first = variable("TILE_PTXAS").map(PathBuf::from);
    let first = first.or_else(|| Some(tools.clone()?.join("bin/ptxas")));
    let second = tools.map(|tools| tools.join("tileir/bin/ptxas"));
    [first, second]
        .into_iter()
        .flatten()
        .filter(|path| path.is_file())
        .collect()
}
