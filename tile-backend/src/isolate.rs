//! Runs the stages that use LLVM and ptxas in a worker process.
//!
//! LLVM ends its process on a fatal error, and a bug in LLVM can loop forever. In rustc's process, either
//! would lose every diagnostic. Input: a closure that returns bytes. Output: the bytes, or how the worker
//! died and in which stage.
//!
//! Invariants:
//! - whatever the closure does, the caller gets a value back within the time limit (and a moment);
//! - nothing that the worker or its children write reaches the caller's output: it goes to a file, whose tail
//!   is part of a [`WorkerFailure`];
//! - the worker leaves by `_exit`, so nothing that was registered in the caller runs twice.
//!
//! **Forking a multithreaded process.** The child has one thread, and a lock that another thread held at the
//! time of the fork stays locked. glibc makes `malloc` usable after `fork`. Locks of LLVM are free as long as the
//! calling process does not use LLVM on another thread meanwhile; the macro uses LLVM only in workers. If the
//! calling process is rustc, its LLVM is ours too: rustc expands macros before it generates code, and options that
//! a worker sets in LLVM are not set in rustc. A closure must not use locks that other threads of its
//! caller hold: no `proc_macro` calls, no printing through `std`'s handles. If a closure does so anyway, the
//! time limit ends the deadlock.
//!
//! On systems without `fork`, the closure runs in the calling process, where only panics are caught.

use std::time::Duration;

use thiserror::Error;

use crate::error::{OUT_OF_MEMORY, temporary_help};
use crate::tools::Tool;

/// The name of the signal by which Linux ends a process if memory runs out.
const KILLED: &str = "SIGKILL";

/// The time limit of a worker, unless `TILE_TIMEOUT` (seconds) sets another one.
pub const DEFAULT_LIMIT: Duration = Duration::from_secs(60);

/// The way in which a worker ended without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Death {
    /// The closure panicked with this message, at this place.
    Panicked(String),
    /// A signal ended the process.
    Signalled(String),
    /// The process left with this status instead of returning.
    Exited(i32),
    /// The time limit passed.
    TimedOut(Duration),
    /// The process could not be created, or its messages could not be read.
    NotStarted(String),
}

impl std::fmt::Display for Death {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Panicked(message) => write!(f, "panicked: {message}"),
            Self::Signalled(signal) => write!(f, "was ended by {signal}"),
            Self::Exited(status) => write!(f, "left with status {status}"),
            Self::TimedOut(limit) => write!(f, "took longer than {} s", limit.as_secs_f64()),
            Self::NotStarted(why) => write!(f, "could not be run: {why}"),
        }
    }
}

/// A worker that gave no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the compiler's worker {how} (stage: {stage})")]
pub struct WorkerFailure {
    /// The last stage that the worker announced.
    pub stage: String,
    /// The way in which it ended.
    pub how: Death,
    /// The tail of its standard output and error.
    pub stderr_tail: String,
}

impl WorkerFailure {
    /// Returns an instruction for resolving the failure.
    pub fn help(&self) -> Option<String> {
        match &self.how {
            Death::TimedOut(_) => {
                let tools = [Tool::Ptxas, Tool::Fatbinary];
                let tool = tools
                    .iter()
                    .find(|tool| self.stage.ends_with(tool.file_name()));
                let other = tool.map_or_else(String::new, |tool| {
                    format!(
                        "; if it is `{tool}` that hangs, set `{}` to another one",
                        tool.variable()
                    )
                });
                Some(format!(
                    "set `TILE_TIMEOUT` to a larger number of seconds{other}"
                ))
            }
            Death::Signalled(signal) if signal == KILLED => Some(OUT_OF_MEMORY.to_owned()),
            Death::Panicked(_) | Death::Signalled(_) | Death::Exited(_) => {
                let product = if self.stage == "llvm" { "llvm" } else { "ptx" };
                Some(format!(
                    "set `TILE_DUMP={product}` to see what the stage was given, and report it as a bug"
                ))
            }
            Death::NotStarted(_) => Some(format!(
                "it needs a process and a temporary file; {}",
                temporary_help()
            )),
        }
    }
}

/// The worker's handle for announcing the stage that it is in.
pub struct Progress<'a> {
    announce: &'a mut (dyn FnMut(&str) + Send),
}

impl Progress<'_> {
    /// Announces the stage that begins now.
    pub fn stage(&mut self, name: &str) {
        (self.announce)(name);
    }
}

#[cfg(unix)]
pub use forked::{Worker, start};
#[cfg(not(unix))]
pub use in_place::{Worker, start};

/// Runs `work` in a worker and returns its bytes.
pub fn run(
    limit: Duration,
    work: impl FnOnce(&mut Progress<'_>) -> Vec<u8>,
) -> Result<Vec<u8>, WorkerFailure> {
    start(limit, work)?.wait()
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(unix)]
mod forked {
    use std::fs::File;
    use std::io::{Read, Seek, SeekFrom, Write};
    use std::os::fd::{AsFd, OwnedFd};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, Once, PoisonError};
    use std::time::{Duration, Instant};

    use nix::errno::Errno;
    use nix::fcntl::OFlag;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::sys::resource::{Resource, setrlimit};
    use nix::sys::signal::{SigHandler, Signal, kill, killpg, signal};
    use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
    use nix::unistd::{
        ForkResult, Pid, dup2_stderr, dup2_stdin, dup2_stdout, fork, pipe2, setpgid,
    };

    use super::{Death, Progress, WorkerFailure, panic_message};

    const STAGE: u8 = b's';
    const RESULT: u8 = b'r';
    const PANIC: u8 = b'p';
    const TAIL_BYTES: u64 = 4096;
    /// Interval between checks that the worker is alive. The result of a worker that returns is received
    /// immediately.
    const LOOK: Duration = Duration::from_millis(20);

    /// A worker that was started. Dropping it ends it, with its children.
    pub struct Worker {
        child: Pid,
        limit: Duration,
        start: Instant,
        receiver: OwnedFd,
        output: File,
        heard: Vec<u8>,
        stage: String,
        is_reaped: bool,
    }

    /// Starts `work` in a child process. `limit` counts from now.
    pub fn start(
        limit: Duration,
        work: impl FnOnce(&mut Progress<'_>) -> Vec<u8>,
    ) -> Result<Worker, WorkerFailure> {
        let not_started = |why: String| WorkerFailure {
            stage: "start".to_owned(),
            how: Death::NotStarted(why),
            stderr_tail: String::new(),
        };
        note_places_of_panics();
        let output = tempfile::tempfile().map_err(|error| not_started(error.to_string()))?;
        let (receiver, sender) =
            pipe2(OFlag::O_CLOEXEC).map_err(|error| not_started(error.to_string()))?;
        // SAFETY: the child runs `work` and leaves by `_exit`, never returning into the caller's
        // frames. What the closure may touch is the contract in the module documentation; breaking
        // it can stop the child, which the time limit ends, but not harm this process.
        match unsafe { fork() } {
            Err(error) => Err(not_started(error.to_string())),
            Ok(ForkResult::Child) => child(&output, sender, work),
            Ok(ForkResult::Parent { child }) => Ok(Worker {
                child,
                limit,
                start: Instant::now(),
                receiver,
                output,
                heard: Vec::new(),
                stage: "start".to_owned(),
                is_reaped: false,
            }),
        }
    }

    fn child(output: &File, sender: OwnedFd, work: impl FnOnce(&mut Progress<'_>) -> Vec<u8>) -> ! {
        // The worker gets a process group of its own, so that ptxas dies with it. If one of these calls
        // fails, the worker still does its work; only its output would show.
        if !IS_WORKER.load(Ordering::Relaxed) {
            let _grouped = setpgid(Pid::from_raw(0), Pid::from_raw(0));
        }
        die_with_parent();
        // The failure is reported, so a core file in the user's folder would not help.
        let _no_core = setrlimit(Resource::RLIMIT_CORE, 0, 0);
        // Writing to a pipe that ptxas has closed becomes an error to report. Only the handler of this
        // process changes: in rustc itself, the signal must still kill the process. SAFETY: no handler of
        // ours runs.
        let _reported = unsafe { signal(Signal::SIGPIPE, SigHandler::SigIgn) };
        let _redirected = (dup2_stdout(output), dup2_stderr(output));
        if let Ok(null) = File::open("/dev/null") {
            let _no_input = dup2_stdin(null);
        }
        let mut sender = File::from(sender);
        IS_WORKER.store(true, Ordering::Relaxed);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut announce = |name: &str| send(&mut sender, STAGE, name.as_bytes());
            work(&mut Progress {
                announce: &mut announce,
            })
        }));
        match outcome {
            Ok(bytes) => send(&mut sender, RESULT, &bytes),
            Err(payload) => {
                let place = PLACE_OF_PANIC
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .take();
                let place = place
                    .map(|place| format!(" at {place}"))
                    .unwrap_or_default();
                let message = format!("{}{place}", panic_message(&*payload));
                send(&mut sender, PANIC, message.as_bytes());
            }
        }
        // SAFETY: `_exit` only ends the process.
        unsafe { nix::libc::_exit(0) }
    }

    /// `true` in a worker process; `PLACE_OF_PANIC` holds the place of its last panic.
    static IS_WORKER: AtomicBool = AtomicBool::new(false);
    static PLACE_OF_PANIC: Mutex<Option<String>> = Mutex::new(None);

    /// Extends the caller's panic hook, which in a macro hides panics, with a part that acts only in workers.
    ///
    /// It is called before the fork, since setting a hook in the worker would block forever if another thread
    /// of the caller was panicking at the time of the fork. Calling a hook does not block, since hooks are
    /// called in parallel.
    fn note_places_of_panics() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let previous = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |info| {
                if IS_WORKER.load(Ordering::Relaxed) {
                    let place = info.location().map(ToString::to_string);
                    *PLACE_OF_PANIC
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner) = place;
                } else {
                    previous(info);
                }
            }));
        });
    }

    #[cfg(target_os = "linux")]
    fn die_with_parent() {
        // SAFETY: asks the kernel for a signal at the parent's death; no memory is involved.
        unsafe {
            nix::libc::prctl(nix::libc::PR_SET_PDEATHSIG, nix::libc::SIGKILL);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn die_with_parent() {}

    /// Sends one message: its kind, its length, its bytes.
    fn send(sender: &mut File, kind: u8, bytes: &[u8]) {
        let mut header = [kind; 9];
        header[1..].copy_from_slice(&(bytes.len() as u64).to_le_bytes());
        // If the parent is gone, there is nobody to report to.
        let _sent = sender
            .write_all(&header)
            .and_then(|()| sender.write_all(bytes));
    }

    impl Worker {
        /// Waits for the bytes of the worker.
        pub fn wait(mut self) -> Result<Vec<u8>, WorkerFailure> {
            let how = match self.listen() {
                Ok(Heard::Result(bytes)) => return Ok(bytes),
                Ok(Heard::Panic(message)) => Death::Panicked(message),
                Ok(Heard::Death(death)) => death,
                Err(errno) => Death::NotStarted(errno.to_string()),
            };
            // Its children write to the same file.
            self.end();
            Err(WorkerFailure {
                stage: std::mem::take(&mut self.stage),
                how,
                stderr_tail: tail(&mut self.output),
            })
        }

        /// Kills the worker and its children, and reaps it, or it would stay as a zombie.
        fn end(&mut self) {
            let _group_ended = killpg(self.child, Signal::SIGKILL);
            if !self.is_reaped {
                let _ended = kill(self.child, Signal::SIGKILL);
                while waitpid(self.child, None) == Err(Errno::EINTR) {}
                self.is_reaped = true;
            }
        }

        fn listen(&mut self) -> Result<Heard, Errno> {
            loop {
                if let Some(heard) = self.receive(LOOK)? {
                    return Ok(heard);
                }
                if let Some(death) = self.death()? {
                    // The worker's last messages may still be in the pipe.
                    while self.readable(Duration::ZERO)? && self.read()? > 0 {}
                    return Ok(self.next_message().unwrap_or(Heard::Death(death)));
                }
                if self.start.elapsed() >= self.limit {
                    return Ok(Heard::Death(Death::TimedOut(self.limit)));
                }
            }
        }

        fn receive(&mut self, wait: Duration) -> Result<Option<Heard>, Errno> {
            if self.readable(wait)? && self.read()? == 0 {
                // The pipe was closed without a final message, so the worker is dying. Do not spin until it
                // is dead.
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(self.next_message())
        }

        fn readable(&self, wait: Duration) -> Result<bool, Errno> {
            let mut fds = [PollFd::new(self.receiver.as_fd(), PollFlags::POLLIN)];
            let timeout = PollTimeout::try_from(wait).expect("a short wait");
            match poll(&mut fds, timeout) {
                Err(Errno::EINTR) => Ok(false),
                ready => Ok(ready? > 0),
            }
        }

        fn read(&mut self) -> Result<usize, Errno> {
            let mut buffer = [0; 1 << 14];
            match nix::unistd::read(&self.receiver, &mut buffer) {
                Err(Errno::EINTR) => Ok(1),
                count => {
                    let count = count?;
                    self.heard.extend_from_slice(&buffer[..count]);
                    Ok(count)
                }
            }
        }

        /// Decodes complete messages from the received bytes: records stages, and returns at the final
        /// message.
        fn next_message(&mut self) -> Option<Heard> {
            loop {
                let (&[kind, ref length @ ..], rest) = self.heard.split_first_chunk::<9>()?;
                let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
                let bytes = rest.get(..length)?.to_vec();
                match kind {
                    RESULT => return Some(Heard::Result(bytes)),
                    PANIC => {
                        return Some(Heard::Panic(String::from_utf8_lossy(&bytes).into_owned()));
                    }
                    _ => self.stage = String::from_utf8_lossy(&bytes).into_owned(),
                }
                self.heard.drain(..9 + length);
            }
        }

        fn death(&mut self) -> Result<Option<Death>, Errno> {
            let death = match waitpid(self.child, Some(WaitPidFlag::WNOHANG)) {
                Err(Errno::EINTR) => None,
                status => match status? {
                    WaitStatus::Exited(_, status) => Some(Death::Exited(status)),
                    WaitStatus::Signaled(_, signal, _) => {
                        Some(Death::Signalled(signal.to_string()))
                    }
                    _ => None,
                },
            };
            self.is_reaped |= death.is_some();
            Ok(death)
        }
    }

    impl Drop for Worker {
        fn drop(&mut self) {
            self.end();
        }
    }

    enum Heard {
        Result(Vec<u8>),
        Panic(String),
        Death(Death),
    }

    fn tail(output: &mut File) -> String {
        let mut bytes = Vec::new();
        let start = output
            .metadata()
            .map_or(0, |data| data.len().saturating_sub(TAIL_BYTES));
        // Unreadable output leaves the tail empty; the cause of death is known without it.
        let _read = output
            .seek(SeekFrom::Start(start))
            .and_then(|_| output.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}

#[cfg(not(unix))]
mod in_place {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use super::{Death, Progress, WorkerFailure, panic_message};

    /// A worker that has ended already.
    pub struct Worker(Result<Vec<u8>, WorkerFailure>);

    impl Worker {
        /// Returns the bytes of the worker.
        pub fn wait(self) -> Result<Vec<u8>, WorkerFailure> {
            self.0
        }
    }

    /// Runs `work` in this process; only a panic is caught.
    pub fn start(
        _limit: Duration,
        work: impl FnOnce(&mut Progress<'_>) -> Vec<u8>,
    ) -> Result<Worker, WorkerFailure> {
        let mut stage = "start".to_owned();
        let bytes = catch_unwind(AssertUnwindSafe(|| {
            let mut announce = |name: &str| name.clone_into(&mut stage);
            work(&mut Progress {
                announce: &mut announce,
            })
        }))
        .map_err(|payload| WorkerFailure {
            stage,
            how: Death::Panicked(panic_message(&*payload)),
            stderr_tail: String::new(),
        });
        Ok(Worker(bytes))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;

    const LIMIT: Duration = Duration::from_secs(20);

    fn failure(work: impl FnOnce(&mut Progress<'_>) -> Vec<u8>) -> WorkerFailure {
        run(LIMIT, work).expect_err("the worker dies")
    }

    #[test]
    fn the_result_comes_back() {
        assert_eq!(run(LIMIT, |_| b"cubin".to_vec()), Ok(b"cubin".to_vec()));
        assert_eq!(run(LIMIT, |_| Vec::new()), Ok(Vec::new()));
    }

    #[test]
    fn a_large_result_comes_back_whole() {
        let make = || {
            (0..20_000_000_u32)
                .map(|i| i.to_le_bytes()[1])
                .collect::<Vec<u8>>()
        };
        assert!(run(LIMIT, |_| make()) == Ok(make()));
    }

    #[test]
    fn a_panic_is_reported_with_its_message_and_stage() {
        let failure = failure(|progress| {
            progress.stage("lower");
            progress.stage("llvm");
            panic!("no lowering for {}", 7)
        });
        let Death::Panicked(message) = &failure.how else {
            panic!("{failure}")
        };
        assert!(message.starts_with("no lowering for 7 at "), "{message}");
        assert!(message.contains("isolate.rs:"), "{message}");
        assert_eq!(failure.stage, "llvm");
        assert!(
            failure
                .help()
                .is_some_and(|help| help.contains("`TILE_DUMP=llvm`"))
        );
    }

    #[test]
    fn abort_and_exit_are_told_apart() {
        let aborted = failure(|progress| {
            progress.stage("ptx");
            std::process::abort()
        });
        assert_eq!(aborted.how, Death::Signalled("SIGABRT".to_owned()));
        assert_eq!(
            aborted.to_string(),
            "the compiler's worker was ended by SIGABRT (stage: ptx)"
        );
        let exited = failure(|_| {
            // SAFETY: ends the child process.
            unsafe { nix::libc::_exit(3) }
        });
        assert_eq!(exited.how, Death::Exited(3));
    }

    #[test]
    fn a_killed_worker_is_no_bug_of_the_compiler() {
        let failure = failure(|_| {
            let _killed = nix::sys::signal::raise(nix::sys::signal::Signal::SIGKILL);
            Vec::new()
        });
        assert_eq!(failure.how, Death::Signalled(KILLED.to_owned()));
        assert_eq!(failure.help().as_deref(), Some(OUT_OF_MEMORY));
    }

    #[test]
    fn what_a_dying_worker_wrote_is_in_the_failure() {
        let failure = failure(|_| {
            let text = b"last words\n";
            // SAFETY: writes from a valid buffer to the child's own standard error.
            unsafe { nix::libc::write(2, text.as_ptr().cast(), text.len()) };
            std::process::abort()
        });
        assert_eq!(failure.stderr_tail, "last words");
    }

    #[test]
    fn a_worker_that_never_ends_is_stopped_with_its_children() {
        let start = Instant::now();
        let failure = run(Duration::from_millis(200), |progress| {
            progress.stage("cubin");
            let _status = std::process::Command::new("sleep").arg("30").status();
            loop {
                std::hint::spin_loop();
            }
        })
        .expect_err("the limit");
        assert_eq!(failure.how, Death::TimedOut(Duration::from_millis(200)));
        assert_eq!(failure.stage, "cubin");
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    /// Panicking threads hold locks of the standard library; a worker forked meanwhile must not need them.
    #[test]
    fn a_panic_on_another_thread_does_not_stop_a_worker() {
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let _caught = std::panic::catch_unwind(|| panic!("on purpose"));
                    }
                });
            }
            for round in 0..50_u8 {
                assert_eq!(run(LIMIT, |_| vec![round]), Ok(vec![round]));
                let death = failure(|_| panic!("round {round}")).how;
                let Death::Panicked(message) = death else {
                    panic!("{death}")
                };
                assert!(
                    message.starts_with(&format!("round {round} at ")),
                    "{message}"
                );
            }
        });
    }

    #[test]
    fn workers_run_side_by_side() {
        std::thread::scope(|scope| {
            for index in 0..8_u8 {
                scope.spawn(move || {
                    assert_eq!(
                        run(LIMIT, move |_| vec![index; 100_000]),
                        Ok(vec![index; 100_000])
                    );
                });
            }
        });
    }

    #[test]
    fn workers_of_a_worker_run_side_by_side_and_their_failures_are_told_apart() {
        let bytes = run(LIMIT, |_| {
            let workers: Vec<_> = (0..8_u8)
                .map(|index| {
                    start(LIMIT, move |progress| {
                        progress.stage("inner");
                        assert!(index != 5, "not this one");
                        vec![index; 100_000]
                    })
                })
                .collect();
            let ended = workers.into_iter().map(|worker| worker?.wait());
            let heard: Vec<String> = ended
                .map(|result| match result {
                    Ok(bytes) => format!("{} x {}", bytes[0], bytes.len()),
                    Err(failure) => failure.to_string(),
                })
                .collect();
            heard.join("\n").into_bytes()
        });
        let text = String::from_utf8(bytes.expect("the outer worker returns")).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 8, "{text}");
        for (index, line) in lines.iter().enumerate() {
            if index == 5 {
                assert!(line.contains("panicked: not this one at "), "{line}");
                assert!(line.ends_with("(stage: inner)"), "{line}");
            } else {
                assert_eq!(*line, format!("{index} x 100000"));
            }
        }
    }

    /// A worker of a worker, and what it starts, are in the group that the time limit kills.
    #[test]
    fn the_limit_ends_workers_of_a_worker() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("pid");
        let start = Instant::now();
        let failure = run(Duration::from_millis(500), |_| {
            let script = format!("echo $$ > {}; exec sleep 600", file.display());
            super::start(LIMIT, move |_| {
                let _status = std::process::Command::new("sh")
                    .args(["-c", &script])
                    .status();
                Vec::new()
            })
            .and_then(super::Worker::wait)
            .unwrap_or_default()
        })
        .expect_err("the limit");
        assert_eq!(failure.how, Death::TimedOut(Duration::from_millis(500)));
        let pid = std::fs::read_to_string(&file).expect("the shell wrote its number");
        let pid = nix::unistd::Pid::from_raw(pid.trim().parse().expect("a number"));
        // An orphan stays as a zombie until init reaps it.
        let is_running = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
            nix::sys::signal::kill(pid, None).is_ok()
                && !stat.is_ok_and(|stat| stat.contains(") Z "))
        };
        while is_running() {
            assert!(start.elapsed() < LIMIT, "`sleep` still runs");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn a_stack_overflow_is_a_failure() {
        #[expect(unconditional_recursion, reason = "the stack must overflow")]
        fn recurse(depth: u64) -> u64 {
            let frame = std::hint::black_box([depth; 1024]);
            frame[0] + recurse(depth + 1)
        }
        let failure = failure(|_| recurse(0).to_le_bytes().to_vec());
        assert!(matches!(failure.how, Death::Signalled(_)), "{failure:?}");
    }
}
