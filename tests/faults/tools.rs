//! `ptxas` or `fatbinary` is missing, or does not do what it should.

use crate::harness::Case;
use crate::harness::Expected::{Code, Error};
use crate::harness::Need::{Nothing, Ptxas};
use crate::place::{Place, ptxas};

/// Builds with a `ptxas` of these commands.
fn ptxas_of(place: &mut Place, commands: &str) -> std::process::Output {
    let ptxas = place.script("ptxas", commands);
    let fatbinary = place.script("fatbinary", "exit 1");
    place.set("TILE_PTXAS", ptxas);
    place.set("TILE_FATBINARY", fatbinary);
    place.build()
}

/// Builds with the `ptxas` of this machine and a `fatbinary` of these commands.
fn fatbinary_of(place: &mut Place, commands: &str) -> std::process::Output {
    let fatbinary = place.script("fatbinary", commands);
    place.set("TILE_PTXAS", ptxas().expect("the case needs it"));
    place.set("TILE_FATBINARY", fatbinary);
    place.build()
}

pub(crate) const CASES: &[Case] = &[
    Case {
        fault: "there is no `ptxas`",
        need: Nothing,
        build: |place| place.build(),
        expected: Code("the program contains PTX, which the driver compiles"),
    },
    Case {
        fault: "`TILE_PTXAS` names nothing",
        need: Nothing,
        build: |place| {
            let absent = place.path("ptxas");
            place.set("TILE_PTXAS", absent);
            place.build()
        },
        expected: Error("`TILE_PTXAS` names `<folder>/ptxas`, which is no file"),
    },
    Case {
        fault: "it may not be executed",
        need: Nothing,
        build: |place| {
            let file = place.write("ptxas", "#!/bin/sh\n");
            let fatbinary = place.script("fatbinary", "exit 1");
            place.set("TILE_PTXAS", file);
            place.set("TILE_FATBINARY", fatbinary);
            place.build()
        },
        expected: Error("cannot be run: Permission denied"),
    },
    Case {
        fault: "it is no program",
        need: Nothing,
        build: |place| {
            let file = place.script("ptxas", "");
            std::fs::write(file, "neither a script nor machine code").expect("our file");
            let (file, fatbinary) = (place.path("ptxas"), place.script("fatbinary", "exit 1"));
            place.set("TILE_PTXAS", file);
            place.set("TILE_FATBINARY", fatbinary);
            place.build()
        },
        expected: Error("cannot be run: Exec format error"),
    },
    Case {
        fault: "it fails",
        need: Nothing,
        build: |place| ptxas_of(place, "echo 'ptxas fatal : out of licences' >&2; exit 1"),
        expected: Error("`ptxas` failed (exit status: 1): ptxas fatal : out of licences"),
    },
    Case {
        fault: "it fails with an output of megabytes",
        need: Nothing,
        build: |place| {
            ptxas_of(
                place,
                "yes 'one of many lines' | head -c 3000000 >&2; exit 1",
            )
        },
        expected: Error("more bytes)"),
    },
    Case {
        fault: "it is too old for the GPU",
        need: Nothing,
        build: |place| {
            let says = "ptxas fatal   : Value 'sm_80' is not defined for option 'gpu-name'";
            ptxas_of(place, &format!("echo \"{says}\" >&2; exit 255"))
        },
        expected: Error("is not defined for option 'gpu-name'"),
    },
    Case {
        fault: "it is too old for the version of PTX",
        need: Nothing,
        build: |place| {
            let says = "ptxas kernel.ptx, line 5; fatal   : Unsupported .version 7.0; current version is '6.0'";
            ptxas_of(place, &format!("echo \"{says}\" >&2; exit 255"))
        },
        expected: Error("Unsupported .version"),
    },
    Case {
        fault: "it succeeds without a cubin",
        need: Nothing,
        build: |place| ptxas_of(place, "exit 0"),
        expected: Error("`ptxas` reports success, but wrote no cubin"),
    },
    Case {
        fault: "it writes something else",
        need: Nothing,
        build: |place| {
            ptxas_of(
                place,
                "cat kernel.ptx > /dev/null; echo text > kernel.cubin",
            )
        },
        expected: Error("`ptxas` reports success, but wrote a file that is no cubin"),
    },
    Case {
        fault: "it does not report registers",
        need: Nothing,
        build: |place| {
            ptxas_of(
                place,
                "cat kernel.ptx > /dev/null; printf '\\177ELF' > kernel.cubin",
            )
        },
        expected: Error("`ptxas` reports success, but wrote no figures of `"),
    },
    Case {
        fault: "it crashes",
        need: Nothing,
        build: |place| ptxas_of(place, "kill -SEGV $$"),
        expected: Error("`ptxas` failed (signal: 11 (SIGSEGV)"),
    },
    Case {
        fault: "it is killed",
        need: Nothing,
        build: |place| ptxas_of(place, "kill -KILL $$"),
        expected: Error("`ptxas` failed (signal: 9 (SIGKILL))"),
    },
    Case {
        fault: "it hangs",
        need: Nothing,
        build: |place| {
            place.set("TILE_TIMEOUT", "5");
            ptxas_of(place, "exec sleep 600")
        },
        expected: Error("took longer than 5 s (stage: ptxas)"),
    },
    Case {
        fault: "it hangs over inline PTX",
        need: Nothing,
        build: |place| {
            place.with_inline_ptx();
            place.set("TILE_TIMEOUT", "1");
            ptxas_of(place, "exec sleep 600")
        },
        expected: Error("took longer than 1 s (stage: ptxas)"),
    },
    Case {
        fault: "the worker of the compiler is killed",
        need: Nothing,
        build: |place| ptxas_of(place, "kill -KILL $PPID"),
        expected: Error("the compiler's worker was ended by SIGKILL"),
    },
    Case {
        fault: "the worker of the compiler crashes",
        need: Nothing,
        build: |place| ptxas_of(place, "kill -ABRT $PPID"),
        expected: Error("the compiler's worker was ended by SIGABRT"),
    },
    Case {
        fault: "`TILE_FATBINARY` names nothing",
        need: Nothing,
        build: |place| {
            let absent = place.path("fatbinary");
            place.set("TILE_FATBINARY", absent);
            place.build()
        },
        expected: Error("`TILE_FATBINARY` names `<folder>/fatbinary`, which is no file"),
    },
    Case {
        fault: "`fatbinary` fails",
        need: Ptxas,
        build: |place| fatbinary_of(place, "echo 'fatbinary fatal : unknown option' >&2; exit 1"),
        expected: Error("`fatbinary` failed (exit status: 1): fatbinary fatal : unknown option"),
    },
    Case {
        fault: "it succeeds without a fatbin",
        need: Ptxas,
        build: |place| fatbinary_of(place, "exit 0"),
        expected: Error("`fatbinary` reports success, but wrote no fatbin"),
    },
    Case {
        fault: "it writes something else than a fatbin",
        need: Ptxas,
        build: |place| fatbinary_of(place, "echo text > out.fatbin"),
        expected: Error("`fatbinary` reports success, but wrote a file that is no fatbin"),
    },
    Case {
        fault: "`fatbinary` hangs",
        need: Ptxas,
        build: |place| {
            place.set("TILE_TIMEOUT", "10");
            fatbinary_of(place, "exec sleep 600")
        },
        expected: Error("took longer than 10 s (stage: fatbinary)"),
    },
];
