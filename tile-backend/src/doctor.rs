//! Examines this machine: which parts that GPU code needs are there, how to get the others, and which native code the
//! processor can run.
//!
//! In: the environment. Out: a [`Part`] for LLVM, for each CUDA tool, for the processor, for the driver, and for each GPU.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::cpu::Level;
use crate::environment::Environment;
use crate::error::{BackendError, another};
use crate::llvm::library::Library;
use crate::process;
use crate::shared_object::SharedObject;
use crate::tools::Tool;

/// The purpose that needs a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Without it no GPU code can be generated.
    Code,
    /// Without it GPU code is PTX, which the driver compiles when a kernel is first launched.
    Cubins,
    /// Without it no kernel can be launched on a GPU of this machine.
    Launch,
    /// Without it kernels are interpreted on the CPU device.
    Native,
}

/// A part, and whether it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name: `ptxas`.
    pub name: &'static str,
    /// The purpose that needs it.
    pub need: Need,
    /// The part, or the reason why it is not there.
    pub state: Result<Present, Absent>,
}

/// A part that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present {
    /// The version; empty if the part has none.
    pub version: String,
    /// The place where it was found: a file, or a description.
    pub place: String,
}

/// A part that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// The places that were looked at, or what went wrong.
    pub reason: String,
    /// An instruction to get it.
    pub cure: String,
}

impl Absent {
    fn from_error(error: &BackendError) -> Self {
        let listed = |paths: &[PathBuf]| -> String {
            let paths: Vec<String> = paths
                .iter()
                .map(|path| format!("`{}`", path.display()))
                .collect();
            format!("not found: {}", paths.join(", "))
        };
        Self {
            reason: match error {
                BackendError::ToolMissing { looked_in, .. } if !looked_in.is_empty() => {
                    listed(looked_in)
                }
                BackendError::LlvmMissing { tried, .. } if !tried.is_empty() => {
                    let tried: Vec<String> = tried.iter().map(ToString::to_string).collect();
                    tried.join("; ")
                }
                error => error.to_string(),
            },
            cure: error.help().unwrap_or_default(),
        }
    }
}

/// Examines all parts.
pub fn examine(environment: &Environment) -> Vec<Part> {
    let mut parts = vec![llvm(environment)];
    parts.extend([Tool::Ptxas, Tool::Fatbinary].map(|it| tool(it, environment)));
    parts.push(processor(Level::available()));
    parts.extend(driver());
    parts
}

/// Returns the part of the processor, from the levels of native code that it can run.
fn processor(levels: impl Iterator<Item = Level>) -> Part {
    let mut levels: Vec<&str> = levels.map(Level::name).collect();
    let highest = levels.pop();
    Part {
        name: "CPU",
        need: Need::Native,
        state: match highest {
            Some(highest) => Ok(Present {
                version: highest.to_owned(),
                place: match &levels[..] {
                    [] => "native code of this level".to_owned(),
                    lower => format!("native code of this level, and of {}", lower.join(", ")),
                },
            }),
            None => Err(Absent {
                reason: format!("there is no native code for `{}`", std::env::consts::ARCH),
                cure: "kernels are interpreted meanwhile".to_owned(),
            }),
        },
    }
}

fn llvm(environment: &Environment) -> Part {
    let library = Library::load(environment);
    Part {
        name: "LLVM",
        need: Need::Code,
        state: match library {
            Ok(library) => Ok(Present {
                version: library.version().to_string(),
                place: library.place(),
            }),
            Err(error) => Err(Absent::from_error(&error)),
        },
    }
}

fn tool(tool: Tool, environment: &Environment) -> Part {
    let found = environment.tool(tool);
    let state = found
        .map_err(|error| Absent::from_error(&error))
        .and_then(|file| {
            Ok(Present {
                version: tool_version(tool, &file, environment.timeout())?,
                place: file.display().to_string(),
            })
        });
    Part {
        name: tool.file_name(),
        // A program that a variable names, or that does not run, stops a build. One that is not there does not.
        need: match environment.optional_tool(tool) {
            Ok(None) => Need::Cubins,
            Ok(Some(_)) | Err(_) => Need::Code,
        },
        state,
    }
}

/// Runs a program to get its version. A program that does not say it is as good as absent.
fn tool_version(tool: Tool, file: &Path, patience: Duration) -> Result<String, Absent> {
    let broken = |reason: String| Absent {
        reason: format!("`{}` {reason}", file.display()),
        cure: another(tool),
    };
    let output = process::ask(Command::new(file).arg("--version"), patience)
        .map_err(|error| broken(format!("cannot be run: {error}")))?
        .ok_or_else(|| broken(format!("says no version {}", process::within(patience))))?;
    if !output.status.success() {
        return Err(broken(format!("failed: {}", output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    // "Cuda compilation tools, release 12.9, V12.9.86"
    let version = text.split_whitespace().find_map(|word| {
        let version = word.strip_prefix('V')?;
        version
            .starts_with(|letter: char| letter.is_ascii_digit())
            .then_some(version)
    });
    let version = version.map(str::to_owned);
    version.ok_or_else(|| broken(format!("is not NVIDIA's `{tool}`: it says no version")))
}

/// The name of the library of NVIDIA's driver.
const DRIVER: &str = if cfg!(windows) {
    "nvcuda.dll"
} else {
    "libcuda.so.1"
};

/// Examines the driver, and each GPU that it shows.
fn driver() -> Vec<Part> {
    let part = |name, state| Part {
        name,
        need: Need::Launch,
        state,
    };
    let no_gpu = |reason: String| {
        part(
            "GPU",
            Err(Absent {
                reason,
                cure: "kernels run on the CPU device meanwhile".to_owned(),
            }),
        )
    };
    let absent = |reason: String| {
        let cure = "install NVIDIA's driver, of version 525 or newer".to_owned();
        let driver = part("driver", Err(Absent { reason, cure }));
        vec![driver, no_gpu("there is no driver to ask".to_owned())]
    };
    let api = match SharedObject::open(Path::new(DRIVER)) {
        Ok(object) => Driver::new(object),
        Err(message) => return absent(message),
    };
    let Some(api) = api else {
        return absent(format!("`{DRIVER}` is no driver of CUDA"));
    };
    let driver = part(
        "driver",
        Ok(Present {
            version: api.version(),
            place: DRIVER.to_owned(),
        }),
    );
    let gpus = match api.gpus() {
        Ok(gpus) if gpus.is_empty() => vec![no_gpu("the driver shows none".to_owned())],
        Ok(gpus) => gpus.into_iter().map(|gpu| part("GPU", Ok(gpu))).collect(),
        Err(status) => vec![no_gpu(format!("the driver does not start: error {status}"))],
    };
    std::iter::once(driver).chain(gpus).collect()
}

/// The status that a function of the driver returns; 0 is success.
type Status = c_int;

type Init = unsafe extern "C" fn(c_uint) -> Status;
type Number = unsafe extern "C" fn(*mut c_int) -> Status;
type Device = unsafe extern "C" fn(*mut c_int, c_int) -> Status;
type Name = unsafe extern "C" fn(*mut c_char, c_int, c_int) -> Status;
type Attribute = unsafe extern "C" fn(*mut c_int, c_int, c_int) -> Status;

/// Functions of the driver that are loaded at run time.
struct Driver {
    init: Init,
    version: Number,
    count: Number,
    device: Device,
    name: Name,
    attribute: Attribute,
}

/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR`, and the number after it is that of the minor one.
const CAPABILITY_MAJOR: c_int = 75;

/// `CUDA_ERROR_NO_DEVICE`.
const NO_DEVICE: Status = 100;

impl Driver {
    /// Takes the functions from the driver's library; `None` if it lacks one.
    fn new(object: SharedObject) -> Option<Self> {
        let address = |name: &CStr| object.address(name);
        // SAFETY: the driver documents these types of its functions.
        unsafe {
            Some(Self {
                init: std::mem::transmute::<*mut c_void, Init>(address(c"cuInit")?),
                version: std::mem::transmute::<*mut c_void, Number>(address(
                    c"cuDriverGetVersion",
                )?),
                count: std::mem::transmute::<*mut c_void, Number>(address(c"cuDeviceGetCount")?),
                device: std::mem::transmute::<*mut c_void, Device>(address(c"cuDeviceGet")?),
                name: std::mem::transmute::<*mut c_void, Name>(address(c"cuDeviceGetName")?),
                attribute: std::mem::transmute::<*mut c_void, Attribute>(address(
                    c"cuDeviceGetAttribute",
                )?),
            })
        }
    }

    /// Returns the version of CUDA that the driver offers.
    fn version(&self) -> String {
        let mut version = 0;
        // SAFETY: the function writes one number.
        let status = unsafe { (self.version)(&raw mut version) };
        if status != 0 {
            return String::new();
        }
        format!("CUDA {}.{}", version / 1000, version % 1000 / 10)
    }

    /// Lists the GPUs, or returns the status with which the driver refused.
    fn gpus(&self) -> Result<Vec<Present>, Status> {
        let ok = |status: Status| if status == 0 { Ok(()) } else { Err(status) };
        // SAFETY: 0 is the only value that is allowed.
        match unsafe { (self.init)(0) } {
            NO_DEVICE => return Ok(Vec::new()),
            status => ok(status)?,
        }
        let mut count = 0;
        // SAFETY: the driver is initialized, and the function writes one number.
        ok(unsafe { (self.count)(&raw mut count) })?;
        (0..count)
            .map(|ordinal| {
                let (mut device, mut major, mut minor) = (0, 0, 0);
                let mut name = [0; 256];
                // SAFETY: each function writes one number, and the name at most as many bytes as it is told,
                // with a zero at its end.
                unsafe {
                    ok((self.device)(&raw mut device, ordinal))?;
                    ok((self.name)(name.as_mut_ptr(), 256, device))?;
                    ok((self.attribute)(&raw mut major, CAPABILITY_MAJOR, device))?;
                    ok((self.attribute)(
                        &raw mut minor,
                        CAPABILITY_MAJOR + 1,
                        device,
                    ))?;
                }
                // SAFETY: the driver wrote the zero.
                let name = unsafe { CStr::from_ptr(name.as_ptr()) };
                Ok(Present {
                    version: format!("sm_{major}{minor}"),
                    place: name.to_string_lossy().into_owned(),
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_of_a_processor_are_listed_from_its_highest_one() {
        let present = |levels: &[Level]| {
            let part = processor(levels.iter().copied());
            let present = part.state.expect("it has a level");
            format!("{}: {}", present.version, present.place)
        };
        assert_eq!(present(&[Level::Neon]), "neon: native code of this level");
        assert_eq!(
            present(&[Level::Baseline, Level::Avx2, Level::Avx512]),
            "avx512: native code of this level, and of baseline, avx2"
        );
        let absent = processor(std::iter::empty())
            .state
            .expect_err("it has none");
        assert!(absent.reason.starts_with("there is no native code for `"));
    }
}
