//! Statements to kernels: places variables, decodes instructions, resolves labels.

use super::ParseError;
use super::decoder::{Condition, Decoder};
use super::names::{Content, Names};
use super::syntax::{Entry, Instruction, Space, Statement, Variable};
use crate::isa::control::Control;
use crate::isa::{self, Op};
use crate::machine::flow;
use crate::machine::memory::GlobalVariable;
use crate::module::{Kernel, Line, Param};

/// More instructions than the checks can number.
const MOST_INSTRUCTIONS: usize = 1 << 21;
/// The most local memory of a thread (PTX ISA: 512 KB).
const MOST_LOCAL: u64 = 512 << 10;
/// More shared memory than any device has.
const MOST_SHARED: u64 = 1 << 20;

/// Reads a text.
pub(crate) fn build(text: &str) -> Result<(Vec<Kernel>, Vec<GlobalVariable>), ParseError> {
    let unit = super::parser::parse(text)?;
    let mut globals = Vec::new();
    let mut total = 0;
    let mut number = 0;
    let mut places = Vec::new();
    let mut shared = Shared::default();
    for variable in &unit.variables {
        let content = if variable.space == Space::Shared {
            shared.place(variable)?
        } else {
            let length = variable.bytes.unwrap_or(0);
            total += length;
            if total > 1 << 30 {
                let message = format!("`{}` is too long", variable.name);
                return Err(ParseError::new(variable.line, message));
            }
            let mut bytes = variable.initial.clone();
            bytes.resize(usize::try_from(length).expect("below 2^30"), 0);
            globals.push(GlobalVariable {
                bytes,
                align: variable.align,
                constant: variable.space == Space::Const,
            });
            number += 1;
            Content::Global(number - 1, 0)
        };
        places.push(content);
    }
    let mut kernels = Vec::new();
    for entry in &unit.entries {
        let mut names = Names::new(unit.version, unit.target);
        for (variable, &content) in unit.variables.iter().zip(&places) {
            names.declare_variable(variable, content)?;
        }
        kernels.push(kernel(entry, names, shared)?);
    }
    Ok((kernels, globals))
}

/// The shared memory placed so far.
#[derive(Clone, Copy)]
struct Shared {
    bytes: u64,
    dynamic_align: u64,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            bytes: 0,
            dynamic_align: 1,
        }
    }
}

impl Shared {
    fn place(&mut self, variable: &Variable) -> Result<Content, ParseError> {
        let Some(bytes) = variable.bytes else {
            self.dynamic_align = self.dynamic_align.max(variable.align);
            return Ok(Content::DynamicShared(0));
        };
        let offset = self.bytes.next_multiple_of(variable.align);
        self.bytes = offset + bytes;
        if self.bytes > MOST_SHARED {
            let message = format!("`{}` is too long", variable.name);
            return Err(ParseError::new(variable.line, message));
        }
        Ok(Content::Constant(offset))
    }
}

struct Builder {
    names: Names,
    lines: Vec<Line>,
    shared: Shared,
    local: u64,
}

fn kernel(entry: &Entry, mut names: Names, shared: Shared) -> Result<Kernel, ParseError> {
    let mut params = Vec::new();
    let mut offset = 0u64;
    names.enter();
    for param in &entry.params {
        let Some(bytes) = param.bytes else {
            let message = format!("`{}` has no length", param.name);
            return Err(ParseError::new(param.line, message));
        };
        offset = offset.next_multiple_of(param.align);
        names.declare_variable(param, Content::Constant(offset))?;
        params.push(Param {
            name: param.name.clone(),
            offset: usize::try_from(offset).expect("below 2^31"),
            bytes: usize::try_from(bytes).expect("below 2^31"),
        });
        offset += bytes;
        // PTX ISA, "Kernel Function Parameter Attributes": at most 32,764 bytes.
        if offset > 32_764 {
            let message = format!("`{}` has too many parameters", entry.name);
            return Err(ParseError::new(param.line, message));
        }
    }
    let mut builder = Builder {
        names,
        lines: Vec::new(),
        shared,
        local: 0,
    };
    builder.scope(&entry.body)?;
    builder.end(entry);
    builder.resolve()?;
    let order = builder.order();
    let independent = !builder
        .lines
        .iter()
        .any(|line| line.op.is_seen_by_other_blocks());
    let Builder {
        names,
        lines,
        shared,
        local,
    } = builder;
    let (contents, slot_names, pred_names, always) = names.finish();
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
        local_bytes: usize::try_from(local).expect("below 2^31"),
        required_threads: entry.required_threads,
        most_threads: entry.most_threads,
        independent,
    })
}

impl Builder {
    fn place(&self) -> u32 {
        u32::try_from(self.lines.len()).expect("fewer than 2^24 instructions")
    }

    fn scope(&mut self, statements: &[Statement]) -> Result<(), ParseError> {
        self.names.enter();
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
                Statement::Instruction(instruction) => self.instruction(instruction)?,
                Statement::Label(name, _) => {
                    let id = self.names.label(name).expect("declared above");
                    self.names.labels[id.0 as usize] = Some(self.place());
                }
                Statement::Registers(ty, name, count) => {
                    self.names.declare_registers(*ty, name, *count);
                }
                Statement::Variable(variable) => self.variable(variable)?,
                Statement::Scope(statements) => self.scope(statements)?,
                Statement::Targets(..) => {}
            }
        }
        self.names.leave();
        Ok(())
    }

    fn variable(&mut self, variable: &Variable) -> Result<(), ParseError> {
        if variable.space == Space::Shared {
            let content = self.shared.place(variable)?;
            return self.names.declare_variable(variable, content);
        }
        let offset = self.local.next_multiple_of(variable.align);
        self.local = offset + variable.bytes.unwrap_or(0);
        if self.local > MOST_LOCAL {
            let message = format!("`{}` is too long", variable.name);
            return Err(ParseError::new(variable.line, message));
        }
        self.names
            .declare_variable(variable, Content::Constant(offset))
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), ParseError> {
        if self.lines.len() + 1 >= MOST_INSTRUCTIONS {
            return Err(ParseError::new(instruction.line, "too many instructions"));
        }
        let mut decoder = Decoder::new(&mut self.names, instruction);
        let op = isa::decode(&mut decoder)?;
        let uses = std::mem::take(&mut decoder.uses);
        let guard = match &instruction.guard {
            Some(guard) => Some(Condition {
                pred: decoder.condition_named(&guard.name)?,
                negated: guard.negated,
            }),
            None => None,
        };
        self.lines.push(Line {
            op,
            guard,
            uses,
            at: instruction.line,
            text: instruction.path.join("."),
            leader: false,
        });
        Ok(())
    }

    /// What falls off the end has ended.
    fn end(&mut self, entry: &Entry) {
        let line = self.lines.last().map_or(entry.line, |line| line.at);
        self.lines.push(Line {
            op: Op::Control(Control::Exit),
            guard: None,
            uses: super::decoder::Uses::default(),
            at: line,
            text: "ret".into(),
            leader: true,
        });
    }

    /// Labels become places, and places where groups of lanes may meet are marked.
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
                    if matches!(op, Op::Control(Control::Exit)) && place + 1 < usize::MAX {
                        leaders.push(place + 1);
                    }
                    continue;
                }
            };
            for target in targets {
                let Some(found) = self.names.labels[*target as usize] else {
                    return Err(ParseError::new(line.at, "the label is not set"));
                };
                *target = found;
                leaders.push(found as usize);
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
        // Blocks by position, then instructions one after the other.
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
