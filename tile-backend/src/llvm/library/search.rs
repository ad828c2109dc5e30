//! Finds the shared library of LLVM 22.
//!
//! These places are searched in this order, and the first library that can be used is taken:
//! 1. the file or folder that `TILE_LLVM` names; if it is set, nothing else is tried, so that a typing mistake is
//!    an error;
//! 2. the library that rustc uses: in rustc's process the loaded one, elsewhere the one in the sysroot of the
//!    `rustc` that `RUSTC` or `PATH` names;
//! 3. an LLVM 22 where packages install it.
//!
//! A library can be used if it is LLVM 22 with code generation for NVPTX. What else is found is listed with the
//! reason against it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::version::{MAJOR, Origin, Rejected, Version};
use super::{functions, header};
use crate::process;
use crate::shared_object::SharedObject;

/// Returns the rejection of a place for a reason.
fn rejected(place: impl Into<PathBuf>, reason: impl Into<String>) -> Rejected {
    Rejected {
        place: place.into(),
        reason: reason.into(),
    }
}

/// A library that can be used.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) file: PathBuf,
    pub(super) origin: Origin,
    pub(super) version: Version,
    pub(super) object: SharedObject,
}

/// The places to search, see the module's documentation.
#[derive(Clone, Debug)]
pub(crate) struct LlvmSearch {
    /// The value of `TILE_LLVM`.
    pub(crate) variable: Option<PathBuf>,
    pub(crate) rustc: Rustc,
    /// Folders in which packages install LLVM.
    pub(crate) installed: Vec<PathBuf>,
    /// The time in which rustc has to name its sysroot.
    pub(crate) patience: Duration,
}

/// The way to the LLVM of rustc.
#[derive(Clone, Debug)]
pub(crate) enum Rustc {
    /// This process is rustc, which has loaded this library; `None` if LLVM is a part of rustc itself.
    Loaded(Option<PathBuf>),
    /// The program to ask for its sysroot.
    Program(PathBuf),
}

impl Rustc {
    /// Returns the LLVM of this process if it is rustc; else `program` is asked.
    pub(crate) fn of_process(program: PathBuf) -> Self {
        // Only Linux has this file. On other systems rustc's LLVM has no name that we know.
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        loaded_by_rustc(&maps).unwrap_or(Self::Program(program))
    }
}

/// Reads the list of mapped files of a process. Returns `None` if the process is not rustc, nor another program
/// that uses rustc as a library, such as `clippy-driver`.
fn loaded_by_rustc(maps: &str) -> Option<Rustc> {
    let files: Vec<&Path> = maps
        .lines()
        .filter_map(|line| line.find('/').map(|start| Path::new(&line[start..])))
        .collect();
    let named = |prefix: &str| {
        files
            .iter()
            .find(|file| file_name(file).starts_with(prefix))
            .map(|file| file.to_path_buf())
    };
    named("librustc_driver").map(|_| Rustc::Loaded(named("libLLVM")))
}

/// Returns the folders in which packages of Linux distributions install LLVM.
pub(crate) fn installed_folders() -> Vec<PathBuf> {
    let triple = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    [
        // Debian and Ubuntu.
        "/usr/lib/llvm-22/lib",
        &triple,
        // Alpine, and Fedora's package of this version.
        "/usr/lib/llvm22/lib",
        "/usr/lib64/llvm22/lib",
        // Fedora, Arch, and what was installed by hand.
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
    ]
    .map(PathBuf::from)
    .to_vec()
}

impl LlvmSearch {
    /// Finds a library that can be used, or lists what was tried.
    pub(super) fn find(self) -> Result<Found, Vec<Rejected>> {
        if let Some(place) = &self.variable {
            return self.named(place);
        }
        let mut reasons = Vec::new();
        match &self.rustc {
            Rustc::Loaded(Some(file)) => match self.open(file, Origin::Rustc) {
                Ok(found) => return Ok(found),
                Err(reason) => reasons.push(reason),
            },
            Rustc::Loaded(None) => {
                reasons.push(rejected("rustc", "has no shared library of LLVM"));
            }
            Rustc::Program(program) => match sysroot(program, self.patience) {
                Ok(sysroot) => {
                    let folders = [sysroot.join("lib"), sysroot.join("lib64")];
                    match self.first_in(&folders, Origin::Rustc) {
                        Ok(found) => return Ok(found),
                        Err(others) if others.is_empty() => {
                            reasons.push(rejected(sysroot, "has no library of LLVM"));
                        }
                        Err(others) => reasons.extend(others),
                    }
                }
                Err(reason) => reasons.push(reason),
            },
        }
        match self.first_in(&self.installed, Origin::Installed) {
            Ok(found) => Ok(found),
            Err(others) => {
                reasons.extend(others);
                Err(reasons)
            }
        }
    }

    /// Opens the library that `TILE_LLVM` names: a file, a folder with libraries, or a folder with such a `lib`.
    fn named(&self, place: &Path) -> Result<Found, Vec<Rejected>> {
        let origin = Origin::Variable;
        if !place.is_dir() {
            return self.open(place, origin).map_err(|reason| vec![reason]);
        }
        let found = self.first_in(&[place.to_owned(), place.join("lib")], origin);
        found.map_err(|mut reasons| {
            if reasons.is_empty() {
                reasons.push(rejected(place, "has no library of LLVM"));
            }
            reasons
        })
    }

    /// Opens the first library in these folders that can be used.
    fn first_in(&self, folders: &[PathBuf], origin: Origin) -> Result<Found, Vec<Rejected>> {
        let mut reasons = Vec::new();
        // A library often has several names, which are links to one file.
        let mut seen = Vec::new();
        for folder in folders {
            for file in libraries(folder) {
                let target = target_of(&file);
                if seen.contains(&target) {
                    continue;
                }
                seen.push(target);
                match self.open(&file, origin) {
                    Ok(found) => return Ok(found),
                    Err(reason) => reasons.push(reason),
                }
            }
        }
        Err(reasons)
    }

    /// Opens a library and checks that it can be used. A library whose name states another version is not loaded.
    fn open(&self, file: &Path, origin: Origin) -> Result<Found, Rejected> {
        let rejected = |reason: String| rejected(file, reason);
        if let Some(version) = version_in(&file_name(file))
            && version.0 != MAJOR
        {
            return Err(rejected(another_version(&version.text())));
        }
        // The loader's message for an absent file speaks of a shared object, so the file system is asked first.
        let unreadable = |error| rejected(format!("cannot be read: {error}"));
        let metadata = std::fs::metadata(file).map_err(unreadable)?;
        if !metadata.is_file() {
            // Opening a pipe would wait for a writer.
            return Err(rejected("is neither a file nor a folder".to_owned()));
        }
        let mut opened = File::open(file).map_err(unreadable)?;
        if let Some(fault) = header::fault(&mut opened).map_err(unreadable)? {
            return Err(rejected(fault));
        }
        let object = self.object(file).map_err(|message| {
            rejected(format!(
                "is not a library that can be loaded here: {message}"
            ))
        })?;
        let Some(version) = version_of(object) else {
            return Err(rejected(
                "is no library of LLVM, or of a version before 16".to_owned(),
            ));
        };
        if version.major != MAJOR {
            return Err(rejected(another_version(&version.to_string())));
        }
        if object.address(c"LLVMInitializeNVPTXTarget").is_none() {
            return Err(rejected(format!(
                "is LLVM {version} without code generation for NVIDIA's GPUs (NVPTX)"
            )));
        }
        if let Some(name) = functions::first_absent(|name| object.address(name).is_some()) {
            return Err(rejected(format!(
                "is LLVM {version} without the function `{}` of its C interface",
                name.to_string_lossy()
            )));
        }
        Ok(Found {
            file: file.to_owned(),
            origin,
            version,
            object,
        })
    }

    /// Opens a file, in rustc's process apart from rustc's LLVM unless it is that.
    fn object(&self, file: &Path) -> Result<SharedObject, String> {
        match &self.rustc {
            Rustc::Program(_) => SharedObject::open(file),
            Rustc::Loaded(Some(own)) if target_of(own) == target_of(file) => {
                SharedObject::open(file)
            }
            Rustc::Loaded(_) => SharedObject::open_apart(file),
        }
    }
}

/// Returns the file behind links.
fn target_of(file: &Path) -> PathBuf {
    std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

/// Lists the files in `folder` that have the name of a library of LLVM, in the order of their names.
///
/// Text files are left out: `libLLVM-22-rust-1.95.0-stable.so` in a toolchain is a linker script of one line.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| is_library(&file_name(file)) && !is_linker_script(file))
        .collect();
    files.sort();
    files
}

/// Returns `true` for `libLLVM.so.22.1`, `libLLVM-22.so` and the like, and `false` for `libLLVM-C.so`.
fn is_library(name: &str) -> bool {
    let rest = name.strip_prefix("libLLVM");
    rest.is_some_and(|rest| {
        let is_versioned = rest.starts_with(".so") || version_in(name).is_some();
        is_versioned && rest.contains(".so")
    })
}

fn is_linker_script(file: &Path) -> bool {
    use std::io::Read as _;
    if !file.is_file() {
        return false;
    }
    let mut start = [0; 5];
    File::open(file)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok_and(|()| start == *b"INPUT" || start.starts_with(b"/*"))
}

fn another_version(version: &str) -> String {
    format!("is LLVM {version}, and LLVM {MAJOR} is needed")
}

/// Asks a library of LLVM for its version. LLVM 16 was the first to have this function.
fn version_of(object: SharedObject) -> Option<Version> {
    let address = object.address(c"LLVMGetVersion")?;
    // SAFETY: this is the type of the function in every version that has it.
    let get: unsafe extern "C" fn(*mut u32, *mut u32, *mut u32) =
        unsafe { std::mem::transmute(address) };
    let mut version = Version::default();
    // SAFETY: the function writes three numbers.
    unsafe {
        get(
            &raw mut version.major,
            &raw mut version.minor,
            &raw mut version.patch,
        );
    };
    Some(version)
}

/// The major version that the name of a library states, and the minor one if it does.
struct NamedVersion(u32, Option<u32>);

impl NamedVersion {
    fn text(&self) -> String {
        match self {
            Self(major, None) => major.to_string(),
            Self(major, Some(minor)) => format!("{major}.{minor}"),
        }
    }
}

/// Reads the version from `libLLVM.so.21.1-rust-1.94.0-stable`, `libLLVM-15.so.1` or `libLLVM-14.0.6.so.1`.
fn version_in(name: &str) -> Option<NamedVersion> {
    let rest = name.strip_prefix("libLLVM")?;
    let text = rest
        .strip_prefix(".so.")
        .or_else(|| rest.strip_prefix('-'))?;
    let mut numbers = text
        .split(|letter: char| !letter.is_ascii_digit())
        .map(str::parse);
    let major = numbers.next()?.ok()?;
    let minor = numbers.next().and_then(Result::ok);
    Some(NamedVersion(major, minor))
}

/// Asks rustc for its sysroot.
fn sysroot(rustc: &Path, patience: Duration) -> Result<PathBuf, Rejected> {
    let rejected = |reason: String| rejected(rustc, reason);
    let mut command = Command::new(rustc);
    command
        .args(["--print", "sysroot"])
        // A question does not install the toolchain that a folder asks for.
        .env("RUSTUP_AUTO_INSTALL", "0");
    let output = process::ask(&mut command, patience)
        .map_err(|error| rejected(format!("cannot be run: {error}")))?
        .ok_or_else(|| {
            rejected(format!(
                "does not name its sysroot {}",
                process::within(patience)
            ))
        })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let path = text.trim();
    if !output.status.success() || path.is_empty() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next().unwrap_or_default();
        return Err(rejected(format!("does not name its sysroot: {said}")));
    }
    Ok(PathBuf::from(path))
}

fn file_name(file: &Path) -> std::borrow::Cow<'_, str> {
    file.file_name().unwrap_or_default().to_string_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_llvm_of_rustc_is_read_from_the_mapped_files() {
        let maps = |files: &[&str]| -> String {
            let line =
                |file: &&str| format!("7f0000000000-7f0000001000 r-xp 00000000 fe:00 42  {file}\n");
            files.iter().map(line).collect()
        };
        let driver = "/toolchain/lib/librustc_driver-6108105cd7e839cf.so";
        let llvm = "/tool chain/lib/libLLVM.so.22.1-rust-1.95.0-stable";
        let loaded = |files: &[&str]| match loaded_by_rustc(&maps(files)) {
            Some(Rustc::Loaded(file)) => Some(file),
            Some(Rustc::Program(_)) => panic!("this process is asked"),
            None => None,
        };
        assert_eq!(
            loaded(&["/bin/rustc", llvm, driver, "[stack]"]),
            Some(Some(PathBuf::from(llvm)))
        );
        // A rustc with LLVM as a part of itself, and a program that only uses LLVM.
        assert_eq!(loaded(&["/bin/rustc", driver]), Some(None));
        assert_eq!(loaded(&["/bin/clang", llvm]), None);
        assert_eq!(loaded(&[]), None);
    }

    #[test]
    fn the_names_of_libraries_state_their_version() {
        let version = |name| version_in(name).map(|version| version.text());
        for (name, expected) in [
            ("libLLVM.so.22.1-rust-1.95.0-stable", Some("22.1")),
            ("libLLVM.so.22.1", Some("22.1")),
            ("libLLVM-22.so", Some("22")),
            ("libLLVM-17-rust-1.75.0-stable.so", Some("17")),
            ("libLLVM.so", None),
            ("libLLVM-C.so", None),
        ] {
            assert_eq!(version(name).as_deref(), expected, "{name}");
            assert_eq!(is_library(name), name != "libLLVM-C.so", "{name}");
        }
        assert!(!is_library("libLLVMSupport.a"));
    }
}
