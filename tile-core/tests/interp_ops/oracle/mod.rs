//! Runs `NumPy`, `ml_dtypes`, mpmath and exact fractions in a Python process.
//!
//! `format.py` documents the requests.

use crate::python;
use std::io::{BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// The Python program, joined from its parts.
const PROGRAM: &str = concat!(
    include_str!("format.py"),
    include_str!("functions.py"),
    include_str!("arithmetic.py"),
    include_str!("answer.py"),
);

/// A running oracle process.
pub(crate) struct Oracle {
    process: Child,
    requests: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    /// Starts a process, or reports why a test is skipped.
    pub(crate) fn start() -> Option<Self> {
        let Some(mut python) = python::python() else {
            python::skip("numpy, ml_dtypes and mpmath for Python");
            return None;
        };
        let mut process = python
            .args(["-c", PROGRAM])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python runs");
        let requests = BufWriter::new(process.stdin.take().expect("piped"));
        let answers = BufReader::new(process.stdout.take().expect("piped"));
        Some(Self {
            process,
            requests,
            answers,
        })
    }

    /// Returns the answers to `request`, `COLUMNS` of them for each element of the inputs.
    pub(crate) fn ask<const COLUMNS: usize>(
        &mut self,
        request: &str,
        inputs: &[&[u64]],
    ) -> [Vec<u64>; COLUMNS] {
        let count = inputs[0].len();
        writeln!(self.requests, "{request} {count}").expect("the oracle listens");
        for input in inputs {
            assert_eq!(input.len(), count, "inputs of one length");
            let bytes: Vec<u8> = input.iter().flat_map(|word| word.to_le_bytes()).collect();
            self.requests.write_all(&bytes).expect("the oracle listens");
        }
        self.requests.flush().expect("the oracle listens");
        std::array::from_fn(|_| {
            let mut bytes = vec![0; 8 * count];
            self.answers
                .read_exact(&mut bytes)
                .expect("the oracle answers");
            let words = bytes.chunks_exact(8);
            words
                .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
                .collect()
        })
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // The process would also exit at the end of its input.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
