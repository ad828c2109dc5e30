//! Builds a kernel from an entry: decodes its instructions, resolves labels, and orders basic
//! blocks.

use super::calls::MAX_CALLS;
use super::sources::Sources;
use super::{Text, formal_name, undefined};
use crate::isa::control::Control;
use crate::isa::{self, Op};
use crate::machine::flow;
use crate::module::{Kernel, Line, Param};
use crate::parse::ParseError;
use crate::parse::decoder::{Condition, Decoder, Uses};
use crate::parse::names::{Content, LabelId, Names, Place};
use crate::parse::syntax::{
    Formal, Function, Instruction, Operand, Space, Statement, Variable, operands,
};

use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of instructions; the checks store indices in 21 bits.
const MAX_INSTRUCTIONS: usize = 1 << 21;
/// The maximum local memory of a thread in bytes (PTX ISA: 512 KB).
const MAX_LOCAL: u64 = 512 << 10;
/// The maximum size of the parameters in bytes (PTX ISA, "Kernel Function Parameter Attributes").
const MAX_PARAM: u64 = 32_764;
/// The number of errors after which parsing stops.
const MAX_ERRORS: usize = 1 << 16;

/// The state of building one kernel.
pub(super) struct Builder<'a> {
    pub(super) text: &'a Text<'a>,
    pub(super) names: Names,
    pub(super) lines: Vec<Line>,
    pub(super) sources: Sources,
    /// The call stack of functions being inlined, from the entry.
    pub(super) stack: Vec<&'a str>,
    /// The target of `ret` in an inlined function.
    pub(super) end: Option<LabelId>,
    /// The local memory in use in bytes; `max_local` is its maximum.
    pub(super) local: u64,
    max_local: u64,
    /// The shared variables of functions, which all their calls share.
    statics: FxHashMap<(&'a str, &'a str), Content>,
    /// The number of inlined calls.
    pub(super) calls: usize,
    pub(super) errors: Vec<ParseError>,
    reported: FxHashSet<(u32, String)>,
}

pub(super) fn kernel<'a>(text: &'a Text<'a>, entry: &'a Function) -> Result<Kernel, ParseError> {
    let mut names = Names::new(
        text.unit.version,
        text.unit.target,
        std::rc::Rc::clone(&text.names),
    );
    let mut params = Vec::new();
    let mut offset = 0u64;
    for formal in &entry.params {
        let name = formal_name(formal);
        let Formal::Param(param) = formal else {
            let message = format!("`{name}` is not a parameter of a kernel");
            return Err(ParseError::new(entry.line, message));
        };
        let Some(bytes) = param.bytes else {
            let message = format!("`{name}` has no length");
            return Err(ParseError::new(param.line, message));
        };
        offset = offset.next_multiple_of(param.align);
        names.declare_variable(param, Content::Constant(offset))?;
        params.push(Param {
            name: name.to_owned(),
            offset: usize::try_from(offset).expect("below 2^31"),
            bytes: usize::try_from(bytes).expect("below 2^31"),
        });
        offset += bytes;
        if offset > MAX_PARAM {
            let message = format!(
                "`{}` has more than {MAX_PARAM} bytes of parameters",
                entry.name
            );
            return Err(ParseError::new(param.line, message));
        }
    }
    let mut builder = Builder {
        text,
        names,
        lines: Vec::new(),
        sources: Sources::default(),
        stack: vec![&entry.name],
        end: None,
        local: 0,
        max_local: 0,
        statics: FxHashMap::default(),
        calls: 0,
        errors: Vec::new(),
        reported: FxHashSet::default(),
    };
    builder.scope(entry.body.as_deref().unwrap_or_default())?;
    if let Some(error) = ParseError::join(std::mem::take(&mut builder.errors)) {
        return Err(error);
    }
    builder.finish(entry.line);
    builder.resolve()?;
    let order = builder.order();
    let has_products = builder
        .lines
        .iter()
        .any(|line| matches!(line.op, Op::Wgmma(_)));
    let independent = !builder
        .lines
        .iter()
        .any(|line| line.op.is_seen_by_other_blocks());
    let Builder {
        names,
        mut lines,
        max_local,
        ..
    } = builder;
    let shared = names.shared;
    let (contents, slot_names, pred_names, always) = names.finish();
    undefined::permit(&mut lines, &contents);
    let limits = &entry.limits;
    Ok(Kernel {
        name: entry.name.clone(),
        lines,
        order,
        contents,
        slot_names,
        pred_names,
        always,
        params,
        param_bytes: usize::try_from(offset).expect("below 2^31"),
        static_shared: shared.bytes,
        dynamic_align: shared.dynamic_align,
        local_bytes: usize::try_from(max_local).expect("below 2^31"),
        independent,
        has_products,
        required_threads: limits.required_threads,
        max_threads: limits.max_threads,
        max_registers: limits.max_registers,
        required_cluster: limits.required_cluster,
        explicit_cluster: limits.explicit_cluster,
        max_cluster_rank: limits.max_cluster_rank,
    })
}

impl<'a> Builder<'a> {
    pub(super) fn place(&self) -> u32 {
        u32::try_from(self.lines.len()).expect("fewer than 2^21 instructions")
    }

    /// Records an error after which parsing can continue.
    fn report(&mut self, error: ParseError) -> Result<(), ParseError> {
        // A function that is called twice reports its errors once.
        if self.reported.insert((error.line, error.message.clone())) {
            self.errors.push(error);
        }
        if self.errors.len() < MAX_ERRORS {
            return Ok(());
        }
        let errors = std::mem::take(&mut self.errors);
        Err(ParseError::join(errors).expect("there is one"))
    }

    pub(super) fn scope(&mut self, statements: &'a [Statement]) -> Result<(), ParseError> {
        self.names.enter();
        let local = self.local;
        for statement in statements {
            match statement {
                Statement::Label(name, line) => self.names.declare_label(name, *line)?,
                Statement::Targets(name, targets) => {
                    self.names.declare_targets(name, targets.clone());
                }
                _ => {}
            }
        }
        for statement in statements {
            match statement {
                Statement::Instruction(instruction) => {
                    if let Err(error) = self.instruction(instruction) {
                        self.report(error)?;
                        if self.lines.len() + 1 >= MAX_INSTRUCTIONS {
                            return Err(self.errors.pop().expect("reported above"));
                        }
                    }
                }
                Statement::Call(call) => match self.call(call) {
                    Ok(()) => {}
                    // Recursion has no end.
                    Err(error) if self.calls >= MAX_CALLS => return Err(error),
                    Err(error) => self.report(error)?,
                },
                Statement::Label(name, _) => {
                    let id = self.names.label(name).expect("declared above");
                    self.set_label(id);
                }
                Statement::Registers(registers) => self.names.declare_registers(registers),
                Statement::Variable(variable) => self.variable(variable)?,
                Statement::Scope(statements) => self.scope(statements)?,
                Statement::Targets(..) => {}
                Statement::Location(location) => {
                    let name = self.stack.last().copied().unwrap_or_default();
                    self.sources.set(self.text, name, location);
                }
            }
        }
        self.names.leave();
        self.local = local;
        Ok(())
    }

    pub(super) fn set_label(&mut self, label: LabelId) {
        self.names.labels[label.0 as usize] = Some(self.place());
    }

    fn variable(&mut self, variable: &'a Variable) -> Result<(), ParseError> {
        if variable.space == Space::Shared {
            let function = self.stack.last().copied().unwrap_or_default();
            let key = (function, variable.name.as_str());
            let content = match self.statics.get(&key) {
                Some(&content) if self.stack.len() > 1 => content,
                _ => self.names.place_shared(variable)?,
            };
            self.statics.insert(key, content);
            return self.names.declare_variable(variable, content);
        }
        let place = self.place_local(variable)?;
        self.names
            .declare_place(&variable.name, place)
            .map_err(|message| ParseError::new(variable.line, message))
    }

    /// Allocates local memory until the end of the scope.
    pub(super) fn place_local(&mut self, variable: &Variable) -> Result<Place, ParseError> {
        let offset = self.local.next_multiple_of(variable.align);
        self.local = offset + variable.bytes.unwrap_or(0);
        self.max_local = self.max_local.max(self.local);
        if self.local > MAX_LOCAL {
            let message = format!("`{}` is too long for local memory", variable.name);
            return Err(ParseError::new(variable.line, message));
        }
        Ok(Place {
            space: Space::Local,
            content: Content::Constant(offset),
            of_call: variable.space == Space::Param,
        })
    }

    pub(super) fn instruction(&mut self, instruction: &Instruction) -> Result<(), ParseError> {
        if self.lines.len() + 1 >= MAX_INSTRUCTIONS {
            let message = format!("the kernel has more than {MAX_INSTRUCTIONS} instructions");
            return Err(ParseError::new(instruction.line, message));
        }
        let expanded = if self.names.has_vectors() {
            self.expanded(instruction)
        } else {
            None
        };
        self.decode(expanded.as_ref().unwrap_or(instruction))?;
        if let Some(line) = self.lines.last_mut() {
            line.operands = operands(&instruction.operands);
        }
        Ok(())
    }

    fn decode(&mut self, instruction: &Instruction) -> Result<(), ParseError> {
        let mut decoder = Decoder::new(&mut self.names, instruction);
        let mut op = isa::decode(&mut decoder)?;
        let uses = std::mem::take(&mut decoder.uses);
        let guard = match &instruction.guard {
            Some(guard) => Some(Condition {
                pred: decoder.condition_named(&guard.name)?,
                negated: guard.negated,
            }),
            None => None,
        };
        if let Some(end) = self.end
            && matches!(op, Op::Control(Control::Exit))
            && instruction.path[0] == "ret"
        {
            op = Op::Control(Control::Branch(end.0));
        }
        self.push(
            op,
            guard,
            uses,
            instruction.line,
            instruction.path.join("."),
        );
        Ok(())
    }

    pub(super) fn push(
        &mut self,
        op: Op,
        guard: Option<Condition>,
        uses: Uses,
        at: u32,
        text: String,
    ) {
        self.lines.push(Line {
            family: op.family(),
            is_convergent: op.is_convergent(),
            op,
            guard,
            uses,
            at,
            text,
            operands: String::new(),
            source: self.sources.current(),
            leader: false,
        });
    }

    /// Replaces vector registers by their elements.
    fn expanded(&self, instruction: &Instruction) -> Option<Instruction> {
        let elements = |operand: &Operand| match operand {
            Operand::Name(name) => {
                let (elements, _) = self.names.vector(name)?;
                let elements = elements.into_iter().map(Operand::Name).collect();
                Some(Operand::Vector(elements))
            }
            _ => None,
        };
        if !instruction.operands.iter().any(|o| elements(o).is_some()) {
            return None;
        }
        Some(Instruction {
            line: instruction.line,
            guard: instruction.guard.clone(),
            path: instruction.path.clone(),
            operands: instruction
                .operands
                .iter()
                .map(|operand| elements(operand).unwrap_or_else(|| operand.clone()))
                .collect(),
        })
    }

    /// Appends an `exit`, for control flow that reaches the end.
    fn finish(&mut self, line: u32) {
        let line = self.lines.last().map_or(line, |line| line.at);
        self.push(
            Op::Control(Control::Exit),
            None,
            Uses::default(),
            line,
            "ret".into(),
        );
        if let Some(line) = self.lines.last_mut() {
            line.leader = true;
        }
    }

    /// Replaces labels by instruction indices, and marks the starts of basic blocks.
    fn resolve(&mut self) -> Result<(), ParseError> {
        let mut leaders = vec![0];
        for (place, line) in self.lines.iter_mut().enumerate() {
            let targets: &mut [u32] = match &mut line.op {
                Op::Control(Control::Branch(target)) => std::slice::from_mut(target),
                Op::Control(Control::Indexed { targets, .. }) => targets,
                op => {
                    if op.is_convergent() {
                        leaders.extend([place, place + 1]);
                    }
                    if matches!(op, Op::Control(Control::Exit)) {
                        leaders.push(place + 1);
                    }
                    continue;
                }
            };
            for target in targets {
                let Some(position) = self.names.labels[*target as usize] else {
                    return Err(ParseError::new(line.at, "the label is not defined"));
                };
                *target = position;
                leaders.push(position as usize);
            }
            leaders.push(place + 1);
        }
        for leader in leaders {
            if let Some(line) = self.lines.get_mut(leader) {
                line.leader = true;
            }
        }
        Ok(())
    }

    fn order(&self) -> Vec<u32> {
        let starts: Vec<usize> = (0..self.lines.len())
            .filter(|&place| self.lines[place].leader)
            .collect();
        let block_of = |place: usize| starts.partition_point(|&start| start <= place) - 1;
        let successors: Vec<Vec<usize>> = (0..starts.len())
            .map(|block| {
                let end = starts.get(block + 1).copied().unwrap_or(self.lines.len());
                let last = &self.lines[end - 1];
                let mut successors = match &last.op {
                    Op::Control(Control::Branch(target)) => vec![block_of(*target as usize)],
                    Op::Control(Control::Indexed { targets, .. }) => targets
                        .iter()
                        .map(|&target| block_of(target as usize))
                        .collect(),
                    Op::Control(Control::Exit) => Vec::new(),
                    _ => vec![block + 1],
                };
                if last.guard.is_some() {
                    successors.push(block + 1);
                }
                successors.retain(|&block| block < starts.len());
                successors
            })
            .collect();
        let blocks = flow::order(&successors);
        // Basic blocks are ordered by position, and the instructions of a block are consecutive.
        let mut by_position = vec![0; blocks.len()];
        for (block, &position) in blocks.iter().enumerate() {
            by_position[position as usize] = block;
        }
        let mut order = vec![0; self.lines.len()];
        let mut next = 0;
        for block in by_position {
            let end = starts.get(block + 1).copied().unwrap_or(self.lines.len());
            for place in &mut order[starts[block]..end] {
                *place = next;
                next += 1;
            }
        }
        order
    }
}
