//! Runs the command in a temporary folder of its own.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use tile_core::{Diagnostics, bytecode, text};

/// A module as `tilec` prints it, with an addition that canonicalization removes.
pub(crate) const MODULE: &str = "\
cuda_tile.module @kernels {
  entry @add(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %unused = addi %n, %n : tile<i32>
    %tensor = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %view = make_partition_view %tensor : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>
    %t, %loaded = load_view_tko weak %view[%x] : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %sum = addf %t, %t : tile<256xf32>
    %stored = store_view_tko weak %sum, %view[%x] token = %loaded : tile<256xf32>, partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
";

/// A module that parses; two of its operations break a rule.
pub(crate) const UNSOUND: &str = "\
cuda_tile.module @kernels {
  entry @f(%a: tile<i32>) {
    %0 = iota : tile<3xi32>
    %1 = iota : tile<2x2xi32>
    return
  }
}
";

/// `tilec` in a folder of its own.
pub(crate) struct Tilec {
    pub(crate) folder: TempDir,
}

impl Tilec {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), content).expect("a writable folder");
        self
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("the file was written")
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.run_on(arguments, b"")
    }

    pub(crate) fn run_on(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args(arguments)
            .current_dir(self.folder.path())
            // On a busy machine a compilation can be slow, of which there would be a remark.
            .env("TILE_SLOW", "1000000")
            .env_remove("TILE_TUNING")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        // A command that does not read standard input may have closed it, so an error is ignored.
        let _written = stdin.write_all(input);
        drop(stdin);
        child.wait_with_output().expect("the command ends")
    }

    /// Returns standard output of a command that must succeed without other output.
    pub(crate) fn stdout(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        let output = self.run_on(arguments, input);
        assert_eq!(text_of(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        output.stdout
    }

    pub(crate) fn prints(&self, arguments: &[&str], input: &[u8]) -> String {
        text_of(&self.stdout(arguments, input))
    }

    /// Returns standard error of a command that must fail without other output.
    pub(crate) fn fails(&self, arguments: &[&str], input: &[u8]) -> String {
        let output = self.run_on(arguments, input);
        assert_eq!(text_of(&output.stdout), "", "{arguments:?}");
        let stderr = text_of(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        stderr
    }
}

pub(crate) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the command writes UTF-8")
}

/// Returns the lines of standard error that name a location and an error.
pub(crate) fn faults(stderr: &str) -> Vec<&str> {
    let located = |line: &&str| line.contains(": error: ");
    stderr.lines().filter(located).collect()
}

/// Returns the bytecode of a module that need not verify.
pub(crate) fn unverified(source: &str) -> Vec<u8> {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "input", &mut diagnostics).expect("it parses");
    bytecode::write(&module, bytecode::Version::V13_4).expect("it can be written")
}
