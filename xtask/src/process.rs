//! Runs child processes, optionally reading their output as it arrives.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// Runs `command` and fails unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("could not start `{}`", line(command)))?;
    if !status.success() {
        bail!("`{}` failed: {status}", line(command));
    }
    Ok(())
}

/// Runs `command`, passes its standard output on as it arrives, and calls `on_line` for each line
/// of it. Standard error is inherited, so progress bars and cargo's colours are kept.
pub(crate) fn tee(command: &mut Command, on_line: impl FnMut(&str)) -> Result<ExitStatus> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("could not start `{}`", line(command)))?;
    let stdout = child.stdout.take().expect("standard output is piped");
    copy_lines(stdout, io::stdout().lock(), on_line).context("could not pass on the output")?;
    Ok(child.wait()?)
}

/// Runs `command`, passes its standard error on as it arrives, and calls `on_line` for each line
/// of it.
pub(crate) fn tee_errors(command: &mut Command, on_line: impl FnMut(&str)) -> Result<ExitStatus> {
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("could not start `{}`", line(command)))?;
    let stderr = child.stderr.take().expect("standard error is piped");
    copy_lines(stderr, io::stderr().lock(), on_line).context("could not pass on the output")?;
    Ok(child.wait()?)
}

/// Copies bytes as they arrive, so that an incomplete line is shown immediately.
fn copy_lines(
    mut from: impl Read,
    mut to: impl Write,
    mut on_line: impl FnMut(&str),
) -> io::Result<()> {
    let mut chunk = [0; 4096];
    let mut pending = Vec::new();
    loop {
        let len = match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        to.write_all(&chunk[..len])?;
        to.flush()?;
        pending.extend_from_slice(&chunk[..len]);
        while let Some(end) = pending.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = pending.drain(..=end).collect();
            on_line(String::from_utf8_lossy(&line[..end]).trim_end_matches('\r'));
        }
    }
    if !pending.is_empty() {
        on_line(&String::from_utf8_lossy(&pending));
    }
    Ok(())
}

/// Returns the command as one would type it: the program without its folder, and of an argument of many lines, such as a
/// program, the first.
pub(crate) fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words: Vec<_> = std::iter::once(name)
        .chain(command.get_args())
        .map(|word| first_line(&word.to_string_lossy()))
        .collect();
    words.join(" ")
}

fn first_line(word: &str) -> String {
    match word.trim_end().split_once('\n') {
        Some((first, _)) => format!("{first} ..."),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_lines_keep_every_byte_and_report_every_line() {
        let text = "one\r\ntwo\n\nno end".as_bytes();
        let mut copy = Vec::new();
        let mut lines = Vec::new();
        copy_lines(text, &mut copy, |line| lines.push(line.to_owned())).expect("copies");
        assert_eq!(copy, text);
        assert_eq!(lines, ["one", "two", "", "no end"]);
    }

    #[test]
    fn a_program_in_an_argument_is_named_by_its_first_line() {
        let mut command = Command::new("/usr/bin/python3");
        command.args(["-c", "import sys\nprint(1)\n", "two"]);
        assert_eq!(line(&command), "python3 -c import sys ... two");
    }

    #[test]
    fn a_failing_command_is_named_with_its_arguments() {
        let error = run(Command::new("/bin/false").arg("--now")).expect_err("fails");
        assert!(error.to_string().contains("`false --now` failed"));
    }
}
