//! Native code for the CPU device: a kernel at every level of this machine's architecture.
//!
//! In: the canonical module that the CPU device runs. Out: [`NativeCode`], from the crate's artifacts, the cache, or a
//! worker process per level.

use super::worker_error::{WorkerError, host_failure, internal};
use crate::cache::{Blobs, Cache, Key, KeyBuilder};
use crate::cpu::{self, Level, Native, NotNative};
use crate::error::BackendError;
use crate::isolate::{self, Worker, WorkerFailure};
use crate::llvm::library::Library;
use crate::timing::{Time, Times};
use nanoserde::{DeJson, SerJson};
use std::time::{Duration, Instant};
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::ir::OpId;
use tile_core::{Loc, Module, Reported, bytecode};

/// The version of the interface between native code and the program that calls it.
const INTERFACE: &str = "1";

/// The native code of a kernel.
#[derive(Clone, Debug, Default)]
pub struct NativeCode {
    /// The code for each level, as the body of a naked function. A later one has more instructions.
    pub levels: Vec<Native>,
    /// The reason why a level is missing.
    pub not_native: Option<NotNative>,
    /// The times of the stages for each level that was compiled.
    pub times: Vec<(Level, Times)>,
    /// `true` if nothing was compiled.
    pub cached: bool,
}

/// What a blob says of the code for one level.
#[derive(Debug, SerJson, DeJson)]
struct Facts {
    scratch_bytes: u64,
    in_order: bool,
}

/// What a blob says of a kernel that is interpreted.
#[derive(Debug, SerJson, DeJson)]
struct Reason {
    reason: String,
    /// The position of the operation in the entry, since its line changes when a line is added above the kernel.
    position: Option<u64>,
}

impl NativeCode {
    /// Returns the result for a kernel that is interpreted.
    pub(crate) fn none(reason: impl Into<String>, loc: Loc) -> Self {
        Self {
            not_native: Some(NotNative {
                reason: reason.into(),
                loc,
            }),
            ..Self::default()
        }
    }

    fn no_instructions(loc: Loc) -> NotNative {
        NotNative {
            reason: format!(
                "this compiler has no native code for `{}`",
                std::env::consts::ARCH
            ),
            loc,
        }
    }

    /// Returns what the cache and the crate's artifacts keep.
    pub(crate) fn to_blobs(&self, module: &Module) -> Blobs {
        let mut blobs = Blobs::new();
        for native in &self.levels {
            insert(native, &mut blobs);
        }
        if let Some(not_native) = &self.not_native {
            insert_reason(not_native, module, &mut blobs);
        }
        blobs
    }

    pub(crate) fn from_blobs(blobs: &Blobs, module: &Module) -> Option<Self> {
        let levels: Vec<Native> = of_this_architecture()
            .filter_map(|level| taken(blobs, level))
            .collect();
        let not_native = reason_of(blobs, module);
        (!levels.is_empty() || not_native.is_some()).then_some(Self {
            levels,
            not_native,
            times: Vec::new(),
            cached: true,
        })
    }
}

fn insert(native: &Native, blobs: &mut Blobs) {
    let Native {
        level,
        assembly,
        scratch_bytes,
        in_order,
    } = native;
    let facts = Facts {
        scratch_bytes: *scratch_bytes as u64,
        in_order: *in_order,
    };
    blobs.insert_json(format!("native {level}"), &facts);
    blobs.insert(format!("assembly {level}"), assembly.as_bytes());
}

fn taken(blobs: &Blobs, level: Level) -> Option<Native> {
    let Facts {
        scratch_bytes,
        in_order,
    } = blobs.get_json(&format!("native {level}"))?;
    Some(Native {
        level,
        assembly: blobs.get_text(&format!("assembly {level}"))?.to_owned(),
        scratch_bytes: usize::try_from(scratch_bytes).ok()?,
        in_order,
    })
}

fn insert_reason(not_native: &NotNative, module: &Module, blobs: &mut Blobs) {
    let position = locations(module)
        .position(|loc| loc == not_native.loc)
        .map(|position| position as u64);
    let reason = Reason {
        reason: not_native.reason.clone(),
        position,
    };
    blobs.insert_json("not native", &reason);
}

fn reason_of(blobs: &Blobs, module: &Module) -> Option<NotNative> {
    let Reason { reason, position } = blobs.get_json("not native")?;
    let position = position.and_then(|position| usize::try_from(position).ok());
    let loc = position.and_then(|position| locations(module).nth(position));
    Some(NotNative {
        reason,
        loc: loc.unwrap_or(Loc::UNKNOWN),
    })
}

/// Returns the locations of the entries and of their operations, in order.
fn locations(module: &Module) -> impl Iterator<Item = Loc> {
    module.entries().flat_map(|entry| {
        let body = module.region_block(entry, 0);
        let ops = body.map(|body| module.walk(body)).unwrap_or_default();
        std::iter::once(entry)
            .chain(ops)
            .map(|id| module.op(id).loc)
            .collect::<Vec<Loc>>()
    })
}

/// Returns the levels of the architecture that this runs on.
pub(crate) fn of_this_architecture() -> impl Iterator<Item = Level> {
    let architecture = std::env::consts::ARCH;
    let levels = Level::ALL.into_iter();
    levels.filter(move |level| level.architecture() == architecture)
}

/// Returns the key of the code that a crate ships, made of what is compiled alone.
pub(crate) fn shipped_key(module: &Module) -> Result<Key, String> {
    Ok(add_input(Key::of_content("shipped native"), module)?.finish())
}

fn add_input(key: KeyBuilder, module: &Module) -> Result<KeyBuilder, String> {
    let bytes = bytecode::write(module, tile_core::ops::Version::V13_4);
    Ok(key
        .part("interface", INTERFACE)
        .part("bytecode", bytes.map_err(|error| error.to_string())?)
        .part("architecture", std::env::consts::ARCH))
}

/// One compilation, with what it needs of the session.
pub(crate) struct NativeCompiler<'a> {
    pub(crate) module: &'a Module,
    pub(crate) entry: OpId,
    pub(crate) cache: &'a Cache,
    pub(crate) llvm: &'static Library,
    /// The time limit of a worker.
    pub(crate) timeout: Duration,
    /// The levels to compile for.
    pub(crate) levels: Vec<Level>,
}

impl NativeCompiler<'_> {
    /// Compiles for the levels, or takes the code from the cache.
    pub(crate) fn compile(&self, diagnostics: &mut Diagnostics) -> Result<NativeCode, Reported> {
        let loc = self.module.op(self.entry).loc;
        let levels = cpu::distinct_levels(self.module, self.entry, &self.levels);
        let key = add_input(Key::builder("native"), self.module)
            .map_err(|message| internal(&message, loc, diagnostics))?
            .part("llvm", self.llvm.identity())
            .part("levels", format!("{levels:?}"))
            .finish();
        let cached = self.cache.get(&key);
        if let Some(code) = cached.and_then(|blobs| NativeCode::from_blobs(&blobs, self.module)) {
            return Ok(code);
        }
        let mut code = NativeCode::default();
        // Side by side, since each takes one core.
        let workers: Vec<(Level, Instant, Result<Worker, WorkerFailure>)> = levels
            .iter()
            .map(|&level| (level, Instant::now(), self.start(level)))
            .collect();
        if workers.is_empty() {
            let reason = format!(
                "there are no native instructions for `{}`",
                std::env::consts::ARCH
            );
            return Ok(NativeCode::none(reason, loc));
        }
        for (level, start, worker) in workers {
            let (native, times) = self.finish(level, start, worker, diagnostics)?;
            code.times.push((level, times));
            match native {
                Ok(native) => code.levels.push(native),
                Err(not_native) => {
                    code.not_native.get_or_insert(not_native);
                }
            }
        }
        self.cache.put(&key, &code.to_blobs(self.module));
        Ok(code)
    }

    /// Compiles for this machine. That there is no native code is an error.
    pub(crate) fn compile_here(&self, diagnostics: &mut Diagnostics) -> Result<Native, Reported> {
        let refused = |NotNative { reason, loc }: NotNative, diagnostics: &mut Diagnostics| {
            let message = format!("no native code: {reason}");
            let error = Diagnostic::error(Code::UnsupportedByTarget, loc, message);
            diagnostics.error(error.help("interpret it: leave out `--cpu=native`"))
        };
        let Some(level) = Level::of_this_machine() else {
            let none = NativeCode::no_instructions(self.module.op(self.entry).loc);
            return Err(refused(none, diagnostics));
        };
        let (native, _) = self.finish(level, Instant::now(), self.start(level), diagnostics)?;
        native.map_err(|not_native| refused(not_native, diagnostics))
    }

    /// Waits for a worker.
    fn finish(
        &self,
        level: Level,
        start: Instant,
        worker: Result<Worker, WorkerFailure>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(Result<Native, NotNative>, Times), Reported> {
        let loc = self.module.op(self.entry).loc;
        let bytes = worker
            .and_then(Worker::wait)
            .map_err(|failure| host_failure(&failure.into(), loc, diagnostics))?;
        let blobs = Blobs::from_bytes(&bytes).unwrap_or_default();
        if let Some(fault) = WorkerError::from_blobs(&blobs) {
            return Err(fault.report(loc, diagnostics));
        }
        let mut times = blobs.get_json::<Times>("times").unwrap_or_default();
        let rest = start.elapsed().saturating_sub(times.total());
        times.add("worker", Time::waited(rest));
        match (taken(&blobs, level), reason_of(&blobs, self.module)) {
            (Some(native), _) => Ok((Ok(native), times)),
            (None, Some(not_native)) => Ok((Err(not_native), times)),
            (None, None) => Err(internal("the worker's answer is damaged", loc, diagnostics)),
        }
    }

    fn start(&self, level: Level) -> Result<Worker, WorkerFailure> {
        isolate::start(self.timeout, |progress| {
            progress.stage("native code");
            let blobs = self.blobs(level);
            blobs
                .unwrap_or_else(|error| WorkerError::from(&error).to_blobs())
                .to_bytes()
        })
    }

    /// Does the work of the worker.
    fn blobs(&self, level: Level) -> Result<Blobs, BackendError> {
        let mut blobs = Blobs::new();
        let mut times = Times::new();
        match cpu::compile(self.module, self.entry, level, &mut times)? {
            Ok(native) => {
                let assembly = times.measure("embed", || cpu::body::of_file(&native.assembly));
                let assembly = assembly.map_err(|message| BackendError::Llvm {
                    what: "write native code that can be embedded",
                    message,
                })?;
                insert(&Native { assembly, ..native }, &mut blobs);
            }
            Err(not_native) => insert_reason(&not_native, self.module, &mut blobs),
        }
        blobs.insert_json("times", &times);
        Ok(blobs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tile_core::{Diagnostics, text};

    fn module(lines_above: usize) -> Module {
        let source = format!(
            "{}cuda_tile.module @m {{
  entry @k(%x: tile<ptr<f32>>) {{
    %i, %j, %k = get_tile_block_id : tile<i32>
    return
  }}
}}",
            "\n".repeat(lines_above)
        );
        text::parse(&source, "k.mlir", &mut Diagnostics::new()).expect("a module")
    }

    #[test]
    fn what_is_stored_comes_back_for_the_levels_of_this_architecture() {
        let module = module(0);
        let mut code = NativeCode::default();
        for level in of_this_architecture() {
            code.levels.push(Native {
                level,
                assembly: format!("\tret # {level}\n"),
                scratch_bytes: 128,
                in_order: level == Level::Baseline,
            });
        }
        let back = NativeCode::from_blobs(&code.to_blobs(&module), &module).expect("code");
        assert_eq!(back.levels, code.levels);
        assert!(back.cached && back.not_native.is_none() && !code.levels.is_empty());
        assert!(NativeCode::from_blobs(&Blobs::new(), &module).is_none());
    }

    #[test]
    fn a_reason_points_to_its_line_after_lines_were_added_above() {
        let before = module(0);
        let loc = locations(&before).nth(1).expect("an operation");
        assert_eq!(loc.line(), 3);
        let blobs = NativeCode::none("it prints", loc).to_blobs(&before);
        let after = module(5);
        let back = NativeCode::from_blobs(&blobs, &after).expect("a reason");
        let not_native = back.not_native.expect("a reason");
        assert_eq!(
            (not_native.reason.as_str(), not_native.loc.line()),
            ("it prints", 8)
        );
    }
}
