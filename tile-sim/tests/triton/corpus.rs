//! The texts of `corpus/`, with the launch in their headers.

use std::fs;
use std::path::Path;

/// A text.
pub(crate) struct Kernel {
    /// The name of the case in `cases/`.
    pub(crate) case: String,
    /// The target: `sm_80`, ...
    pub(crate) arch: String,
    pub(crate) text: String,
}

impl Kernel {
    pub(crate) fn name(&self) -> String {
        format!("{}.{}", self.case, self.arch)
    }

    /// Returns the value of a header line `// key: value`.
    pub(crate) fn fact(&self, key: &str) -> Option<&str> {
        let facts = self.text.lines().map_while(|line| line.strip_prefix("// "));
        facts
            .filter_map(|fact| fact.split_once(": "))
            .find_map(|(name, value)| (name == key).then_some(value))
    }

    pub(crate) fn number(&self, key: &str) -> u32 {
        let fact = self.fact(key);
        let fact = fact.unwrap_or_else(|| panic!("{}: the head lacks `{key}`", self.name()));
        fact.parse().expect("a number")
    }
}

/// Returns all texts, by name.
pub(crate) fn kernels(corpus: &Path) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    for folder in fs::read_dir(corpus).expect("the corpus is there") {
        let folder = folder.expect("a readable folder").path();
        let arch = folder.file_name().expect("a name").to_string_lossy();
        for file in fs::read_dir(&folder).expect("a readable folder") {
            let file = file.expect("a readable folder").path();
            let case = file.file_stem().expect("a name").to_string_lossy();
            kernels.push(Kernel {
                case: case.into_owned(),
                arch: arch.clone().into_owned(),
                text: fs::read_to_string(&file).expect("a readable file"),
            });
        }
    }
    kernels.sort_by_key(Kernel::name);
    kernels
}
