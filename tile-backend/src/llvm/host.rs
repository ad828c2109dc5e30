//! Native code for CPUs, from LLVM IR as text.
//!
//! In: the text of a module, without a target, and a [`Level`]. Out: assembly that can be embedded, or an object file.
//!
//! Invariants:
//! - the code calls nothing that its module does not define. LLVM makes calls of functions such as `fmaf` or `memcpy` of
//!   what the target has no instructions for; such a module is refused;
//! - the local labels of [`HostCode::assembly`], and the symbols of internal functions and constants, begin with the given
//!   prefix, so that the assembly of several modules can be one file;
//! - the assembly ends in the section `.text`, and is position independent.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Once;

use inkwell::OptimizationLevel;
use inkwell::attributes::AttributeLoc;
use inkwell::llvm_sys::target as llvm_target;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, RelocMode, Target, TargetMachine, TargetTriple};

use super::Context;
use super::passes::name_of;
use crate::cpu::Level;
use crate::error::BackendError;
use crate::timing::Times;

/// The pass pipeline. Loops are vectorized already and scalars are variables in memory, so it promotes variables, inlines
/// mathematical functions, moves what does not change out of loops, and removes what is computed twice.
const PIPELINE: &str = "always-inline,\
    function<eager-inv>(dce,sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<max-iterations=1;no-verify-fixpoint>,sroa<preserve-cfg>,\
    loop-mssa(loop-rotate<header-duplication;no-prepare-for-lto>,licm<allowspeculation>),\
    simplifycfg,instcombine<max-iterations=1;no-verify-fixpoint>,\
    loop(indvars,loop-deletion),gvn<>,loop-mssa(licm<allowspeculation>),dse,\
    instcombine<max-iterations=1;no-verify-fixpoint>,simplifycfg<no-keep-loops>),globaldce";

/// Native code as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCode {
    /// Assembly; for x86-64 in the syntax of AT&T. On x86-64 it is embedded by
    /// `global_asm!(..., options(att_syntax, raw))`.
    pub assembly: String,
}

/// The target machines of a context.
#[derive(Debug)]
pub(super) struct Machines {
    hosts: Vec<&'static str>,
    created: RefCell<Vec<(Level, Rc<TargetMachine>)>>,
}

impl Machines {
    /// Creates no machine yet. `hosts` are the targets that LLVM has.
    pub(super) fn new(hosts: &[&'static str]) -> Self {
        Self {
            hosts: hosts.to_owned(),
            created: RefCell::default(),
        }
    }

    fn get(&self, level: Level) -> Result<Rc<TargetMachine>, BackendError> {
        let mut created = self.created.borrow_mut();
        if let Some((_, machine)) = created.iter().find(|(of, _)| *of == level) {
            return Ok(Rc::clone(machine));
        }
        let machine = Rc::new(self.create(level)?);
        created.push((level, Rc::clone(&machine)));
        Ok(machine)
    }

    fn create(&self, level: Level) -> Result<TargetMachine, BackendError> {
        let failed = |message| BackendError::Llvm {
            what: "make a target machine",
            message,
        };
        let host = match level {
            Level::Neon => "AArch64",
            _ => "X86",
        };
        if !self.hosts.contains(&host) {
            return Err(failed(format!(
                "this LLVM is without code generation for {host}"
            )));
        }
        match level {
            Level::Neon => initialize_aarch64(),
            _ => initialize_x86(),
        }
        let triple = TargetTriple::create(level.triple());
        let target = Target::from_triple(&triple).map_err(|error| failed(error.to_string()))?;
        let machine = target.create_target_machine(
            &triple,
            level.cpu(),
            level.features(),
            OptimizationLevel::Default,
            RelocMode::PIC,
            CodeModel::Default,
        );
        let machine = machine.ok_or_else(|| failed(format!("for `{level}`")))?;
        machine.set_asm_verbosity(false);
        Ok(machine)
    }
}

/// Initializes the target of x86-64, once per process. It must exist.
fn initialize_x86() {
    static ONCE: Once = Once::new();
    // SAFETY: the functions only register tables, and the caller knows that they exist.
    ONCE.call_once(|| unsafe {
        llvm_target::LLVMInitializeX86TargetInfo();
        llvm_target::LLVMInitializeX86Target();
        llvm_target::LLVMInitializeX86TargetMC();
        llvm_target::LLVMInitializeX86AsmPrinter();
    });
}

/// Initializes the target of `AArch64`, once per process. It must exist.
fn initialize_aarch64() {
    static ONCE: Once = Once::new();
    // SAFETY: as above.
    ONCE.call_once(|| unsafe {
        llvm_target::LLVMInitializeAArch64TargetInfo();
        llvm_target::LLVMInitializeAArch64Target();
        llvm_target::LLVMInitializeAArch64TargetMC();
        llvm_target::LLVMInitializeAArch64AsmPrinter();
    });
}

/// Compiles the module `text` to assembly, whose local labels begin with `prefix`.
///
/// The prefix must consist of letters, digits and `_`, and must be unique among all that is embedded into a program.
///
/// # Errors
///
/// If `text` is not a valid module, if LLVM cannot generate code for `level`, or if the code would call a function that
/// the module does not define.
pub fn compile(
    cx: &Context,
    text: &str,
    level: Level,
    prefix: &str,
    times: &mut Times,
) -> Result<HostCode, BackendError> {
    let module = optimized(cx, text, level, times)?;
    times.measure("select", || {
        prefix_internal(&module, prefix);
        let assembly = assembly_of(cx, &module, level)?;
        refuse_calls(&assembly)?;
        Ok(HostCode {
            assembly: embeddable(&assembly, prefix),
        })
    })
}

/// Compiles the module `text` to an object file. See [`compile`].
pub fn object(
    cx: &Context,
    text: &str,
    level: Level,
    times: &mut Times,
) -> Result<Vec<u8>, BackendError> {
    let module = optimized(cx, text, level, times)?;
    times.measure("select", || {
        // LLVM changes the module when it generates code, so the second time it gets a copy.
        refuse_calls(&assembly_of(cx, &module.clone(), level)?)?;
        emitted(cx, &module, level, FileType::Object)
    })
}

/// Returns the optimized module as text, for dumps.
pub fn optimized_text(cx: &Context, text: &str, level: Level) -> Result<String, BackendError> {
    let module = optimized(cx, text, level, &mut Times::new())?;
    Ok(module.print_to_string().to_string())
}

fn optimized<'cx>(
    cx: &'cx Context,
    text: &str,
    level: Level,
    times: &mut Times,
) -> Result<Module<'cx>, BackendError> {
    let machine = times.measure("target", || cx.host_machines.get(level))?;
    let module = times.measure("parse", || parsed(cx, text, level, &machine))?;
    let what = "optimize the module";
    times.measure("optimize", || {
        let options = PassBuilderOptions::create();
        let result = module.run_passes(PIPELINE, &machine, options);
        result.map_err(|message| BackendError::Llvm {
            what,
            message: message.to_string(),
        })
    })?;
    cx.check(what)?;
    Ok(module)
}

fn parsed<'cx>(
    cx: &'cx Context,
    text: &str,
    level: Level,
    machine: &TargetMachine,
) -> Result<Module<'cx>, BackendError> {
    let what = "read the module";
    let failed = |message| BackendError::Llvm { what, message };
    let layout = machine.get_target_data().get_data_layout();
    // In front, since the parser gives memory accesses without an alignment that of the data layout.
    let text = format!(
        "target datalayout = \"{}\"\ntarget triple = \"{}\"\n{text}",
        layout.as_str().to_string_lossy(),
        level.triple()
    );
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "host");
    let module = cx.inkwell().create_module_from_ir(buffer);
    let module = module.map_err(|message| failed(message.to_string()))?;
    cx.check(what)?;
    module
        .verify()
        .map_err(|message| failed(message.to_string()))?;
    for function in module.get_functions() {
        let is_intrinsic = function.get_intrinsic_id() != 0;
        if function.count_basic_blocks() > 0 {
            // Else a loop that copies or fills memory could become a call.
            let attribute = cx.inkwell().create_string_attribute("no-builtins", "");
            function.add_attribute(AttributeLoc::Function, attribute);
        } else if !is_intrinsic {
            return Err(BackendError::UndefinedFunction {
                name: name_of(function),
            });
        }
    }
    Ok(module)
}

/// Gives the internal functions and constants names that begin with `prefix`.
fn prefix_internal(module: &Module<'_>, prefix: &str) {
    for function in module.get_functions() {
        if function.count_basic_blocks() > 0 && is_internal(function.get_linkage()) {
            let name = name_of(function);
            function
                .as_global_value()
                .set_name(&format!("{prefix}_{name}"));
        }
    }
    for global in module.get_globals() {
        if is_internal(global.get_linkage()) {
            let name = global.get_name().to_string_lossy().into_owned();
            global.set_name(&format!("{prefix}_{name}"));
        }
    }
}

fn is_internal(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Internal | Linkage::Private)
}

fn emitted(
    cx: &Context,
    module: &Module<'_>,
    level: Level,
    kind: FileType,
) -> Result<Vec<u8>, BackendError> {
    let what = "generate native code";
    let machine = cx.host_machines.get(level)?;
    let buffer = machine.write_to_memory_buffer(module, kind);
    let buffer = buffer.map_err(|message| BackendError::Llvm {
        what,
        message: message.to_string(),
    })?;
    cx.check(what)?;
    Ok(buffer.as_slice().to_owned())
}

fn assembly_of(cx: &Context, module: &Module<'_>, level: Level) -> Result<String, BackendError> {
    let bytes = emitted(cx, module, level, FileType::Assembly)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_end_matches('\0').to_owned())
}

/// Refuses assembly with a reference to a symbol that it does not define.
fn refuse_calls(assembly: &str) -> Result<(), BackendError> {
    let defined: BTreeSet<&str> = assembly
        .lines()
        .filter_map(|line| line.strip_suffix(':'))
        .collect();
    let undefined = assembly
        .lines()
        .filter_map(target_of)
        .find(|symbol| !symbol.starts_with(".L") && !defined.contains(symbol));
    match undefined {
        None => Ok(()),
        Some(symbol) => Err(BackendError::Llvm {
            what: "generate native code without calls of other libraries",
            message: format!("it calls `{symbol}`"),
        }),
    }
}

/// Returns the symbol to which an instruction leads: the target of a call or jump, or the address that it reads from the
/// global offset table, through which code reaches what another library defines.
fn target_of(line: &str) -> Option<&str> {
    let mut words = line.strip_prefix('\t')?.split_ascii_whitespace();
    let instruction = words.next().filter(|word| !word.starts_with('.'))?;
    let operand = words.last()?;
    for marker in ["@GOTPCREL", "@PLT"] {
        if let Some((symbol, _)) = line.split_once(marker) {
            return symbol.rsplit(|c: char| !is_symbol(c)).next();
        }
    }
    if let Some((_, symbol)) = line.split_once(":got:") {
        return symbol.split(|c: char| !is_symbol(c)).next();
    }
    let is_branch = matches!(instruction, "call" | "callq" | "bl" | "b")
        || instruction.starts_with('j')
        || instruction.starts_with("b.");
    // `*` marks an address in a register.
    (is_branch && !operand.starts_with('*')).then_some(operand)
}

fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// Directives that speak of a whole file.
const OF_FILES: [&str; 5] = [
    ".file",
    ".ident",
    ".addrsig",
    ".addrsig_sym",
    ".section\t\".note.GNU-stack\"",
];

/// Removes what speaks of a whole file, prefixes local labels, and returns to the section `.text` at the end.
fn embeddable(assembly: &str, prefix: &str) -> String {
    let mut text = String::with_capacity(assembly.len() * 5 / 4);
    for line in assembly.lines() {
        let directive = line.strip_prefix('\t').unwrap_or(line);
        let is_of_files = OF_FILES.iter().any(|name| {
            directive
                .strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(is_symbol))
        });
        if !is_of_files {
            prefix_labels(line, prefix, &mut text);
            text.push('\n');
        }
    }
    text.push_str("\t.text\n");
    text
}

/// Writes a line with `prefix` in its local labels, which begin with `.L`. Text in quotes stays as it is.
fn prefix_labels(line: &str, prefix: &str, text: &mut String) {
    let mut is_quoted = false;
    let mut previous = ' ';
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let is_escaped = previous == '\\';
        if c == '"' && !is_escaped {
            is_quoted = !is_quoted;
        }
        if !is_quoted && !is_symbol(previous) && rest.starts_with(".L") {
            let _ = write!(text, ".L{prefix}_");
            rest = &rest[2..];
            previous = 'L';
            continue;
        }
        text.push(c);
        // A backslash that is escaped itself escapes nothing.
        previous = if is_escaped && c == '\\' { ' ' } else { c };
        rest = &rest[c.len_utf8()..];
    }
}

#[cfg(test)]
mod tests;
