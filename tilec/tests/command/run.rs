//! Tests of `tilec run`.

use std::collections::BTreeSet;
use std::fs;

use crate::support::{MODULE, Tilec, faults, text_of};

/// A kernel that doubles 4 numbers.
const DOUBLE: &str = "\
cuda_tile.module @m {
  entry @double(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>, %n: tile<i32>) {
    %t0 = make_token : token
    %numbers = iota : tile<4xi32>
    %in1 = reshape %in : tile<ptr<f32>> -> tile<1xptr<f32>>
    %in4 = broadcast %in1 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %from = offset %in4, %numbers : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %out1 = reshape %out : tile<ptr<f32>> -> tile<1xptr<f32>>
    %out4 = broadcast %out1 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %to = offset %out4, %numbers : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %n4 = broadcast %n1 : tile<1xi32> -> tile<4xi32>
    %inside = cmpi less_than %numbers, %n4, signed : tile<4xi32> -> tile<4xi1>
    %x, %t1 = load_ptr_tko weak %from, %inside token=%t0 : tile<4xptr<f32>>, tile<4xi1> -> tile<4xf32>, token
    %y = addf %x, %x : tile<4xf32>
    %t2 = store_ptr_tko weak %to, %y, %inside token=%t1 : tile<4xptr<f32>>, tile<4xf32>, tile<4xi1> -> token
    return
  }
}
";

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

#[test]
fn numbers_and_buffers_go_in_and_buffers_come_out() {
    let tilec = Tilec::new()
        .with("double.mlir", DOUBLE)
        .with("in.bin", bytes(&[1.0, 2.0, 3.0, 4.0]));
    let run = |arguments: &[&str]| {
        let command = [&["run", "double.mlir", "--entry=double"], arguments].concat();
        assert_eq!(tilec.prints(&command, b""), "");
    };
    run(&[
        "--grid=1,1,1",
        "--arg=buffer:in.bin",
        "--arg=zeros:out.bin:16",
        "--arg=i32:3",
    ]);
    assert_eq!(tilec.read("out.bin"), bytes(&[2.0, 4.0, 6.0, 0.0]));
    assert_eq!(tilec.read("in.bin"), bytes(&[1.0, 2.0, 3.0, 4.0]));

    // One file may be passed as two arguments; its contents are kept.
    run(&[
        "--arg",
        "buffer:in.bin",
        "--arg",
        "buffer:./in.bin",
        "--arg",
        "i32:2",
    ]);
    assert_eq!(tilec.read("in.bin"), bytes(&[2.0, 4.0, 3.0, 4.0]));
}

#[test]
fn text_and_bytecode_run_alike() {
    let numbers: Vec<f32> = (0..512_u16).map(f32::from).collect();
    let tilec = Tilec::new()
        .with("add.mlir", MODULE)
        .with("a.bin", bytes(&numbers))
        .with("b.bin", bytes(&numbers));
    tilec.prints(&["as", "add.mlir", "-o", "add.tilebc"], b"");
    for (file, buffer) in [("add.mlir", "buffer:a.bin"), ("add.tilebc", "buffer:b.bin")] {
        let buffer = format!("--arg={buffer}");
        let run = ["run", file, "--grid=2", &buffer, "--arg=i32:300"];
        assert_eq!(tilec.prints(&run, b""), "");
    }
    let doubled = numbers.iter().enumerate();
    let doubled: Vec<f32> = doubled
        .map(|(index, &x)| if index < 300 { x + x } else { x })
        .collect();
    assert_eq!(tilec.read("a.bin"), bytes(&doubled));
    assert_eq!(tilec.read("b.bin"), bytes(&doubled));
}

#[test]
fn native_code_computes_the_same_and_its_faults_are_those_of_the_interpreter() {
    let numbers: Vec<f32> = (0..10_000_u16).map(f32::from).collect();
    let tilec = Tilec::new()
        .with("add.mlir", MODULE)
        .with("a.bin", bytes(&numbers))
        .with("b.bin", bytes(&numbers))
        .with("double.mlir", DOUBLE)
        .with("in.bin", bytes(&[1.0, 2.0, 3.0]));
    for (buffer, options) in [
        ("a.bin", &[][..]),
        ("b.bin", &["--cpu=native", "--threads=3"]),
    ] {
        let buffer = format!("--arg=buffer:{buffer}");
        let run = ["run", "add.mlir", "--grid=40", &buffer, "--arg=i32:9999"];
        assert_eq!(tilec.prints(&[&run, options].concat(), b""), "");
    }
    assert_eq!(tilec.read("b.bin"), tilec.read("a.bin"));
    assert_ne!(tilec.read("b.bin"), bytes(&numbers));
    let run = [
        "run",
        "double.mlir",
        "--arg=buffer:in.bin",
        "--arg=zeros:out.bin:16",
        "--arg=i32:4",
    ];
    let interpreted = tilec.fails(&run, b"");
    assert!(interpreted.contains("bytes 12..16"), "{interpreted}");
    assert_eq!(
        tilec.fails(&[&run[..], &["--cpu=native"]].concat(), b""),
        interpreted
    );
    assert!(!tilec.path("out.bin").exists());
}

#[test]
fn native_code_that_cannot_be_made_or_is_not_asked_for_is_refused() {
    let prints = MODULE.replace(
        "%sum = addf",
        "print_tko \"%f\", %t : tile<256xf32> -> token\n    %sum = addf",
    );
    let tilec = Tilec::new()
        .with("add.mlir", MODULE)
        .with("prints.mlir", &prints)
        .with("a.bin", bytes(&[1.0; 256]));
    let run = |file: &str, options: &[&str]| {
        let run = [
            "run",
            file,
            "--grid=1",
            "--arg=buffer:a.bin",
            "--arg=i32:256",
        ];
        tilec.fails(&[&run[..], options].concat(), b"")
    };
    let line = prints.lines().position(|line| line.contains("print_tko"));
    let place = format!("prints.mlir:{}:", line.expect("it prints") + 1);
    let said = run("prints.mlir", &["--cpu=native"]);
    assert!(
        said.starts_with(&place) && said.contains("no native code: "),
        "{said}"
    );
    assert!(said.contains("leave out `--cpu=native`"), "{said}");
    for options in [
        ["--cpu=native", "--check"],
        ["--cpu=native", "--seed=1"],
        ["--cpu=native", "--step-limit=9"],
        ["--cpu=native", "--device=sim"],
    ] {
        let said = run("add.mlir", &options);
        assert!(
            said.contains("it means nothing here; leave it out"),
            "{said}"
        );
    }
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tilec"))
        .args([
            "run",
            "add.mlir",
            "--cpu=native",
            "--grid=1",
            "--arg=buffer:a.bin",
            "--arg=i32:256",
        ])
        .current_dir(tilec.folder.path())
        .env("PATH", "/nowhere")
        .output()
        .expect("the command starts");
    let said = text_of(&output.stderr);
    // Without PATH, an installed LLVM or the one of rustc may not be found either.
    let is_clear = said.contains("`cc` cannot be run: ") || said.contains("LLVM 22 is missing");
    assert!(!output.status.success() && is_clear, "{said}");
    assert_eq!(tilec.read("a.bin"), bytes(&[1.0; 256]));
}

#[test]
fn a_fault_points_at_the_operation_and_leaves_the_files_alone() {
    let tilec = Tilec::new()
        .with("double.mlir", DOUBLE)
        .with("in.bin", bytes(&[1.0, 2.0, 3.0]))
        .with("out.bin", "as it was");
    let run = [
        "run",
        "double.mlir",
        "--arg=buffer:in.bin",
        "--arg=zeros:out.bin:16",
        "--arg=i32:4",
    ];
    let stderr = tilec.fails(&run, b"");
    let lines = faults(&stderr);
    assert_eq!(lines.len(), 1, "{stderr}");
    let index = DOUBLE
        .lines()
        .position(|line| line.contains("load_ptr_tko"));
    let place = format!("double.mlir:{}:15: error: ", index.expect("it loads") + 1);
    assert!(lines[0].starts_with(&place), "{stderr}");
    for part in [
        "bytes 12..16",
        "buffer of 12 bytes",
        "kernel `double`, block (0, 0, 0)",
        "T0601",
    ] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    assert_eq!(tilec.read("in.bin"), bytes(&[1.0, 2.0, 3.0]));
    assert_eq!(tilec.read("out.bin"), b"as it was");
}

#[test]
fn a_fault_in_bytecode_points_at_its_text_form() {
    let tilec = Tilec::new().with("double.mlir", DOUBLE);
    tilec.prints(&["as", "double.mlir", "-o", "double.tilebc"], b"");
    let run = [
        "run",
        "double.tilebc",
        "--arg=zeros:a:0",
        "--arg=zeros:b:16",
        "--arg=i32:4",
    ];
    let stderr = tilec.fails(&run, b"");
    assert!(stderr.contains("= load_ptr_tko"), "{stderr}");
    assert!(!tilec.path("a").exists() && !tilec.path("b").exists());
}

#[test]
fn arguments_that_do_not_fit_are_refused_with_a_cure() {
    let tilec = Tilec::new()
        .with("double.mlir", DOUBLE)
        .with("add.mlir", MODULE)
        .with("in.bin", "");
    for (arguments, message, cure) in [
        (
            &["--arg=i32:5"][..],
            "expected 3 arguments, found 1",
            "give one `--arg` for each of: ",
        ),
        (
            &["--arg=i32:5", "--arg=buffer:in.bin", "--arg=i32:4"],
            "parameter 0 is of type `tile<ptr<f32>>`, found a number of type `i32`",
            "give it `buffer:PATH`, `zeros:PATH:BYTES` or `uninit:PATH:BYTES`",
        ),
        (
            &[
                "--arg=buffer:in.bin",
                "--arg=zeros:out.bin:4",
                "--arg=i64:4",
            ],
            "parameter 2 is of type `tile<i32>`, found a number of type `i64`",
            "give it `i32:` and a number",
        ),
        (
            &[
                "--arg=buffer:in.bin",
                "--arg=zeros:out.bin:4",
                "--arg=buffer:in.bin",
            ],
            "parameter 2 is of type `tile<i32>`, found the buffer `in.bin`",
            "give it `i32:` and a number",
        ),
        (
            &["--entry=half"],
            "the module has no entry `half`",
            "entries of the module: `double`",
        ),
        (
            &["--arg=buffer:in.bin", "--arg=zeros:in.bin:4", "--arg=i32:4"],
            "in.bin:0:0: error: the file is given twice",
            "give it alike",
        ),
        (
            &[
                "--arg=buffer:none.bin",
                "--arg=zeros:in.bin:4",
                "--arg=i32:4",
            ],
            "none.bin:0:0: error: cannot read it",
            "",
        ),
        (
            &[
                "--arg=zeros:none/out.bin:1",
                "--arg=zeros:in.bin:4",
                "--arg=i32:4",
            ],
            "none/out.bin:0:0: error: cannot write it",
            "",
        ),
        (
            &[
                "--arg=zeros:a:99999999999999999",
                "--arg=zeros:in.bin:4",
                "--arg=i32:4",
            ],
            "a:0:0: error: there is not enough memory for 99999999999999999 bytes",
            "",
        ),
        (
            &["--arg=zeros:a.bin:4", "--arg=i32:1"],
            "`add` needs to be told how many tile blocks there are",
            "give them with `--grid=X,Y,Z`",
        ),
        (&["--grid=0"], "`0` is no number from 1 to", ""),
        (
            &["--grid=1,1,1,1"],
            "expected at most 3 extents, found 4",
            "",
        ),
        (
            &["--device=cuda"],
            "`tilec run` cannot use a GPU yet",
            "use `cpu`",
        ),
        (
            &["--arg=f32:x"],
            "`x` is no `f32`",
            "write a decimal number",
        ),
    ] {
        let file = if arguments.len() == 2 {
            "add.mlir"
        } else {
            "double.mlir"
        };
        let command = [&["run", file], arguments].concat();
        let stderr = tilec.fails(&command, b"");
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
        assert!(stderr.contains(cure), "{arguments:?}: {stderr}");
    }
    assert_eq!(tilec.read("in.bin"), b"");
}

/// An entry with an endless loop, and one with a finite loop.
const LOOPS: &str = "\
cuda_tile.module @m {
  entry @endless() {
    loop {
      continue
    }
    return
  }
  entry @short() {
    loop {
      break
    }
    return
  }
}
";

#[test]
fn a_step_limit_ends_what_does_not_end() {
    let tilec = Tilec::new().with("loops.mlir", LOOPS);
    let run = |entry| ["run", "loops.mlir", entry, "--step-limit=1000"];
    let stderr = tilec.fails(&run("--entry=endless"), b"");
    assert!(
        stderr.contains("loops.mlir:3:5: error: step limit of 1000"),
        "{stderr}"
    );
    assert_eq!(tilec.prints(&run("--entry=short"), b""), "");
    let stderr = tilec.fails(&["run", "loops.mlir"], b"");
    assert!(
        stderr.contains("choose an entry with `--entry=NAME`"),
        "{stderr}"
    );
    assert!(stderr.contains("`endless`, `short`"), "{stderr}");
}

/// A sum of squares over the grid, whose blocks combine their results.
const STRUCTURED: &str = "\
cuda_tile.module @m {
  entry @squares(%n: tile<i32>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    loop.parallel (%i) = (%zero) to (%n) step (%one) {
      %square = muli %i, %i : tile<i32>
      %at = offset %out, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %stored = store_ptr_tko weak %at, %square : tile<ptr<i32>>, tile<i32> -> token
    }
    return
  }
}
";

#[test]
fn structured_loops_get_the_grid_that_their_bounds_ask_for() {
    let tilec = Tilec::new().with("squares.mlir", STRUCTURED);
    let squares: Vec<u8> = (0..10_i32).flat_map(|i| (i * i).to_le_bytes()).collect();
    for grid in [&[][..], &["--grid=3"]] {
        let run = [
            "run",
            "squares.mlir",
            "--arg=i32:10",
            "--arg=zeros:out.bin:40",
        ];
        assert_eq!(tilec.prints(&[&run[..], grid].concat(), b""), "");
        assert_eq!(tilec.read("out.bin"), squares);
        fs::remove_file(tilec.path("out.bin")).expect("it was written");
    }
}

/// A kernel in which every block stores to the same place, and loads from it without a token.
const FAULTY: &str = "\
cuda_tile.module @m {
  entry @faulty(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %t = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
    %v, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %q = divi %v, %n signed : tile<i32>
    return
  }
}
";

#[test]
fn checks_say_everything_that_is_wrong_once() {
    let tilec = Tilec::new().with("faulty.mlir", FAULTY);
    let run = [
        "run",
        "faulty.mlir",
        "--grid=3",
        "--arg=uninit:out.bin:4",
        "--arg=i32:0",
    ];
    let stderr = tilec.fails(&run, b"");
    assert_eq!(faults(&stderr).len(), 1, "{stderr}");
    let stderr = tilec.fails(&[&run[..], &["--check"]].concat(), b"");
    let lines: Vec<&str> = faults(&stderr);
    for (line, parts) in lines.iter().zip([
        [
            "faulty.mlir:5:14: error: ",
            "no token orders it after store_ptr_tko",
        ],
        [
            "faulty.mlir:6:10: error: ",
            "0 / 0 is undefined: division by zero",
        ],
        [
            "faulty.mlir:4:10: error: ",
            "race with store_ptr_tko (operation 1) of block (0, 0, 0)",
        ],
    ]) {
        assert!(parts.iter().all(|part| line.contains(part)), "{stderr}");
    }
    assert_eq!(lines.len(), 3, "{stderr}");
    assert!(stderr.contains("and in 2 more tile blocks"), "{stderr}");
    assert!(!tilec.path("out.bin").exists());
}

#[test]
fn memory_that_is_not_initialized_must_not_be_read() {
    let tilec = Tilec::new().with("double.mlir", DOUBLE);
    for (input, output) in [("zeros", "uninit"), ("uninit", "zeros")] {
        let arguments = [
            format!("--arg={input}:in.bin:16"),
            format!("--arg={output}:out.bin:16"),
        ];
        let run = [
            "run",
            "double.mlir",
            "--check",
            &arguments[0],
            &arguments[1],
            "--arg=i32:4",
        ];
        if input == "zeros" {
            assert_eq!(tilec.prints(&run, b""), "");
            continue;
        }
        let stderr = tilec.fails(&run, b"");
        assert!(stderr.contains("which nothing has written"), "{stderr}");
    }
}

/// A kernel that loads the element that it stored. A test removes the token that orders the two.
const ORDER: &str = "\
cuda_tile.module @m {
  entry @order(%p: tile<ptr<i32>>, %q: tile<ptr<i32>>) {
    %seven = constant <i32: 7> : tile<i32>
    %t = store_ptr_tko weak %p, %seven : tile<ptr<i32>>, tile<i32> -> token
    %v, %u = load_ptr_tko weak %p token=%t : tile<ptr<i32>> -> tile<i32>, token
    %w = store_ptr_tko weak %q, %v : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
";

#[test]
fn a_missing_token_shows_in_an_order_drawn_from_a_seed() {
    for (source, expected) in [
        (ORDER.to_owned(), &[7][..]),
        (ORDER.replace(" token=%t", ""), &[0, 7]),
    ] {
        let tilec = Tilec::new().with("order.mlir", source);
        let mut actual = BTreeSet::new();
        for seed in 0..20 {
            let seed = format!("--seed={seed}");
            let run = [
                "run",
                "order.mlir",
                &seed,
                "--arg=zeros:p.bin:4",
                "--arg=zeros:q.bin:4",
            ];
            assert_eq!(tilec.prints(&run, b""), "");
            let loaded = tilec.read("q.bin").try_into().expect("an element");
            actual.insert(i32::from_le_bytes(loaded));
        }
        let actual: Vec<i32> = actual.into_iter().collect();
        assert_eq!(actual, expected);
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    let numbers: Vec<f32> = (0..4096_u16).map(f32::from).collect();
    let tilec = Tilec::new().with("add.mlir", MODULE);
    let mut outcomes = Vec::new();
    for threads in ["--threads=1", "--threads=3"] {
        fs::write(tilec.path("a.bin"), bytes(&numbers)).expect("a writable folder");
        let run = [
            "run",
            "add.mlir",
            "--grid=16",
            "--arg=buffer:a.bin",
            "--arg=i32:4000",
            threads,
        ];
        assert_eq!(text_of(&tilec.run(&run).stderr), "");
        outcomes.push(tilec.read("a.bin"));
    }
    assert_eq!(outcomes[0], outcomes[1]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_can_be_read_once_is_a_buffer_that_is_only_read() {
    let tilec = Tilec::new().with("double.mlir", DOUBLE);
    let input = bytes(&[1.0, 2.0, 3.0, 4.0]);
    let output = tilec.run_on(
        &[
            "run",
            "double.mlir",
            "--arg=buffer:/dev/stdin",
            "--arg=zeros:out.bin:16",
            "--arg=i32:4",
        ],
        &input,
    );
    assert_eq!(text_of(&output.stderr), "");
    assert_eq!(tilec.read("out.bin"), bytes(&[2.0, 4.0, 6.0, 8.0]));
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let tilec = Tilec::new()
        .with("double.mlir", DOUBLE)
        .with("a.bin", bytes(&[1.0; 4]));
    let path = tilec.path("a.bin");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is ours");
    symlink("a.bin", tilec.path("link.bin")).expect("a folder that can hold links");
    let run = [
        "run",
        "double.mlir",
        "--arg=buffer:link.bin",
        "--arg=buffer:link.bin",
        "--arg=i32:4",
    ];
    assert_eq!(tilec.prints(&run, b""), "");
    assert_eq!(tilec.read("a.bin"), bytes(&[2.0; 4]));
    let mode = fs::metadata(&path)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    assert!(tilec.path("link.bin").is_symlink());
}
