//! The syntax tree of the accepted subset of Rust, without syn.
//!
//! Every node has a location that covers all of its tokens. A construct that was refused has been
//! reported and is [`ExprKind::Error`] or [`Type::Error`] in the tree.

mod text;

pub(crate) use self::text::{full_text, generics_text, operand_text, text};

use crate::hir::Float;
use crate::hir::signature::HostScalar;
use tile_core::Loc;

/// A name and its location.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// The identifier, without `r#`.
    pub(crate) text: String,
    /// The location of the identifier.
    pub(crate) loc: Loc,
}

/// A whole kernel.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// Its name.
    pub(crate) name: Name,
    /// Type parameters, without the bound.
    pub(crate) type_params: Vec<Name>,
    /// Const parameters with their types.
    pub(crate) const_params: Vec<(Name, HostScalar)>,
    /// Value parameters.
    pub(crate) params: Vec<Param>,
    /// Names of parameters whose type was refused: using one is not reported again.
    pub(crate) refused_params: Vec<Name>,
    /// The grid of the attribute.
    pub(crate) grid: crate::check::GridAxes,
    /// The quantity that each axis of that grid counts.
    pub(crate) counted: Vec<crate::grid_tiles::Counted>,
    /// `true` for an `unsafe fn`.
    pub(crate) is_unsafe: bool,
    /// `true` if there is a return type, which was refused.
    pub(crate) has_return_type: bool,
    /// `true` if nothing of the kernel was refused.
    pub(crate) understood: bool,
    /// The statements.
    pub(crate) body: Block,
}

/// A value parameter.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    /// Its name.
    pub(crate) name: Name,
    /// `true` for `mut name: ..`.
    pub(crate) rebindable: bool,
    /// The kind of the parameter.
    pub(crate) kind: crate::hir::signature::ParamKind,
}

/// `{ .. }`
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Everything but the tail.
    pub(crate) stmts: Vec<Stmt>,
    /// The expression without semicolon at the end.
    pub(crate) tail: Option<Box<Expr>>,
    /// The braces.
    pub(crate) loc: Loc,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Stmt {
    /// `let pat: ty = init;`
    Let {
        /// The pattern that the statement binds.
        pat: Pat,
        /// The annotation.
        ty: Option<Type>,
        /// The value, if it is given here.
        init: Option<Expr>,
    },
    /// `expr;`
    Expr(Expr),
}

/// A pattern.
#[derive(Clone, Debug)]
pub(crate) enum Pat {
    /// `name` or `mut name`
    Name {
        /// The variable.
        name: Name,
        /// `true` for `mut`.
        mutable: bool,
    },
    /// `_`
    Wild(Loc),
    /// `(a, b)`
    Tuple(Vec<Pat>, Loc),
    /// `..` among the elements of a tuple.
    Rest(Loc),
    /// `name @ pat`
    At {
        /// The variable.
        name: Name,
        /// `true` for `mut`.
        mutable: bool,
        /// The pattern that the value must also match.
        pat: Box<Pat>,
    },
    /// A number, `true`, `false` or a constant with more than one segment.
    Value(Box<Expr>),
    /// `low..=high`, `low..high`, `low..`, `..=high`, `..high`
    Range {
        /// The smallest value.
        low: Option<Box<Expr>>,
        /// The end.
        high: Option<Box<Expr>>,
        /// `true` if the end belongs to the range.
        inclusive: bool,
        /// The location of the range.
        loc: Loc,
    },
    /// `a | b`
    Or(Vec<Pat>, Loc),
}

impl Pat {
    /// Returns the location of the pattern.
    pub(crate) fn loc(&self) -> Loc {
        match self {
            Pat::Name { name, .. } | Pat::At { name, .. } => name.loc,
            Pat::Value(value) => value.loc,
            Pat::Wild(loc)
            | Pat::Tuple(_, loc)
            | Pat::Rest(loc)
            | Pat::Range { loc, .. }
            | Pat::Or(_, loc) => *loc,
        }
    }
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// The pattern of the arm.
    pub(crate) pat: Pat,
    /// `if ..` after the pattern.
    pub(crate) guard: Option<Expr>,
    /// The value of the arm.
    pub(crate) body: Expr,
}

/// The range of a `for` loop.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    /// The first value.
    pub(crate) low: Box<Expr>,
    /// The end.
    pub(crate) high: Box<Expr>,
    /// `true` if the end belongs to the range.
    pub(crate) inclusive: bool,
    /// The methods after the range, in order.
    pub(crate) adapters: Vec<Adapter>,
}

/// A method of a range.
#[derive(Clone, Debug)]
pub(crate) enum Adapter {
    /// `.rev()`
    Rev,
    /// `.step_by(k)`
    StepBy(Box<Expr>),
    /// `.unroll()`
    Unroll,
}

/// A type.
#[derive(Clone, Debug)]
pub(crate) enum Type {
    /// A number type, a type parameter, or the path of an alias or a struct.
    Name(Name),
    /// An alias or a struct with generic arguments.
    Generic(Name, Vec<GenericArg>, Loc),
    /// `&Tensor<f32, 2>`
    Tensor {
        /// The type of the elements.
        element: Name,
        /// The number of axes.
        rank: Box<Expr>,
        /// `true` for `&mut`.
        mutable: bool,
        /// The location of the type.
        loc: Loc,
    },
    /// `Partition<f32, { [64, 64] }>`
    Partition(Name, Vec<Expr>, Loc),
    /// `Tile<f32, { [64, 64] }>`
    Tile(Name, Vec<Expr>, Loc),
    /// `(A, B)`
    Tuple(Vec<Type>, Loc),
    /// `_`
    Infer,
    /// A type that was refused and reported.
    Error,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// The kind of the expression.
    pub(crate) kind: ExprKind,
    /// The location of the expression.
    pub(crate) loc: Loc,
}

/// A generic argument after `::`.
#[derive(Clone, Debug)]
pub(crate) enum GenericArg {
    /// A type.
    Type(Type),
    /// A constant.
    Const(Expr),
}

/// The kind of an expression.
#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// `42_i64`
    Int(u128, Option<HostScalar>),
    /// `1.5_f32`
    Float(Float, Option<HostScalar>),
    /// `true`
    Bool(bool),
    /// `x`, or `Padding::NegInf`
    Path(Vec<Name>),
    /// `State::<8>::WIDTH`: a constant of a type, whose path without generics follows.
    Associated(Box<Type>, Vec<Name>),
    /// `-x` and `!x`
    Unary(UnaryOp, Box<Expr>),
    /// `x + y`
    Binary(BinaryOp, Loc, Box<Expr>, Box<Expr>),
    /// `x = y`
    Assign(Box<Expr>, Box<Expr>),
    /// `x += y`
    AssignOp(BinaryOp, Loc, Box<Expr>, Box<Expr>),
    /// `x as i64`
    Cast(Box<Expr>, Type),
    /// `zeros::<f32>([64])`
    Call {
        /// The path of the function.
        path: Vec<Name>,
        /// The type that the function belongs to, if the path has more than its name, as in
        /// `State::<8>::new()`.
        owner: Option<Box<Type>>,
        /// The generic arguments after `::`.
        generics: Vec<GenericArg>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `x.sum(1)`
    Method {
        /// The expression before the dot.
        receiver: Box<Expr>,
        /// The name after the dot.
        name: Name,
        /// The generic arguments after `::`.
        generics: Vec<GenericArg>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `x.0`
    Field(Box<Expr>, u32),
    /// `x.name`
    Member(Box<Expr>, Name),
    /// `x[i]`, which the language does not have; its help depends on the type of `x`.
    Index(Box<Expr>, Subscript),
    /// `Name { field: value, ..base }`
    Struct {
        /// The path of the struct.
        name: Name,
        /// The fields that are given.
        fields: Vec<(Name, Expr)>,
        /// The struct that the other fields are taken from.
        base: Option<Box<Expr>>,
    },
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `{ .. }`
    Block(Block),
    /// `unsafe { .. }`
    Unsafe(Block),
    /// `for i in parallel(0..n) { .. }`, or one with a result.
    Parallel(Box<Parallel>),
    /// `if c { .. } else { .. }`
    If {
        /// The condition.
        cond: Box<Expr>,
        /// The block if the condition holds.
        then: Block,
        /// The block, or another `if`, if it does not.
        other: Option<Box<Expr>>,
    },
    /// `'label: for pat in low..high { .. }`
    For {
        /// Its label.
        label: Option<Name>,
        /// The loop variable.
        pat: Pat,
        /// The range of the loop.
        range: Range,
        /// The body.
        body: Block,
    },
    /// `|a, b| ..`
    Closure(Box<Closure>),
    /// `assert!(..)`
    Macro(Box<MacroCall>),
    /// `'label: while cond { .. }`
    While {
        /// Its label.
        label: Option<Name>,
        /// Evaluated before each iteration.
        cond: Box<Expr>,
        /// The body.
        body: Block,
    },
    /// `'label: loop { .. }`
    Loop {
        /// Its label.
        label: Option<Name>,
        /// The body.
        body: Block,
    },
    /// `'label: { .. }`
    Labelled(Name, Block),
    /// `break 'label value`
    Break {
        /// The label of the loop or block to leave, if it is not the innermost loop.
        label: Option<Name>,
        /// The value of the loop or block.
        value: Option<Box<Expr>>,
    },
    /// `continue 'label`
    Continue(Option<Name>),
    /// `return value`
    Return(Option<Box<Expr>>),
    /// `match value { .. }`
    Match(Box<Expr>, Vec<Arm>),
    /// An expression that was refused and reported.
    Error,
}

/// The index between the brackets after a value.
#[derive(Clone, Debug)]
pub(crate) enum Subscript {
    /// `i`, or `(i, j)`.
    At(Box<Expr>),
    /// `low..high`
    Range(Option<Box<Expr>>, Option<Box<Expr>>),
}

/// A parallel loop.
#[derive(Clone, Debug)]
pub(crate) struct Parallel {
    /// The first number of each range, and its end.
    pub(crate) ranges: Vec<[Expr; 2]>,
    /// The loop variables.
    pub(crate) pat: Pat,
    /// The work or the value of one iteration.
    pub(crate) body: Expr,
    /// The reduction over the values of the iterations.
    pub(crate) reduction: Option<Reduction>,
}

/// `.reduce(init, |left, right| value)`
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    /// The initial value.
    pub(crate) init: Expr,
    /// The name of the left operand.
    pub(crate) left: Pat,
    /// The name of the right operand.
    pub(crate) right: Pat,
    /// The combination of both operands.
    pub(crate) value: Expr,
}

/// A closure.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// Its parameters, with their annotations.
    pub(crate) params: Vec<(Pat, Option<Type>)>,
    /// The value of the closure.
    pub(crate) body: Expr,
}

/// A call of a macro of the kernel language.
#[derive(Clone, Debug)]
pub(crate) enum MacroCall {
    /// `tile_print!("x = {}", x)`
    Print {
        /// The format, whose values are indices into `args`.
        pieces: Vec<Piece>,
        /// The values that are printed.
        args: Vec<Expr>,
    },
    /// `assert!(cond, "message")`
    Assert {
        /// The condition that must hold.
        cond: Expr,
        /// The message if the condition does not hold.
        message: String,
    },
    /// `assume!(cond)`
    Assume(Expr),
    /// `ptx!("..", d = out(u32), a = in(x))`
    Ptx(Box<Ptx>),
}

/// Inline PTX.
#[derive(Clone, Debug)]
pub(crate) struct Ptx {
    /// The text.
    pub(crate) text: Vec<PtxPiece>,
    /// The text as written, with one literal per line.
    pub(crate) written: String,
    /// The operands, in source order.
    pub(crate) operands: Vec<PtxOperand>,
    /// Number of elements that one execution of the text processes.
    pub(crate) pack: Option<Expr>,
    /// `true` if the outputs depend on the inputs alone and the text has no other effect.
    pub(crate) pure: bool,
    /// A closure over the inputs that the CPU device evaluates instead.
    pub(crate) cpu: Option<Expr>,
    /// The location of the start of the text.
    pub(crate) loc: Loc,
}

/// A piece of inline PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PtxPiece {
    /// Text as written, with braces doubled.
    Text(String),
    /// `{a}` or `{a[1]}`
    Operand {
        /// The index of the operand.
        index: usize,
        /// The index of one of its registers, if the text gives one.
        register: Option<usize>,
    },
}

/// An operand of inline PTX.
#[derive(Clone, Debug)]
pub(crate) struct PtxOperand {
    /// The name, or the number of an operand without a name.
    pub(crate) name: String,
    /// The kind of the operand.
    pub(crate) kind: PtxKind,
}

/// The direction of an operand.
#[derive(Clone, Debug)]
pub(crate) enum PtxKind {
    /// `in(value)`
    In(Expr),
    /// `out(Type)`, and the location of the type.
    Out(Type, Loc),
    /// `inout(value)` or `inout(value => Type)`
    InOut(Expr, Option<(Type, Loc)>),
    /// `const value`
    Const(Expr),
}

impl Ptx {
    /// Returns every expression of the call.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let values = self
            .operands
            .iter()
            .filter_map(|operand| match &operand.kind {
                PtxKind::In(value) | PtxKind::InOut(value, _) | PtxKind::Const(value) => {
                    Some(value)
                }
                PtxKind::Out(..) => None,
            });
        values.chain(&self.pack).chain(&self.cpu)
    }

    /// Returns every type of the call.
    pub(crate) fn types(&self) -> impl Iterator<Item = &Type> {
        self.operands
            .iter()
            .filter_map(|operand| match &operand.kind {
                PtxKind::Out(ty, _) | PtxKind::InOut(_, Some((ty, _))) => Some(ty),
                PtxKind::InOut(_, None) | PtxKind::In(_) | PtxKind::Const(_) => None,
            })
    }
}

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text that is printed unchanged.
    Text(String),
    /// A value between braces.
    Value {
        /// The value.
        arg: FormatArg,
        /// The specification of how to print it.
        spec: FormatSpec,
    },
}

/// The value of a pair of braces; a number once the format is parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FormatArg {
    /// The next value in order.
    Next,
    /// A variable.
    Named(String),
    /// A value by its number.
    Number(usize),
}

/// The specification of a value's format, in terms of `printf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FormatSpec {
    /// `-`, `+`, `0`
    pub(crate) flags: String,
    /// Width and precision.
    pub(crate) size: String,
    /// `true` if there is a precision.
    pub(crate) has_precision: bool,
    /// The notation.
    pub(crate) kind: FormatKind,
}

/// A notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormatKind {
    /// The default notation.
    Display,
    /// `x`
    LowerHex,
    /// `X`
    UpperHex,
    /// `o`
    Octal,
    /// `e`
    LowerExp,
    /// `E`
    UpperExp,
}

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// An infix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl UnaryOp {
    /// Returns the token.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
        }
    }
}

impl BinaryOp {
    /// Returns the precedence, as in Rust.
    fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 0,
            BinaryOp::And => 1,
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => 2,
            BinaryOp::BitOr => 3,
            BinaryOp::BitXor => 4,
            BinaryOp::BitAnd => 5,
            BinaryOp::Shl | BinaryOp::Shr => 6,
            BinaryOp::Add | BinaryOp::Sub => 7,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 8,
        }
    }

    /// Returns the token.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }

    /// Returns `true` if the result is a `bool` of the operands' shape.
    pub(crate) fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        )
    }
}
