//! Waits for a process and measures its CPU time.
//!
//! In: a process that was started. Out: its exit status. Its CPU time counts for the stage that the waiting
//! thread measures ([`crate::timing::Times::measure`]). A process that is dropped before it exits is killed.

use std::io;
use std::process::{Child, ExitStatus};

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
    use std::time::Duration;

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
    use super::Process;
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
