//! Calls, which are inlined.
//!
//! Each call has its own registers, labels, parameters and local memory; the shared variables of a
//! function are the same in all calls. A `.param` parameter is the variable of the caller; a
//! register parameter is a register of the call.

use super::kernel::Builder;
use super::{Text, formal_name};
use crate::isa::Op;
use crate::isa::calls::{self, External};
use crate::isa::control::Control;
use crate::isa::stack::StackOp;
use crate::isa::types::Type;
use crate::parse::ParseError;
use crate::parse::decoder::{Condition, Uses};
use crate::parse::names::{Content, LabelId, Place, Register};
use crate::parse::syntax::{
    Call, Formal, Function, Guard, Instruction, Operand, RegisterKind, Registers, Statement,
    Variable, operands,
};

/// The maximum depth of nested calls.
const MAX_DEPTH: usize = 48;
/// The maximum number of calls of a kernel, including those in the functions it calls.
pub(super) const MAX_CALLS: usize = 1 << 18;

/// The location of an actual parameter.
enum Actual {
    Param(Place),
    Register(Register),
}

impl<'a> Builder<'a> {
    pub(super) fn call(&mut self, call: &'a Call) -> Result<(), ParseError> {
        let name = call.function.as_str();
        let fail = |message: String| Err(ParseError::new(call.line, message));
        let Some(function) = self.function(name) else {
            if self.names.register(name).is_some() {
                return fail(format!(
                    "`call`: calls through a register (`{name}`) are not supported: call a function by its name"
                ));
            }
            return fail(format!("`call`: function `{name}` is not declared"));
        };
        if call.prototype.is_some() {
            return fail(format!(
                "`call`: a direct call of `{name}` has no prototype"
            ));
        }
        let (returns, args) = (function.returns.len(), function.params.len());
        if (call.returns.len(), call.args.len()) != (returns, args) {
            return fail(format!(
                "`call`: `{name}` has {args} parameters and {returns} results, found {} and {}",
                call.args.len(),
                call.returns.len()
            ));
        }
        if self.stack.contains(&function.name.as_str()) {
            return fail(format!(
                "`call`: `{name}` calls itself: recursion is not supported"
            ));
        }
        if self.stack.len() >= MAX_DEPTH {
            return fail(format!("`call`: calls are nested deeper than {MAX_DEPTH}"));
        }
        if self.calls >= MAX_CALLS {
            return fail(format!(
                "`call`: the kernel makes more than {MAX_CALLS} calls, all of which are inlined"
            ));
        }
        let external = match (&function.body, External::from_name(name)) {
            (Some(_), _) => None,
            (None, Some(external)) => Some(external),
            (None, None) => {
                return fail(format!(
                    "`call`: `{name}` is external: its definition must be in this text"
                ));
            }
        };
        self.calls += 1;
        // A guarded call becomes a branch around the inlined body.
        let skip = self.begin(call)?;
        let local = self.local;
        let mut actuals = Vec::with_capacity(args + returns);
        for (formal, actual) in function.params.iter().zip(&call.args) {
            actuals.push(self.passed(call, formal, actual)?);
        }
        for (formal, result) in function.returns.iter().zip(&call.returns) {
            // A `.param` result is written in place; a register result needs a temporary.
            let place = self.param_place(result)?;
            actuals.push(match (formal, place) {
                (Formal::Param(_), Some(place)) => Actual::Param(place),
                _ => self.room(call, formal)?,
            });
        }
        match external {
            Some(external) => self.external(call, external, &actuals)?,
            None => self.inline(call, function, &actuals)?,
        }
        for ((formal, result), from) in function
            .returns
            .iter()
            .zip(&call.returns)
            .zip(&actuals[args..])
        {
            self.returned(call, formal, result, from)?;
        }
        if let Some(skip) = skip {
            self.set_label(skip);
        }
        self.local = local;
        Ok(())
    }

    fn function(&self, name: &str) -> Option<&'a Function> {
        let text: &'a Text<'a> = self.text;
        text.functions.get(name).copied()
    }

    /// Attributes the last instruction to a call.
    fn names_call(&mut self, call: &Call) {
        if let Some(line) = self.lines.last_mut() {
            let args = operands(&call.args);
            line.operands = match &call.returns[..] {
                [] => format!("{}, ({args})", call.function),
                returns => format!("({}), {}, ({args})", operands(returns), call.function),
            };
        }
    }

    /// Emits the instruction for the call itself. Returns the label to which lanes outside the
    /// guard branch.
    fn begin(&mut self, call: &Call) -> Result<Option<LabelId>, ParseError> {
        let text = if call.uniform { "call.uni" } else { "call" };
        let Some(Guard { negated, name }) = &call.guard else {
            let nothing = Op::Control(Control::Nothing);
            self.push(nothing, None, Uses::default(), call.line, text.into());
            self.names_call(call);
            return Ok(None);
        };
        let Some(pred) = self.names.pred(name) else {
            let message = format!("`{text}`: `{name}` is not a declared predicate");
            return Err(ParseError::new(call.line, message));
        };
        let skip = self.names.fresh_label();
        let guard = Condition {
            pred,
            negated: !negated,
        };
        let mut uses = Uses::default();
        uses.pred_reads.push(pred);
        let branch = Op::Control(Control::Branch(skip.0));
        self.push(branch, Some(guard), uses, call.line, text.into());
        self.names_call(call);
        Ok(Some(skip))
    }

    /// Emits an instruction that implements the call.
    fn implied(
        &mut self,
        call: &Call,
        path: &[&str],
        operands: [Operand; 2],
    ) -> Result<(), ParseError> {
        self.instruction(&Instruction {
            line: call.line,
            guard: None,
            path: path.iter().map(|&part| part.to_owned()).collect(),
            operands: operands.into(),
        })
    }

    /// Returns a name that cannot occur in PTX.
    fn temporary(&self) -> String {
        format!("call.{}.{}", self.lines.len(), self.local)
    }

    /// Returns the location in which the function finds a parameter.
    fn passed(
        &mut self,
        call: &Call,
        formal: &Formal,
        actual: &Operand,
    ) -> Result<Actual, ParseError> {
        let place = self.param_place(actual)?;
        if let (Formal::Param(_), Some(place)) = (formal, place) {
            return Ok(Actual::Param(place));
        }
        let room = self.room(call, formal)?;
        let name = self.temporary();
        self.declare(call, &name, &room)?;
        match formal {
            Formal::Param(variable) => {
                let Some(ty) = word(variable) else {
                    let message = format!("`call`: `{}` takes a variable", variable.name);
                    return Err(ParseError::new(call.line, message));
                };
                let address = Operand::Address(Box::new(Operand::Name(name)), 0);
                self.implied(call, &["st", "param", ty], [address, actual.clone()])?;
            }
            Formal::Register(ty, _) => {
                let ty = type_word(*ty);
                let to = Operand::Name(name);
                match (place, actual) {
                    (Some(_), Operand::Name(param)) => {
                        let address = Operand::Address(Box::new(Operand::Name(param.clone())), 0);
                        self.implied(call, &["ld", "param", ty], [to, address])?;
                    }
                    _ => self.implied(call, &["mov", ty], [to, actual.clone()])?,
                }
            }
        }
        Ok(room)
    }

    /// Returns the caller's `.param` variable, if the operand is one.
    fn param_place(&mut self, operand: &Operand) -> Result<Option<Place>, ParseError> {
        let Operand::Name(name) = operand else {
            return Ok(None);
        };
        let place = self.names.variable(name)?;
        Ok(place.filter(|place| place.of_call))
    }

    /// Allocates a variable or register for a formal parameter.
    fn room(&mut self, call: &Call, formal: &Formal) -> Result<Actual, ParseError> {
        match formal {
            Formal::Param(variable) => Ok(Actual::Param(self.place_local(variable)?)),
            Formal::Register(ty, _) => {
                self.names.enter();
                self.names.declare_registers(&Registers {
                    kind: RegisterKind::One(*ty),
                    name: "call".into(),
                    count: None,
                });
                let register = self.names.register("call");
                self.names.leave();
                match register {
                    Some(register) => Ok(Actual::Register(register)),
                    None => Err(ParseError::new(call.line, "`call`: no register is left")),
                }
            }
        }
    }

    fn declare(&mut self, call: &Call, name: &str, actual: &Actual) -> Result<(), ParseError> {
        match actual {
            Actual::Param(place) => self
                .names
                .declare_place(name, *place)
                .map_err(|message| ParseError::new(call.line, message)),
            Actual::Register(register) => {
                self.names.declare_as(name, *register);
                Ok(())
            }
        }
    }

    fn inline(
        &mut self,
        call: &'a Call,
        function: &'a Function,
        actuals: &[Actual],
    ) -> Result<(), ParseError> {
        let calling = self.names.enter_function();
        let end = self.names.fresh_label();
        let outer_end = self.end.replace(end);
        let sources = self.sources.called();
        let outer_sources = std::mem::replace(&mut self.sources, sources);
        self.stack.push(&function.name);
        let formals = function.params.iter().chain(&function.returns);
        let mut result = Ok(());
        for (formal, actual) in formals.zip(actuals) {
            result = result.and_then(|()| self.declare(call, formal_name(formal), actual));
        }
        let body = function.body.as_deref().unwrap_or_default();
        // Allocations of a function are freed when it returns.
        let pointer = allocates(body).then(|| self.names.scratch());
        if let Some(dest) = pointer {
            self.frame(call, StackOp::Save { dest });
        }
        result = result.and_then(|()| self.scope(body));
        self.set_label(end);
        if let Some(pointer) = pointer {
            self.frame(call, StackOp::Restore { pointer });
        }
        self.stack.pop();
        self.sources = outer_sources;
        self.end = outer_end;
        self.names.leave_function(calling);
        result
    }

    fn frame(&mut self, call: &Call, op: StackOp) {
        let text = "call".into();
        self.push(Op::Stack(op), None, Uses::default(), call.line, text);
    }

    /// Emits a call of a runtime function.
    fn external(
        &mut self,
        call: &Call,
        external: External,
        actuals: &[Actual],
    ) -> Result<(), ParseError> {
        let mut offsets = Vec::with_capacity(actuals.len());
        for actual in actuals {
            if let Actual::Param(Place {
                content: Content::Constant(offset),
                ..
            }) = actual
            {
                offsets.push(*offset);
            } else {
                let message = format!("`call`: `{}` has parameters in registers", call.function);
                return Err(ParseError::new(call.line, message));
            }
        }
        let Some(op) = calls::Call::new(external, &offsets) else {
            let message = format!("`call`: `{}` has other parameters", call.function);
            return Err(ParseError::new(call.line, message));
        };
        self.push(
            op.into(),
            None,
            Uses::default(),
            call.line,
            format!("call {}", call.function),
        );
        Ok(())
    }

    /// Moves a result to the operand of the caller.
    fn returned(
        &mut self,
        call: &Call,
        formal: &Formal,
        result: &Operand,
        from: &Actual,
    ) -> Result<(), ParseError> {
        if *result == Operand::Name("_".into()) {
            return Ok(());
        }
        let name = self.temporary();
        let target = self.param_place(result)?;
        match (formal, target) {
            // The function has written to the caller's variable.
            (Formal::Param(_), Some(_)) => Ok(()),
            (Formal::Param(variable), None) => {
                self.declare(call, &name, from)?;
                let Some(ty) = word(variable) else {
                    let message = format!("`call`: `{}` needs a variable", variable.name);
                    return Err(ParseError::new(call.line, message));
                };
                let address = Operand::Address(Box::new(Operand::Name(name)), 0);
                self.implied(call, &["ld", "param", ty], [result.clone(), address])
            }
            (Formal::Register(ty, _), target) => {
                self.declare(call, &name, from)?;
                let ty = type_word(*ty);
                let from = Operand::Name(name);
                if target.is_some() {
                    let address = Operand::Address(Box::new(result.clone()), 0);
                    return self.implied(call, &["st", "param", ty], [address, from]);
                }
                self.implied(call, &["mov", ty], [result.clone(), from])
            }
        }
    }
}

/// Returns `true` if the statements contain an `alloca`.
fn allocates(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Instruction(instruction) => instruction.path[0] == "alloca",
        Statement::Scope(statements) => allocates(statements),
        _ => false,
    })
}

/// Returns the type suffix for a parameter that is passed in a register.
fn word(variable: &Variable) -> Option<&'static str> {
    match variable.bytes? {
        1 => Some("b8"),
        2 => Some("b16"),
        4 => Some("b32"),
        8 => Some("b64"),
        _ => None,
    }
}

fn type_word(ty: Type) -> &'static str {
    match ty.total_bits() {
        1 => "pred",
        16 => "b16",
        32 => "b32",
        _ => "b64",
    }
}
