//! Emits source locations, for profilers, debuggers and the simulator.
//!
//! In: the locations of operations. Out: LLVM's debug metadata, which becomes `.loc` in PTX and the output of
//! `nvdisasm -g`. A location that the IR states takes precedence over the position in the text of the IR.
//! Since calls are inlined, a call site becomes a scope within the caller's scope.

use std::collections::HashMap;
use std::ffi::c_uint;
use std::ptr;

use inkwell::llvm_sys::debuginfo::{self, LLVMDWARFSourceLanguage};
use inkwell::llvm_sys::prelude::{LLVMBool, LLVMDIBuilderRef, LLVMMetadataRef};
use inkwell::module::{FlagBehavior, Module};
use inkwell::values::{AsValueRef as _, FunctionValue};
use tile_core::Loc;
use tile_core::ir::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind};

use super::code::Code;
use crate::level::DebugInfo;

/// Values of LLVM's `DICompileUnit::DebugEmissionKind`: the second emits only `.loc`.
const FULL_DEBUG: c_uint = 1;
const DEBUG_DIRECTIVES_ONLY: c_uint = 3;

/// The module flag without which debug metadata is dropped.
const VERSION: &str = "Debug Info Version";

const NO_FLAGS: debuginfo::LLVMDIFlags = 0;

unsafe extern "C" {
    /// The same function as in `llvm_sys`, where the type of `kind` lacks a value that LLVM has.
    #[link_name = "LLVMDIBuilderCreateCompileUnit"]
    fn create_compile_unit(
        builder: LLVMDIBuilderRef,
        language: LLVMDWARFSourceLanguage,
        file: LLVMMetadataRef,
        producer: *const std::ffi::c_char,
        producer_length: usize,
        is_optimized: LLVMBool,
        flags: *const std::ffi::c_char,
        flags_length: usize,
        runtime_version: c_uint,
        split_name: *const std::ffi::c_char,
        split_name_length: usize,
        kind: c_uint,
        dwo_id: c_uint,
        split_debug_inlining: LLVMBool,
        for_profiling: LLVMBool,
        sysroot: *const std::ffi::c_char,
        sysroot_length: usize,
        sdk: *const std::ffi::c_char,
        sdk_length: usize,
    ) -> LLVMMetadataRef;
}

/// The debug metadata of one kernel.
pub(super) struct Sources {
    builder: LLVMDIBuilderRef,
    unit: LLVMMetadataRef,
    unit_file: LLVMMetadataRef,
    function: LLVMMetadataRef,
    files: HashMap<(String, String), LLVMMetadataRef>,
    /// Subprograms that were inlined, by name and file.
    inlined: HashMap<(String, String), LLVMMetadataRef>,
    is_optimized: bool,
}

/// A position in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    directory: String,
    file: String,
    line: u32,
    column: u32,
    /// The name of the enclosing function, if known.
    function: Option<String>,
}

impl Drop for Sources {
    fn drop(&mut self) {
        // SAFETY: the builder was created by `new`, and is not used after this.
        unsafe { debuginfo::LLVMDisposeDIBuilder(self.builder) }
    }
}

impl Sources {
    /// Begins the metadata of `function`; `None` if no debug information is requested, or no location is
    /// known.
    pub(super) fn new(
        module: &Module<'_>,
        function: FunctionValue<'_>,
        name: &str,
        loc: Loc,
        debug: DebugInfo,
    ) -> Option<Self> {
        let kind = match debug {
            DebugInfo::None => return None,
            DebugInfo::Lines => DEBUG_DIRECTIVES_ONLY,
            DebugInfo::Full => FULL_DEBUG,
        };
        let place = places(loc).pop()?;
        let is_optimized = debug == DebugInfo::Lines;
        if module.get_flag(VERSION).is_none() {
            // SAFETY: the function has no preconditions.
            let version = unsafe { debuginfo::LLVMDebugMetadataVersion() };
            let version = module
                .get_context()
                .i32_type()
                .const_int(version.into(), false);
            module.add_basic_value_flag(VERSION, FlagBehavior::Warning, version);
        }
        // SAFETY: the module is alive; dropping the result disposes of the builder.
        let builder = unsafe { debuginfo::LLVMCreateDIBuilder(module.as_mut_ptr()) };
        let mut sources = Self {
            builder,
            unit: ptr::null_mut(),
            unit_file: ptr::null_mut(),
            function: ptr::null_mut(),
            files: HashMap::new(),
            inlined: HashMap::new(),
            is_optimized,
        };
        let file = sources.file(&place);
        let producer = concat!("tile-kernel ", env!("CARGO_PKG_VERSION"));
        // SAFETY: strings are passed with their lengths; the metadata belongs to this builder.
        sources.unit = unsafe {
            create_compile_unit(
                builder,
                LLVMDWARFSourceLanguage::LLVMDWARFSourceLanguageRust,
                file,
                producer.as_ptr().cast(),
                producer.len(),
                LLVMBool::from(is_optimized),
                ptr::null(),
                0,
                0,
                ptr::null(),
                0,
                kind,
                0,
                0,
                0,
                ptr::null(),
                0,
                ptr::null(),
                0,
            )
        };
        sources.unit_file = file;
        let shown = place.function.as_deref().unwrap_or(name);
        sources.function = sources.subprogram(shown, name, file, place.line);
        // SAFETY: both are alive and belong to the same module.
        unsafe { debuginfo::LLVMSetSubprogram(function.as_value_ref(), sources.function) };
        Some(sources)
    }

    /// Sets `loc` as the location of subsequent instructions.
    pub(super) fn enter(&mut self, code: &Code<'_>, loc: Loc) {
        use inkwell::llvm_sys::core::LLVMSetCurrentDebugLocation2;
        let location = self.location(code, loc);
        // SAFETY: the location belongs to the builder's context, or is null, which means no location.
        unsafe { LLVMSetCurrentDebugLocation2(code.builder.as_mut_ptr(), location) };
    }

    /// Returns a location, or null if none is known.
    fn location(&mut self, code: &Code<'_>, loc: Loc) -> LLVMMetadataRef {
        let mut inlined_at: LLVMMetadataRef = ptr::null_mut();
        // Visit places from the outermost call inwards, since each scope needs its call site.
        for place in places(loc).iter().rev() {
            let file = self.file(place);
            let scope = if !inlined_at.is_null() {
                self.callee(place, file)
            } else if file == self.unit_file {
                self.function
            } else {
                // SAFETY: the metadata belongs to this builder.
                unsafe {
                    debuginfo::LLVMDIBuilderCreateLexicalBlock(
                        self.builder,
                        self.function,
                        file,
                        place.line,
                        0,
                    )
                }
            };
            // SAFETY: the scope belongs to the context.
            inlined_at = unsafe {
                debuginfo::LLVMDIBuilderCreateDebugLocation(
                    code.cx.raw(),
                    place.line,
                    place.column,
                    scope,
                    inlined_at,
                )
            };
        }
        inlined_at
    }

    fn file(&mut self, place: &Place) -> LLVMMetadataRef {
        let key = (place.directory.clone(), place.file.clone());
        let builder = self.builder;
        *self.files.entry(key).or_insert_with(|| {
            let (file, directory) = (&place.file, &place.directory);
            // SAFETY: strings are passed with their lengths.
            unsafe {
                debuginfo::LLVMDIBuilderCreateFile(
                    builder,
                    file.as_ptr().cast(),
                    file.len(),
                    directory.as_ptr().cast(),
                    directory.len(),
                )
            }
        })
    }

    fn callee(&mut self, place: &Place, file: LLVMMetadataRef) -> LLVMMetadataRef {
        let name = place
            .function
            .clone()
            .unwrap_or_else(|| "inlined".to_owned());
        let key = (name.clone(), place.file.clone());
        if let Some(&existing) = self.inlined.get(&key) {
            return existing;
        }
        let subprogram = self.subprogram(&name, &name, file, place.line);
        self.inlined.insert(key, subprogram);
        subprogram
    }

    fn subprogram(
        &self,
        name: &str,
        symbol: &str,
        file: LLVMMetadataRef,
        line: u32,
    ) -> LLVMMetadataRef {
        // SAFETY: strings and the list of types are passed with their lengths; the metadata belongs to this
        // builder.
        unsafe {
            let mut nothing = ptr::null_mut();
            let ty = debuginfo::LLVMDIBuilderCreateSubroutineType(
                self.builder,
                file,
                &raw mut nothing,
                1,
                NO_FLAGS,
            );
            debuginfo::LLVMDIBuilderCreateFunction(
                self.builder,
                self.unit,
                name.as_ptr().cast(),
                name.len(),
                symbol.as_ptr().cast(),
                symbol.len(),
                file,
                line,
                ty,
                0,
                1,
                line,
                NO_FLAGS,
                LLVMBool::from(self.is_optimized),
            )
        }
    }

    /// Completes the metadata at the end of the kernel.
    pub(super) fn finish(&self) {
        // SAFETY: the builder is alive.
        unsafe { debuginfo::LLVMDIBuilderFinalize(self.builder) }
    }
}

/// Maximum depth of nested locations that is followed; a module may nest them to any depth.
const MAX_DEPTH: u32 = 64;

/// Returns the place of a location, followed by its call sites from the innermost to the outermost.
fn places(loc: Loc) -> Vec<Place> {
    let mut places = Vec::new();
    if let Some(debug) = loc.debug() {
        stated(debug, MAX_DEPTH, &mut places);
    }
    if places.is_empty()
        && let Some(name) = loc.file_name()
        && loc.line() > 0
    {
        places.push(Place::new(name, "", loc.line(), loc.column(), None));
    }
    places
}

fn stated(loc: DebugLoc, depth: u32, places: &mut Vec<Place>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    match loc.kind() {
        DebugLocKind::Unknown => {}
        DebugLocKind::File(position) => {
            let place = Place::new(&position.file, "", position.line, position.column, None);
            places.push(place);
        }
        DebugLocKind::Scoped { position, scope } => {
            let (directory, function) = scope_of(*scope);
            let (line, column) = (position.line, position.column);
            places.push(Place::new(
                &position.file,
                &directory,
                line,
                column,
                function,
            ));
        }
        DebugLocKind::CallSite { callee, caller } => {
            stated(*callee, depth, places);
            stated(*caller, depth, places);
        }
        DebugLocKind::Name { child, .. } => stated(*child, depth, places),
        DebugLocKind::Fused { locations, .. } => {
            if let Some(&first) = locations.first() {
                stated(first, depth, places);
            }
        }
    }
}

/// Returns the directory of a scope's file, and the name of its function.
fn scope_of(scope: DebugAttr) -> (String, Option<String>) {
    let subprogram = scope.subprogram();
    let file = subprogram.and_then(|subprogram| match subprogram.kind() {
        DebugAttrKind::Subprogram { file, name, .. } => Some((*file, name.to_string())),
        _ => None,
    });
    let Some((file, name)) = file else {
        return (String::new(), None);
    };
    let directory = match file.kind() {
        DebugAttrKind::File { directory, .. } => directory.to_string(),
        _ => String::new(),
    };
    (directory, Some(name))
}

impl Place {
    fn new(file: &str, directory: &str, line: u32, column: u32, function: Option<String>) -> Self {
        Self {
            directory: directory.to_owned(),
            file: file.to_owned(),
            line,
            column,
            function,
        }
    }
}
