//! Waits for a process and measures its CPU time.
//!
//! In: a process that was started. Out: its exit status. Its CPU time counts for the stage that the waiting
//! thread measures ([`crate::timing::Times::measure`]). A process that is dropped before it exits is killed.
//!
//! [`ask`] runs a program for its answer, such as a version, within a time limit.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use crate::timing;

/// A process and, once it has exited, its status.
pub(crate) struct Process {
    child: Child,
    ended: Option<ExitStatus>,
}

impl Process {
    pub(crate) fn new(child: Child) -> Self {
        Self { child, ended: None }
    }

    /// Returns the status of the process, if it has exited.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.look(Patience::None)
    }

    /// Waits until the process exits and returns its status.
    pub(crate) fn wait(&mut self) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = self.look(Patience::UntilItEnds)? {
                return Ok(status);
            }
        }
    }

    fn look(&mut self, patience: Patience) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_none() {
            self.ended = match reap(&mut self.child, patience) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => None,
                status => status?,
            };
        }
        Ok(self.ended)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.ended.is_none() {
            let _ended = self.child.kill();
            let _waited = self.wait();
        }
    }
}

/// The bytes of an answer that are kept.
const ANSWER_BYTES: u64 = 1 << 16;

/// Interval between checks that a program has answered.
const LOOK: Duration = Duration::from_millis(1);

/// Runs `command`. Returns its output, each stream shortened to 64 KiB, or `None` if it takes longer than `limit`: then
/// it is killed, with the processes that it has started.
///
/// It starts threads, so a worker must not call it ([`crate::isolate`]).
pub(crate) fn ask(command: &mut Command, limit: Duration) -> io::Result<Option<Output>> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdout = child.stdout.take().map(read);
    let stderr = child.stderr.take().map(read);
    let pid = child.id();
    let mut process = Process::new(child);
    let start = Instant::now();
    let rest = || limit.saturating_sub(start.elapsed());
    let status = loop {
        if let Some(status) = process.try_wait()? {
            break status;
        }
        if rest().is_zero() {
            kill_group(pid);
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    };
    // What it has started may still write.
    let heard = |stream: Option<Receiver<Vec<u8>>>| stream?.recv_timeout(rest()).ok();
    let (Some(stdout), Some(stderr)) = (heard(stdout), heard(stderr)) else {
        kill_group(pid);
        return Ok(None);
    };
    Ok(Some(Output {
        status,
        stdout,
        stderr,
    }))
}

/// Says that a program did not answer in time, and how to give it more.
pub(crate) fn within(limit: Duration) -> String {
    format!(
        "within {} s, the time that `TILE_TIMEOUT` sets",
        limit.as_secs_f64()
    )
}

/// Reads a stream to its end, and passes on its first bytes.
fn read(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A stream that breaks off is read as far as it goes.
        let _read = stream.by_ref().take(ANSWER_BYTES).read_to_end(&mut bytes);
        let _rest = io::copy(&mut stream, &mut io::sink());
        // Nobody waits any more if the time is over.
        let _sent = sender.send(bytes);
    });
    receiver
}

#[cfg(unix)]
fn kill_group(pid: u32) {
    if let Ok(pid) = i32::try_from(pid) {
        let group = nix::unistd::Pid::from_raw(pid);
        let _killed = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_pid: u32) {}

/// The way to wait for a process: not at all, or until it exits.
#[derive(Clone, Copy)]
enum Patience {
    None,
    UntilItEnds,
}

/// Waits with `wait4`, since `Child::wait` of the standard library does not report CPU time.
#[cfg(unix)]
fn reap(child: &mut Child, patience: Patience) -> io::Result<Option<ExitStatus>> {
    use std::os::unix::process::ExitStatusExt as _;

    use nix::libc;

    let options = match patience {
        Patience::None => libc::WNOHANG,
        Patience::UntilItEnds => 0,
    };
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    // SAFETY: the type consists of plain integers, for which zeros are a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are valid, and the process is a child that has not been waited for.
    let ended_pid = unsafe { libc::wait4(pid, &raw mut status, options, &raw mut usage) };
    match ended_pid {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        _ => {
            let duration = |time: libc::timeval| {
                let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
                let micros = u64::try_from(time.tv_usec).unwrap_or(0);
                Duration::from_secs(seconds) + Duration::from_micros(micros)
            };
            timing::add_process(duration(usage.ru_utime) + duration(usage.ru_stime));
            Ok(Some(ExitStatus::from_raw(status)))
        }
    }
}

#[cfg(not(unix))]
fn reap(child: &mut Child, patience: Patience) -> io::Result<Option<ExitStatus>> {
    match patience {
        Patience::None => child.try_wait(),
        Patience::UntilItEnds => child.wait().map(Some),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{ANSWER_BYTES, Process, ask};
    use crate::timing::Times;
    use std::process::Command;
    use std::time::{Duration, Instant};

    fn shell(script: &str) -> Process {
        Process::new(
            Command::new("sh")
                .args(["-c", script])
                .spawn()
                .expect("a shell"),
        )
    }

    fn asked(script: &str, limit: Duration) -> Option<std::process::Output> {
        ask(Command::new("sh").args(["-c", script]), limit).expect("a shell")
    }

    #[test]
    fn an_answer_is_both_outputs_and_the_status() {
        let limit = Duration::from_secs(60);
        let output = asked("echo out; echo err >&2; exit 3", limit).expect("it answers");
        assert_eq!(
            (output.stdout.as_slice(), output.stderr.as_slice()),
            (b"out\n".as_slice(), b"err\n".as_slice())
        );
        assert_eq!(output.status.code(), Some(3));
        let output = asked("head -c 1000000 /dev/zero", limit).expect("it answers");
        assert_eq!(output.stdout.len() as u64, ANSWER_BYTES);
    }

    #[test]
    fn a_program_that_does_not_answer_is_killed_with_its_children() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("pid");
        let start = Instant::now();
        for end in ["wait", "exit"] {
            let script = format!("sleep 600 & echo $! > {}; {end}", file.display());
            assert!(asked(&script, Duration::from_millis(300)).is_none());
            let pid = std::fs::read_to_string(&file).expect("the shell wrote it");
            let stat = std::path::Path::new("/proc").join(pid.trim()).join("stat");
            // An orphan stays as a zombie until init reaps it.
            while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
                assert!(start.elapsed().as_secs() < 60, "`sleep` still runs");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }

    #[test]
    fn the_status_is_that_of_the_process_however_often_it_is_asked_for() {
        let mut process = shell("exit 7");
        for _ in 0..2 {
            assert_eq!(process.wait().expect("it ends").code(), Some(7));
            let status = process.try_wait().expect("it has ended");
            assert_eq!(status.and_then(|status| status.code()), Some(7));
        }
        let mut running = shell("exec sleep 600");
        assert!(running.try_wait().expect("it runs").is_none());
    }

    #[test]
    fn what_a_process_computes_counts_for_the_stage_and_what_it_sleeps_does_not() {
        let mut times = Times::new();
        times.measure("sleeps", || shell("sleep 0.3").wait().expect("it ends"));
        let script = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        times.measure("computes", || shell(script).wait().expect("it ends"));
        let (stage, longest) = times.longest().expect("two stages");
        assert_eq!(stage, "computes");
        assert!(longest > Duration::from_millis(20), "{longest:?}");
        let slept = times.cpu().saturating_sub(longest);
        assert!(slept < Duration::from_millis(150), "{slept:?}");
        assert!(times.total() > Duration::from_millis(300));
    }

    #[test]
    fn one_that_is_dropped_is_ended() {
        let start = Instant::now();
        drop(shell("exec sleep 600"));
        assert!(start.elapsed() < Duration::from_secs(300));
    }
}
