//! Loop IR to LLVM IR, as text: one function that runs a range of blocks.

mod atomic;
mod conversions;
mod crossed;
mod faults;
mod gather;
mod nest;
mod one_by_one;
mod ops;
mod places;
mod product;
mod reduce;
mod streaming;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tile_core::Module;
use tile_core::types::Scalar;

use super::ir::{Base, BufferId, Expr, Fun, Kernel, Param, Place, Stmt, Val};
use super::{Level, math};

use streaming::Trips;

pub(super) use gather::Even;

/// The name of the function.
pub(super) const ENTRY: &str = "tile_native";

/// The offsets in bytes of the fields of what a launch passes: grid, arguments, and the flag that cancels it.
const GRID: u32 = 0;
const ARGUMENTS: u32 = 16;
const CANCEL: u32 = 24;

/// The text of a mathematical function, in bytes, that is put at all of its calls together.
const MAX_INLINED: usize = 32 << 10;

/// The names of the axes of the grid.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The number of the first metadata node of scopes of aliases; those before are an empty one, the domain,
/// and [`HARDLY`].
const FIRST_LIST: usize = 3;

/// The number of the metadata node of branches that are hardly ever taken.
const HARDLY: usize = 2;

pub(super) struct Emitter<'k> {
    kernel: &'k Kernel,
    module: &'k Module,
    level: Level,
    text: String,
    /// The LLVM values of scalars.
    names: Vec<String>,
    /// The instructions at the start of the function.
    entry: String,
    /// The LLVM values of the words of parameters that are loaded there.
    words: BTreeMap<u32, String>,
    /// Constants and declarations.
    globals: String,
    next: u32,
    /// The basic block that is being filled.
    block: String,
    /// Where `continue` and `break` go.
    loops: Vec<(String, String)>,
    declared: BTreeSet<String>,
    functions: BTreeSet<(math::Function, math::Scalar, u32)>,
    /// Conditions of faults of the statement that is being emitted.
    faults: Vec<String>,
    /// The flags of faults of the nest that is being emitted, by numbers of lanes.
    flags: Vec<(u32, String)>,
    /// The number of lanes of the function that is being emitted.
    lanes: u32,
    /// `true` if the nest that is being emitted runs along its axis from the end.
    is_reverse: bool,
    /// The constants of tables, in order of their numbers.
    tables: Vec<String>,
    /// The buffers on the stack, from where LLVM takes what fits to registers.
    locals: BTreeSet<BufferId>,
    /// Memory on the stack by type, for the lanes of vectors that are accessed one by one.
    slots: BTreeMap<String, String>,
    /// The parameters that may be stored around the caches.
    only_stored: BTreeSet<u32>,
    /// The places of the nest that is being emitted that may be.
    streamed: Vec<Place>,
    /// `true` if a store goes around the caches.
    streams: bool,
    /// The loops around what is being emitted.
    trips: Vec<Trips>,
    /// The results of the unrolled iterations of a scan, with the places to which they are stored in blocks.
    crossed: Vec<(Place, String)>,
}

/// Returns the text of an LLVM module with the kernel.
pub(super) fn emit(kernel: &Kernel, module: &Module, level: Level) -> String {
    let mut emitter = Emitter {
        kernel,
        module,
        level,
        text: String::new(),
        names: vec![String::new(); kernel.vals.len()],
        entry: String::new(),
        words: BTreeMap::new(),
        globals: String::new(),
        next: 0,
        block: "entry".to_owned(),
        loops: Vec::new(),
        declared: BTreeSet::new(),
        functions: BTreeSet::new(),
        faults: Vec::new(),
        flags: Vec::new(),
        lanes: 1,
        is_reverse: false,
        tables: Vec::new(),
        locals: locals(kernel),
        slots: BTreeMap::new(),
        only_stored: streaming::only_stored(kernel),
        streamed: Vec::new(),
        streams: false,
        trips: Vec::new(),
        crossed: Vec::new(),
    };
    for (number, bytes) in kernel.tables.iter().enumerate() {
        let elements: Vec<String> = bytes.iter().map(|byte| format!("i8 {byte}")).collect();
        let _ = writeln!(
            emitter.globals,
            "@constant{number} = private unnamed_addr constant [{} x i8] [{}], align 64",
            bytes.len(),
            elements.join(", ")
        );
    }
    emitter.function();
    emitter.finish()
}

/// The largest buffer on the stack in bytes: four vectors of the widest level.
const MAX_LOCAL: u64 = 256;

/// The most bytes of buffers on the stack, less than a page, so that no page of it is left out.
const MAX_LOCALS: u64 = 2048;

/// Returns the buffers that are small enough for the stack, without the memory that the kernel has pointers to.
fn locals(kernel: &Kernel) -> BTreeSet<BufferId> {
    let is_local = |id: BufferId| {
        let pointed_to = |param: &Param| matches!(param, Param::Local(other, _) if *other == id);
        !kernel.params.iter().any(pointed_to)
    };
    let mut bytes = 0;
    let ids = (0..).map(BufferId).zip(&kernel.buffers);
    let small = ids.filter(|(id, buffer)| buffer.bytes() <= MAX_LOCAL && is_local(*id));
    small
        .take_while(|(_, buffer)| {
            bytes += buffer.bytes().next_multiple_of(64);
            bytes <= MAX_LOCALS
        })
        .map(|(id, _)| id)
        .collect()
}

/// Returns LLVM's type of elements in registers. Narrow floats are integers there.
fn scalar_type(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I1 => "i1",
        Scalar::I16 | Scalar::F16 | Scalar::BF16 => "i16",
        Scalar::I32 => "i32",
        Scalar::I64 => "i64",
        Scalar::F32 | Scalar::TF32 => "float",
        Scalar::F64 => "double",
        _ => "i8",
    }
}

/// Returns LLVM's type of so many elements.
fn vector_type(scalar: Scalar, lanes: u32) -> String {
    vector_of(scalar_type(scalar), lanes)
}

fn vector_of(element: &str, lanes: u32) -> String {
    if lanes == 1 {
        element.to_owned()
    } else {
        format!("<{lanes} x {element}>")
    }
}

/// Returns the suffix of an intrinsic for vectors of a type.
fn suffix(scalar: Scalar, lanes: u32) -> String {
    let element = match scalar_type(scalar) {
        "float" => "f32",
        "double" => "f64",
        other => other,
    };
    if lanes == 1 {
        element.to_owned()
    } else {
        format!("v{lanes}{element}")
    }
}

/// Returns a constant as LLVM writes it.
fn literal(scalar: Scalar, bits: u64) -> String {
    match scalar_type(scalar) {
        "i1" => (bits & 1 == 1).to_string(),
        "float" => {
            let bits = u32::try_from(bits & 0xffff_ffff).expect("masked");
            format!("0x{:016X}", double_bits(bits))
        }
        "double" => format!("0x{bits:016X}"),
        _ => {
            let unused = 64 - scalar.bits();
            ((bits << unused).cast_signed() >> unused).to_string()
        }
    }
}

/// Returns the bits of the `f64` with the value of an `f32`; those of a NaN are kept.
fn double_bits(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        let sign = u64::from(bits >> 31) << 63;
        return sign | 0x7ff << 52 | u64::from(bits & 0x7f_ffff) << 29;
    }
    f64::from(value).to_bits()
}

impl Emitter<'_> {
    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%t{}", self.next)
    }

    fn label(&mut self) -> String {
        self.next += 1;
        format!("b{}", self.next)
    }

    /// Adds an instruction without a result.
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    /// Adds an instruction and returns the name of its result.
    fn value(&mut self, line: &str) -> String {
        let name = self.fresh();
        let _ = writeln!(self.text, "  {name} = {line}");
        name
    }

    /// Adds an instruction to the start of the function.
    fn at_entry(&mut self, line: &str) -> String {
        let name = self.fresh();
        let _ = writeln!(self.entry, "  {name} = {line}");
        name
    }

    fn start(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
        label.clone_into(&mut self.block);
    }

    fn branch(&mut self, label: &str) {
        self.line(&format!("br label %{label}"));
    }

    fn branch_if(&mut self, condition: &str, then: &str, otherwise: &str) {
        self.line(&format!(
            "br i1 {condition}, label %{then}, label %{otherwise}"
        ));
    }

    /// Branches to code that is hardly ever run, or else to a label.
    fn branch_hardly_if(&mut self, condition: &str, then: &str, otherwise: &str) {
        self.line(&format!(
            "br i1 {condition}, label %{then}, label %{otherwise}, !prof !{HARDLY}"
        ));
    }

    fn declare(&mut self, declaration: String) {
        if !self.declared.contains(&declaration) {
            let _ = writeln!(self.globals, "{declaration}");
            self.declared.insert(declaration);
        }
    }

    /// Returns the name of a scalar value.
    fn val(&self, val: Val) -> String {
        self.names[val.0 as usize].clone()
    }

    fn scalar_of(&self, val: Val) -> Scalar {
        self.kernel.vals[val.0 as usize]
    }

    /// Returns `true` if a place is in a buffer on the stack.
    fn is_local(&self, base: Base) -> bool {
        matches!(base, Base::Buffer(buffer, _) if self.locals.contains(&buffer))
    }

    /// Returns the address of a buffer.
    fn buffer(&mut self, buffer: BufferId) -> String {
        if self.locals.contains(&buffer) {
            return format!("%local{}", buffer.0);
        }
        let offset = self.kernel.buffers[buffer.0 as usize].offset;
        self.value(&format!(
            "getelementptr inbounds i8, ptr %scratch, i64 {offset}"
        ))
    }

    /// Returns the metadata of accesses to a buffer: no access to another one or to a parameter has its address.
    fn buffer_alias(&self, buffer: BufferId) -> String {
        self.alias(self.kernel.params.len() + buffer.0 as usize)
    }

    fn function(&mut self) {
        for (number, scalar) in self.kernel.vars.iter().enumerate() {
            let ty = scalar_type(*scalar);
            let _ = writeln!(self.entry, "  %x{number} = alloca {ty}");
        }
        for buffer in &self.locals {
            let bytes = self.kernel.buffers[buffer.0 as usize].bytes();
            let _ = writeln!(
                self.entry,
                "  %local{} = alloca [{bytes} x i8], align {}",
                buffer.0,
                bytes.min(64)
            );
        }
        self.start("blocks");
        self.line("%block = phi i64 [ %first, %entry ], [ %following, %done ]");
        for axis in AXES {
            self.line(&format!(
                "%block.{axis} = phi i32 [ %at.{axis}, %entry ], [ %next.{axis}, %done ]"
            ));
        }
        self.line("%is.more = icmp ult i64 %block, %end");
        self.branch_if("%is.more", "more", "all");
        self.start("more");
        self.stop_if_cancelled();
        let body = &self.kernel.body;
        if self.stmts(body) {
            self.branch("done");
        }
        self.start("done");
        self.line("%following = add i64 %block, 1");
        self.line("%up.x = add i32 %block.x, 1");
        self.line("%wraps.x = icmp eq i32 %up.x, %grid.x");
        self.line("%next.x = select i1 %wraps.x, i32 0, i32 %up.x");
        self.line("%carry.x = zext i1 %wraps.x to i32");
        self.line("%up.y = add i32 %block.y, %carry.x");
        self.line("%wraps.y = icmp eq i32 %up.y, %grid.y");
        self.line("%next.y = select i1 %wraps.y, i32 0, i32 %up.y");
        self.line("%carry.y = zext i1 %wraps.y to i32");
        self.line("%next.z = add i32 %block.z, %carry.y");
        self.branch("blocks");
        self.start("all");
        self.end_streams();
        self.line("ret i64 -1");
        self.start("stop");
        self.end_streams();
        self.line("ret i64 %block");
    }

    fn finish(self) -> String {
        let mut names = BTreeSet::new();
        let functions = without_repeated_declarations(&self.functions(), &mut names);
        let mut text = without_repeated_declarations(&self.globals, &mut names);
        let _ = writeln!(
            text,
            "\ndefine i64 @{ENTRY}(ptr noalias readonly %launch, ptr noalias %scratch, i64 %first, i64 %end) #0 {{\nentry:"
        );
        for (axis, number) in AXES.iter().zip(0..) {
            let _ = writeln!(
                text,
                "  %grid.{axis}.at = getelementptr i8, ptr %launch, i64 {}\n  %grid.{axis} = load i32, ptr %grid.{axis}.at, !invariant.load !0",
                GRID + 4 * number
            );
        }
        let _ = writeln!(
            text,
            "  %arguments.at = getelementptr i8, ptr %launch, i64 {ARGUMENTS}\n  \
             %arguments = load ptr, ptr %arguments.at, !invariant.load !0\n  \
             %cancel.at = getelementptr i8, ptr %launch, i64 {CANCEL}\n  \
             %cancel.flag = load ptr, ptr %cancel.at, !invariant.load !0\n  \
             %width = zext i32 %grid.x to i64\n  \
             %height = zext i32 %grid.y to i64\n  \
             %row = udiv i64 %first, %width\n  \
             %at.x.wide = urem i64 %first, %width\n  \
             %at.y.wide = urem i64 %row, %height\n  \
             %at.z.wide = udiv i64 %row, %height\n  \
             %at.x = trunc i64 %at.x.wide to i32\n  \
             %at.y = trunc i64 %at.y.wide to i32\n  \
             %at.z = trunc i64 %at.z.wide to i32"
        );
        text += &self.entry;
        text += "  br label %blocks\n";
        text += &self.text;
        text += "}\n\n";
        // The assembly has the order of this text, and begins with the entry.
        text += &functions;
        text += "\nattributes #0 = { nounwind \"no-builtins\" }\n";
        text += "!0 = !{}\n!1 = distinct !{!1}\n";
        let _ = writeln!(
            text,
            "!{HARDLY} = !{{!\"branch_weights\", i32 1, i32 1048576}}"
        );
        let count = self.memories();
        let scopes: Vec<String> = (0..count)
            .map(|number| format!("!{}", FIRST_LIST + number))
            .collect();
        for scope in &scopes {
            let _ = writeln!(text, "{scope} = distinct !{{{scope}, !1}}");
        }
        for (number, scope) in scopes.iter().enumerate() {
            let list = FIRST_LIST + count + 2 * number;
            let others: Vec<&str> = scopes
                .iter()
                .filter(|other| *other != scope)
                .map(String::as_str)
                .collect();
            let _ = writeln!(
                text,
                "!{list} = !{{{scope}}}\n!{} = !{{{}}}",
                list + 1,
                others.join(", ")
            );
        }
        let _ = writeln!(text, "!{} = !{{i32 1}}", self.non_temporal_list());
        text
    }

    /// Returns the definitions of the functions that the kernel calls.
    fn functions(&self) -> String {
        let mut text = String::new();
        for &(function, scalar, lanes) in &self.functions {
            let definition = math::definition(function, scalar, lanes, self.level);
            let call = format!("@{}(", math::name(function, scalar, lanes));
            let calls = self.text.matches(&call).count();
            // A copy at each call would take LLVM longer than it saves.
            let start = definition.find("define ").unwrap_or_default();
            let is_called = calls * (definition.len() - start) > MAX_INLINED;
            text += &if is_called {
                definition.replacen(" alwaysinline ", " noinline ", 1)
            } else {
                definition
            };
            text.push('\n');
        }
        text
    }

    /// Emits statements. Returns `false` if control does not reach their end.
    fn stmts(&mut self, stmts: &[Stmt]) -> bool {
        stmts.iter().all(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        self.lanes = 1;
        match stmt {
            Stmt::Let(val, expr) => self.let_(*val, expr),
            Stmt::Set(var, val) => {
                let ty = scalar_type(self.scalar_of(*val));
                self.line(&format!("store {ty} {}, ptr %x{}", self.val(*val), var.0));
            }
            Stmt::Nest(nest) => self.nest(nest),
            Stmt::Product(product) => self.product(product),
            Stmt::If {
                condition,
                then,
                otherwise,
            } => return self.if_else(*condition, then, otherwise),
            Stmt::For { .. } => self.for_loop(stmt),
            Stmt::Loop(body) => return self.endless_loop(body),
            Stmt::Break => {
                let (_, end) = self.loops.last().expect("a loop").clone();
                self.branch(&end);
                return false;
            }
            Stmt::Continue => {
                let (next, _) = self.loops.last().expect("a loop").clone();
                self.branch(&next);
                return false;
            }
            Stmt::Return => {
                self.branch("done");
                return false;
            }
            Stmt::Fence => self.line("fence seq_cst"),
            Stmt::FaultIf(val, None) => {
                let condition = self.val(*val);
                self.stop_if(&condition);
            }
            Stmt::FaultIf(val, Some(never)) => {
                let [condition, never] = [*val, *never].map(|val| self.val(val));
                let [check, next] = [self.label(), self.label()];
                let is_checked = self.value(&format!("xor i1 {never}, true"));
                self.branch_hardly_if(&is_checked, &check, &next);
                self.start(&check);
                self.branch_hardly_if(&condition, "stop", &next);
                self.start(&next);
            }
        }
        true
    }

    fn let_(&mut self, val: Val, expr: &Expr) {
        let scalar = self.scalar_of(val);
        let name = match expr {
            Expr::Constant(bits) => literal(scalar, *bits),
            Expr::Word(word) => {
                let word = self.word(*word);
                self.number_of_word(&word, scalar)
            }
            Expr::BlockId(axis) => format!("%block.{}", AXES[*axis as usize]),
            Expr::GridDim(axis) => format!("%grid.{}", AXES[*axis as usize]),
            Expr::Call(fun, args) => {
                let types: Vec<Scalar> = args.iter().map(|&arg| self.scalar_of(arg)).collect();
                let args: Vec<String> = args.iter().map(|&arg| self.val(arg)).collect();
                let result = self.call(*fun, &args, &types, scalar, 1);
                for fault in std::mem::take(&mut self.faults) {
                    self.stop_if(&fault);
                }
                result
            }
            Expr::Element(buffer) => {
                let at = self.buffer(*buffer);
                let alias = self.buffer_alias(*buffer);
                self.load_scalar(&at, scalar, &alias)
            }
            Expr::Var(var) => self.value(&format!("load {}, ptr %x{}", scalar_type(scalar), var.0)),
        };
        self.names[val.0 as usize] = name;
    }

    /// Converts a word of the parameters.
    fn number_of_word(&mut self, word: &str, scalar: Scalar) -> String {
        match scalar_type(scalar) {
            "i64" => word.to_owned(),
            "double" => self.value(&format!("bitcast i64 {word} to double")),
            "float" => {
                let bits = self.value(&format!("trunc i64 {word} to i32"));
                self.value(&format!("bitcast i32 {bits} to float"))
            }
            "i1" => self.value(&format!("icmp ne i64 {word}, 0")),
            ty => self.value(&format!("trunc i64 {word} to {ty}")),
        }
    }

    /// Loads an element from memory, where a truth value takes a byte.
    fn load_scalar(&mut self, at: &str, scalar: Scalar, alias: &str) -> String {
        if scalar == Scalar::I1 {
            let byte = self.value(&format!("load i8, ptr {at}, align 1{alias}"));
            return self.value(&format!("icmp ne i8 {byte}, 0"));
        }
        let ty = scalar_type(scalar);
        self.value(&format!("load {ty}, ptr {at}, align 1{alias}"))
    }

    fn if_else(&mut self, condition: Val, then: &[Stmt], otherwise: &[Stmt]) -> bool {
        let [yes, no, end] = [self.label(), self.label(), self.label()];
        let condition = self.val(condition);
        self.branch_if(&condition, &yes, &no);
        let mut is_reached = false;
        for (label, stmts) in [(yes, then), (no, otherwise)] {
            self.start(&label);
            if self.stmts(stmts) {
                self.branch(&end);
                is_reached = true;
            }
        }
        if is_reached {
            self.start(&end);
        }
        is_reached
    }

    fn for_loop(&mut self, stmt: &Stmt) {
        let Stmt::For {
            counter,
            lower,
            upper,
            step,
            is_signed,
            may_wrap,
            body,
        } = stmt
        else {
            unreachable!("asked for a loop");
        };
        let [head, run, next, end] = [self.label(), self.label(), self.label(), self.label()];
        let before = self.block.clone();
        let (name, up) = (self.fresh(), self.fresh());
        self.names[counter.0 as usize].clone_from(&name);
        let [lower, upper, step] = [lower, upper, step].map(|&val| self.val(val));
        self.branch(&head);
        self.start(&head);
        self.line(&format!(
            "{name} = phi i64 [ {lower}, %{before} ], [ {up}, %{next} ]"
        ));
        let less = if *is_signed { "slt" } else { "ult" };
        let more = self.value(&format!("icmp {less} i64 {name}, {upper}"));
        self.branch_if(&more, &run, &end);
        self.start(&run);
        let trips = Trips {
            lower,
            upper,
            step: step.clone(),
        };
        if !trips.are_few() {
            self.stop_if_cancelled();
        }
        self.loops.push((next.clone(), end.clone()));
        self.trips.push(trips);
        if self.stmts(body) {
            self.branch(&next);
        }
        self.trips.pop();
        self.loops.pop();
        self.start(&next);
        self.line(&format!("{up} = add i64 {name}, {step}"));
        if *may_wrap {
            let goes_on = self.value(&format!(
                "icmp {} i64 {up}, {name}",
                if *is_signed { "sgt" } else { "ugt" }
            ));
            self.branch_if(&goes_on, &head, &end);
        } else {
            self.branch(&head);
        }
        self.start(&end);
    }

    fn endless_loop(&mut self, body: &[Stmt]) -> bool {
        let [head, end] = [self.label(), self.label()];
        self.branch(&head);
        self.start(&head);
        self.stop_if_cancelled();
        if is_unrolled(body) {
            let second = self.label();
            self.iteration(body, &second, &end);
            self.start(&second);
        }
        self.iteration(body, &head, &end);
        self.start(&end);
        true
    }

    /// Emits an iteration of a loop that does not count. `next` is where the next one begins.
    fn iteration(&mut self, body: &[Stmt], next: &str, end: &str) {
        self.loops.push((next.to_owned(), end.to_owned()));
        if self.stmts(body) {
            self.branch(next);
        }
        self.loops.pop();
    }

    /// Returns the metadata of accesses to the memory of a parameter.
    fn param_alias(&self, param: u32) -> String {
        match self.kernel.params[param as usize] {
            Param::Local(buffer, _) => self.buffer_alias(buffer),
            _ => self.alias(param as usize),
        }
    }

    /// Returns the metadata of accesses to one of the parameters and buffers, in this order.
    fn alias(&self, number: usize) -> String {
        let list = FIRST_LIST + self.memories() + 2 * number;
        format!(", !alias.scope !{list}, !noalias !{}", list + 1)
    }

    /// Returns the metadata of a store around the caches.
    fn non_temporal(&mut self) -> String {
        self.streams = true;
        format!(", !nontemporal !{}", self.non_temporal_list())
    }

    /// Returns the number of the metadata node after those of aliases.
    fn non_temporal_list(&self) -> usize {
        FIRST_LIST + 3 * self.memories()
    }

    /// Makes stores around the caches visible before what follows.
    fn end_streams(&mut self) {
        if self.streams {
            self.declare("declare void @llvm.x86.sse.sfence()".to_owned());
            self.line("call void @llvm.x86.sse.sfence()");
        }
    }

    /// Returns the number of parameters and buffers, and of the flag that cancels.
    fn memories(&self) -> usize {
        self.kernel.params.len() + self.kernel.buffers.len() + 1
    }

    /// Returns the number of the first word of a parameter.
    fn first_word(&self, param: u32) -> u32 {
        let before = self.kernel.params.iter().take(param as usize);
        before.map(|param| param.words()).sum()
    }

    /// Returns a word of the parameters.
    fn word(&mut self, word: u32) -> String {
        let mut first = 0;
        for &param in &self.kernel.params {
            if word < first + param.words() {
                let is_length = word > first;
                match param {
                    Param::Table(table) if is_length => {
                        return self.kernel.tables[table as usize].len().to_string();
                    }
                    Param::Table(table) => {
                        return self.value(&format!("ptrtoint ptr @constant{table} to i64"));
                    }
                    Param::Local(_, bytes) if is_length => return bytes.to_string(),
                    Param::Local(buffer, _) => {
                        let start = self.buffer(buffer);
                        return self.value(&format!("ptrtoint ptr {start} to i64"));
                    }
                    Param::Pointer | Param::Number(_) => break,
                }
            }
            first += param.words();
        }
        if let Some(name) = self.words.get(&word) {
            return name.clone();
        }
        // In loops, LLVM would load it again after each store that may be to the words, as far as it knows.
        let at = self.at_entry(&format!("getelementptr i64, ptr %arguments, i64 {word}"));
        let name = self.at_entry(&format!("load i64, ptr {at}, !invariant.load !0"));
        self.words.insert(word, name.clone());
        name
    }

    /// Emits a function of `lanes` elements; see [`Fun`].
    fn call(
        &mut self,
        fun: Fun,
        args: &[String],
        types: &[Scalar],
        to: Scalar,
        lanes: u32,
    ) -> String {
        self.lanes = lanes;
        self.fun(fun, args, types, to)
    }
}

/// The greatest number of values that an iteration computes which is written out twice.
const UNROLLED: usize = 32;

/// Returns `true` if two iterations of a loop are written out: those of few scalars, where the jump to the next iteration and the
/// check of whether the launch is cancelled take a good part of the time.
fn is_unrolled(body: &[Stmt]) -> bool {
    let (mut values, mut has_others) = (0, false);
    Stmt::walk(body, &mut |stmt| match stmt {
        Stmt::Let(..) => values += 1,
        Stmt::Nest(nest) if nest.bits == 0 => values += nest.insts.len(),
        Stmt::Nest(_) | Stmt::Product(_) | Stmt::For { .. } | Stmt::Loop(_) => has_others = true,
        _ => {}
    });
    !has_others && values <= UNROLLED
}

/// Removes declarations that the text had before.
fn without_repeated_declarations(text: &str, names: &mut BTreeSet<String>) -> String {
    let kept = text
        .lines()
        .filter(|line| !line.starts_with("declare ") || names.insert((*line).to_owned()));
    let mut text = kept.collect::<Vec<_>>().join("\n");
    text.push('\n');
    text
}
