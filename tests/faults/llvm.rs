//! LLVM is missing, or is not what it should be.

use std::fs;
use std::path::Path;

use crate::harness::Case;
use crate::harness::Expected::{Code, Error, Warning};
use crate::harness::Need::{InstalledLlvm, Nothing};
use crate::place::{Place, installed_llvm};

/// Makes `TILE_LLVM` name a path in the folder of the crate.
fn named(place: &mut Place, path: &str) {
    let path = place.path(path);
    place.set("TILE_LLVM", path);
}

const GET_VERSION: &str = "\
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) { *major = MAJOR; *minor = 1; *patch = 0; }
";

fn versioned(major: &str, functions: &str) -> String {
    GET_VERSION.replace("MAJOR", major) + functions
}

/// Returns the start of a shared library for a machine, with a segment of a million bytes.
fn header(machine: u8) -> Vec<u8> {
    let mut bytes = vec![0; 200];
    bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
    bytes[18] = machine;
    // The place of the table of segments, and their number.
    bytes[32] = 64;
    bytes[56] = 1;
    // A segment that is mapped, and its size in the file.
    bytes[64] = 1;
    bytes[64 + 32..64 + 36].copy_from_slice(&1_000_000_u32.to_le_bytes());
    bytes
}

/// The number of this machine in the header of a library, and that of another one.
const MACHINES: (u8, u8) = if cfg!(target_arch = "x86_64") {
    (62, 183)
} else {
    (183, 62)
};

pub(crate) const CASES: &[Case] = &[
    Case {
        fault: "`TILE_LLVM` names nothing",
        need: Nothing,
        build: |place| {
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("cannot be read: No such file or directory"),
    },
    Case {
        fault: "`TILE_LLVM` names a folder without a library",
        need: Nothing,
        build: |place| {
            place.write("llvm/lib/libLLVM-C.so", "");
            named(place, "llvm");
            place.build()
        },
        expected: Error("has no library of LLVM"),
    },
    Case {
        fault: "it is a text",
        need: Nothing,
        build: |place| {
            place.write("llvm.so", "INPUT(libLLVM.so.22.1)\n");
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("is no shared library, but another file"),
    },
    Case {
        fault: "it is empty",
        need: Nothing,
        build: |place| {
            place.write("llvm.so", "");
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("is empty"),
    },
    Case {
        fault: "it is truncated",
        need: Nothing,
        build: |place| {
            place.write("llvm.so", header(MACHINES.0));
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("is truncated"),
    },
    Case {
        fault: "it is for another machine",
        need: Nothing,
        build: |place| {
            place.write("llvm.so", header(MACHINES.1));
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("is a library for "),
    },
    Case {
        fault: "it may not be read",
        need: Nothing,
        build: |place| {
            let file = place.library("llvm.so", "");
            place.rule("unreadable", &file);
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("cannot be read: Permission denied"),
    },
    Case {
        fault: "it is a pipe",
        need: Nothing,
        build: |place| {
            let made = std::process::Command::new("mkfifo")
                .arg(place.path("llvm.so"))
                .status();
            assert!(made.expect("mkfifo is there").success());
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("is neither a file nor a folder"),
    },
    Case {
        fault: "it needs a library that is missing",
        need: Nothing,
        build: |place| {
            place.library("libother.so", "int other(void) { return 1; }");
            let source = "int other(void); int LLVMGetVersion(void) { return other(); }";
            let library = place.library_with("llvm.so", source, "libother.so");
            fs::remove_file(place.path("libother.so")).expect("our file");
            place.set("TILE_LLVM", library);
            place.build()
        },
        expected: Error("libother.so: cannot open shared object file"),
    },
    Case {
        fault: "it is another library, such as the C library",
        need: Nothing,
        build: |place| {
            let maps = fs::read_to_string("/proc/self/maps").expect("Linux has it");
            let mut files = maps
                .lines()
                .filter_map(|line| line.find('/').map(|at| &line[at..]));
            let libc = files
                .find(|file| file.contains("/libc.so"))
                .expect("it is mapped");
            fs::copy(libc, place.path("libc.so.6")).expect("a copy");
            named(place, "libc.so.6");
            place.build()
        },
        expected: Error("is no library of LLVM"),
    },
    Case {
        fault: "it is LLVM 21",
        need: Nothing,
        build: |place| {
            place.library("llvm.so", &versioned("21", ""));
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("is LLVM 21.1.0, and LLVM 22 is needed"),
    },
    Case {
        fault: "it has no code generation for NVIDIA's GPUs",
        need: Nothing,
        build: |place| {
            place.library("llvm.so", &versioned("22", ""));
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("without code generation for NVIDIA's GPUs (NVPTX)"),
    },
    Case {
        fault: "it lacks functions of the C interface",
        need: Nothing,
        build: |place| {
            let source = versioned("22", "void LLVMInitializeNVPTXTarget(void) {}");
            place.library("llvm.so", &source);
            named(place, "llvm.so");
            place.build()
        },
        expected: Error("of its C interface"),
    },
    Case {
        fault: "rustc has another LLVM, and none is installed",
        need: Nothing,
        build: |place| {
            place.without_llvm(&["/toolchain/lib/libLLVM.so.21.1-rust-1.94.0-stable"]);
            place.build()
        },
        expected: Warning("is LLVM 21.1, and LLVM 22 is needed"),
    },
    Case {
        fault: "the LLVM of rustc is gone, and none is installed",
        need: Nothing,
        build: |place| {
            place.without_llvm(&["/toolchain/lib/libLLVM.so.22.1-rust-1.95.0-stable"]);
            place.build()
        },
        expected: Warning("cannot be read: No such file or directory"),
    },
    Case {
        fault: "rustc has LLVM inside of itself, and none is installed",
        need: Nothing,
        build: |place| {
            place.without_llvm(&[]);
            place.build()
        },
        expected: Warning("`rustc` has no shared library of LLVM"),
    },
    Case {
        fault: "rustc has another LLVM, and LLVM 22 is installed",
        need: InstalledLlvm,
        build: |place| {
            place.with_mapped(&["/toolchain/lib/libLLVM.so.21.1-rust-1.94.0-stable"]);
            place.set("TILE_TIME", "1");
            let output = place.build();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains("(of the system)"), "{said}");
            output
        },
        expected: Code("the installed one is used"),
    },
    Case {
        fault: "`TILE_LLVM` names another LLVM 22 than that of rustc",
        need: InstalledLlvm,
        build: |place| {
            let installed = installed_llvm().expect("the case needs it");
            place.set("TILE_LLVM", installed.parent().unwrap_or(Path::new("/")));
            place.build()
        },
        expected: Code("it is loaded beside that of rustc, and used"),
    },
];
