//! Writes the LLVM IR of a function, with operators for its instructions.
//!
//! A [`Value`] is a vector of any number of lanes, or a scalar. An operation on values appends an instruction to the
//! [`Code`] that they belong to. A number beside a value means that number in every lane.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Write as _};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

use crate::cpu::Level;

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    F16,
    F32,
    F64,
    /// An integer of so many bits.
    Int(u32),
}

impl Element {
    pub(super) fn bits(self) -> u32 {
        match self {
            Self::F16 => 16,
            Self::F32 => 32,
            Self::F64 => 64,
            Self::Int(bits) => bits,
        }
    }

    fn is_float(self) -> bool {
        !matches!(self, Self::Int(_))
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::F16 => f.write_str("half"),
            Self::F32 => f.write_str("float"),
            Self::F64 => f.write_str("double"),
            Self::Int(bits) => write!(f, "i{bits}"),
        }
    }
}

/// A type: a scalar if there is one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub(super) element: Element,
    pub(super) lanes: u32,
}

impl Type {
    /// Returns the suffix of names of intrinsics.
    fn suffix(self) -> String {
        let element = match self.element {
            Element::F16 => "f16".to_owned(),
            Element::F32 => "f32".to_owned(),
            Element::F64 => "f64".to_owned(),
            Element::Int(bits) => format!("i{bits}"),
        };
        match self.lanes {
            1 => element,
            lanes => format!("v{lanes}{element}"),
        }
    }

    fn with(self, element: Element) -> Self {
        Self { element, ..self }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lanes {
            1 => write!(f, "{}", self.element),
            lanes => write!(f, "<{lanes} x {}>", self.element),
        }
    }
}

#[derive(Clone, Copy)]
enum Operand {
    Name(u32),
    Float(f64),
    Int(u128),
    Undefined,
}

/// The instructions of a function.
pub(super) struct Code {
    text: RefCell<String>,
    next: Cell<u32>,
    /// The number of the current block; `None` is the entry.
    block: Cell<Option<u32>>,
    pub(super) level: Level,
}

/// The result of an instruction, or a constant.
#[derive(Clone, Copy)]
pub(super) struct Value<'c> {
    code: &'c Code,
    pub(super) ty: Type,
    operand: Operand,
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let splat = |f: &mut fmt::Formatter<'_>, constant: fmt::Arguments<'_>| match self.ty.lanes {
            1 => write!(f, "{constant}"),
            _ => write!(f, "splat ({} {constant})", self.ty.element),
        };
        match self.operand {
            Operand::Name(number) => write!(f, "%v{number}"),
            // The bits of the f64 denote numbers of f32 as well.
            Operand::Float(number) => splat(f, format_args!("0x{:016X}", number.to_bits())),
            Operand::Int(number) => splat(f, format_args!("{number}")),
            Operand::Undefined => f.write_str("poison"),
        }
    }
}

impl Code {
    pub(super) fn new(level: Level) -> Self {
        Self {
            text: RefCell::default(),
            next: Cell::new(0),
            block: Cell::new(None),
            level,
        }
    }

    /// Returns the text of all instructions.
    pub(super) fn into_text(self) -> String {
        self.text.into_inner()
    }

    fn number(&self) -> u32 {
        self.next.replace(self.next.get() + 1)
    }

    /// Returns a parameter of the function.
    pub(super) fn parameter(&self, ty: Type) -> Value<'_> {
        self.value(ty, Operand::Name(self.number()))
    }

    fn value(&self, ty: Type, operand: Operand) -> Value<'_> {
        Value {
            code: self,
            ty,
            operand,
        }
    }

    fn line(&self, line: fmt::Arguments<'_>) {
        let mut text = self.text.borrow_mut();
        let _ = writeln!(text, "  {line}");
    }

    /// Appends an instruction with a result.
    pub(super) fn instruction(&self, ty: Type, text: fmt::Arguments<'_>) -> Value<'_> {
        let number = self.number();
        self.line(format_args!("%v{number} = {text}"));
        self.value(ty, Operand::Name(number))
    }

    /// Appends a call. Intrinsics need no declaration.
    pub(super) fn call(&self, ty: Type, name: &str, arguments: &[Value<'_>]) -> Value<'_> {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| format!("{} {argument}", argument.ty))
            .collect();
        let arguments = arguments.join(", ");
        self.instruction(ty, format_args!("call {ty} @{name}({arguments})"))
    }

    pub(super) fn ret(&self, value: Value<'_>) {
        self.line(format_args!("ret {} {value}", value.ty));
    }

    fn label(block: Option<u32>) -> String {
        block.map_or_else(|| "%entry".to_owned(), |block| format!("%b{block}"))
    }

    fn start(&self, block: u32) {
        let _ = writeln!(self.text.borrow_mut(), "b{block}:");
        self.block.set(Some(block));
    }

    fn jump(&self, block: u32) {
        self.line(format_args!("br label %b{block}"));
    }

    fn branch(&self, condition: Value<'_>, then: u32, other: u32, metadata: &str) {
        self.line(format_args!(
            "br i1 {condition}, label %b{then}, label %b{other}{metadata}"
        ));
    }

    /// Returns `usual`, or what `rare` computes if `condition`, an `i1`, is true.
    pub(super) fn rarely<'c, const N: usize>(
        &'c self,
        condition: Value<'c>,
        usual: [Value<'c>; N],
        rare: impl FnOnce() -> [Value<'c>; N],
    ) -> [Value<'c>; N] {
        let before = self.block.get();
        let (then, join) = (self.number(), self.number());
        let metadata = ", !prof !{!\"branch_weights\", i32 1, i32 2000}";
        self.branch(condition, then, join, metadata);
        self.start(then);
        let rare = rare();
        let after = self.block.get();
        self.jump(join);
        self.start(join);
        let mut results = usual;
        for (result, (usual, rare)) in results.iter_mut().zip(usual.into_iter().zip(rare)) {
            *result = self.instruction(
                usual.ty,
                format_args!(
                    "phi {} [ {usual}, {} ], [ {rare}, {} ]",
                    usual.ty,
                    Self::label(before),
                    Self::label(after)
                ),
            );
        }
        results
    }

    /// Repeats `body` on `state` until its second result, an `i1`, is false.
    pub(super) fn repeat<'c, const N: usize>(
        &'c self,
        state: [Value<'c>; N],
        body: impl FnOnce([Value<'c>; N]) -> ([Value<'c>; N], Value<'c>),
    ) -> [Value<'c>; N] {
        let before = self.block.get();
        let (head, exit) = (self.number(), self.number());
        self.jump(head);
        self.start(head);
        let phis = state.map(|value| self.value(value.ty, Operand::Name(self.number())));
        // The loop's own values are known only after its body is written.
        let rest = std::mem::take(&mut *self.text.borrow_mut());
        let (next, is_more) = body(phis);
        let after = self.block.get();
        self.branch(is_more, head, exit, "");
        let body = std::mem::replace(&mut *self.text.borrow_mut(), rest);
        for ((phi, first), next) in phis.into_iter().zip(state).zip(next) {
            self.line(format_args!(
                "{phi} = phi {} [ {first}, {} ], [ {next}, {} ]",
                phi.ty,
                Self::label(before),
                Self::label(after)
            ));
        }
        self.text.borrow_mut().push_str(&body);
        self.start(exit);
        next
    }

    /// Computes `body` of the lanes of `arguments` in which `condition` is true, one after the other, and puts its results
    /// into these lanes of `results`.
    pub(super) fn in_lanes<'c, const N: usize, const M: usize>(
        &'c self,
        condition: Value<'c>,
        arguments: [Value<'c>; N],
        results: [Value<'c>; M],
        body: impl FnOnce([Value<'c>; N]) -> [Value<'c>; M],
    ) -> [Value<'c>; M] {
        let lanes = condition.ty.lanes;
        if lanes == 1 {
            let inside = body(arguments);
            let mut merged = results;
            for (result, (inside, outside)) in
                merged.iter_mut().zip(inside.into_iter().zip(results))
            {
                *result = condition.select(inside, outside);
            }
            return merged;
        }
        let zero = self.value(INDEX, Operand::Int(0));
        // An array of N + 1 values cannot be named, so the lane is counted in a variable of its own.
        let mut state = vec![zero];
        state.extend(results);
        let counted = self.repeat_all(&state, |state| {
            let lane = state[0];
            let is_meant = condition.lane(lane);
            let scalars = arguments.map(|argument| argument.lane(lane));
            let before: [Value<'c>; M] = std::array::from_fn(|i| state[i + 1]);
            let after = self.rarely(is_meant, before, || {
                let inside = body(scalars);
                std::array::from_fn(|i| before[i].with_lane(lane, inside[i]))
            });
            let next = lane + 1;
            let mut state = vec![next];
            state.extend(after);
            (state, next.below(u64::from(lanes)))
        });
        std::array::from_fn(|i| counted[i + 1])
    }

    /// As [`Code::repeat`], for any number of values.
    fn repeat_all<'c>(
        &'c self,
        state: &[Value<'c>],
        body: impl FnOnce(&[Value<'c>]) -> (Vec<Value<'c>>, Value<'c>),
    ) -> Vec<Value<'c>> {
        // Eight values suffice for every function; the unused ones are constants, which LLVM removes.
        let zero = self.value(INDEX, Operand::Int(0));
        let padded: [Value<'c>; 8] = std::array::from_fn(|i| state.get(i).copied().unwrap_or(zero));
        let results = self.repeat(padded, |values| {
            let (next, is_more) = body(&values[..state.len()]);
            let next = std::array::from_fn(|i| next.get(i).copied().unwrap_or(zero));
            (next, is_more)
        });
        results[..state.len()].to_vec()
    }
}

/// The type of the number of a lane.
const INDEX: Type = Type {
    element: Element::Int(32),
    lanes: 1,
};

/// A value, or a number in every lane.
pub(super) trait Argument<'c> {
    /// Returns the value, where numbers have the type of `like`.
    fn like(self, like: Value<'c>) -> Value<'c>;
}

impl<'c> Argument<'c> for Value<'c> {
    fn like(self, _like: Value<'c>) -> Value<'c> {
        self
    }
}

impl<'c> Argument<'c> for f64 {
    fn like(self, like: Value<'c>) -> Value<'c> {
        // LLVM accepts only numbers that the type has.
        let number = match like.ty.element {
            #[expect(clippy::cast_possible_truncation, reason = "that rounds")]
            Element::F32 => f64::from(self as f32),
            _ => self,
        };
        like.code.value(like.ty, Operand::Float(number))
    }
}

impl<'c> Argument<'c> for u64 {
    fn like(self, like: Value<'c>) -> Value<'c> {
        let bits = like.ty.element.bits();
        // A negative number is written by its low bits.
        let low = if bits < 64 {
            self & ((1 << bits) - 1)
        } else {
            self
        };
        like.code.value(like.ty, Operand::Int(low.into()))
    }
}

impl<'c> Argument<'c> for i32 {
    fn like(self, like: Value<'c>) -> Value<'c> {
        i64::from(self).cast_unsigned().like(like)
    }
}

impl<'c> Value<'c> {
    fn of(self, ty: Type, text: fmt::Arguments<'_>) -> Self {
        self.code.instruction(ty, text)
    }

    fn binary(self, float: &str, int: &str, other: impl Argument<'c>) -> Self {
        let other = other.like(self);
        debug_assert_eq!(self.ty, other.ty, "operands of one type");
        let name = if self.ty.element.is_float() {
            float
        } else {
            int
        };
        self.of(self.ty, format_args!("{name} {} {self}, {other}", self.ty))
    }

    fn compare(self, float: &str, int: &str, other: impl Argument<'c>) -> Self {
        let other = other.like(self);
        debug_assert_eq!(self.ty, other.ty, "operands of one type");
        let ty = self.ty.with(Element::Int(1));
        let (name, predicate) = if self.ty.element.is_float() {
            ("fcmp", float)
        } else {
            ("icmp", int)
        };
        self.of(
            ty,
            format_args!("{name} {predicate} {} {self}, {other}", self.ty),
        )
    }

    fn convert(self, name: &str, element: Element) -> Self {
        let ty = self.ty.with(element);
        self.of(ty, format_args!("{name} {} {self} to {ty}", self.ty))
    }

    fn intrinsic(self, name: &str, others: &[Self]) -> Self {
        let mut arguments = vec![self];
        arguments.extend(others);
        let name = format!("llvm.{name}.{}", self.ty.suffix());
        self.code.call(self.ty, &name, &arguments)
    }

    pub(super) fn code(self) -> &'c Code {
        self.code
    }

    /// Returns a number in every lane.
    pub(super) fn constant(self, number: impl Argument<'c>) -> Self {
        number.like(self)
    }

    /// Ordered: false for a NaN. Integers are compared without a sign.
    pub(super) fn below(self, other: impl Argument<'c>) -> Self {
        self.compare("olt", "ult", other)
    }

    /// Ordered, as [`Value::below`].
    pub(super) fn above(self, other: impl Argument<'c>) -> Self {
        self.compare("ogt", "ugt", other)
    }

    /// Ordered, as [`Value::below`].
    pub(super) fn at_least(self, other: impl Argument<'c>) -> Self {
        self.compare("oge", "uge", other)
    }

    /// True for a NaN, and if this is not below `other`.
    pub(super) fn not_below(self, other: impl Argument<'c>) -> Self {
        self.compare("uge", "uge", other)
    }

    pub(super) fn equals(self, other: impl Argument<'c>) -> Self {
        self.compare("oeq", "eq", other)
    }

    /// Signed comparison of integers.
    pub(super) fn is_negative(self) -> Self {
        self.compare("olt", "slt", self.zero())
    }

    pub(super) fn is_nan(self) -> Self {
        self.compare("uno", "ne", self)
    }

    /// True if this or `other` is a NaN.
    pub(super) fn is_unordered(self, other: Self) -> Self {
        self.compare("uno", "", other)
    }

    pub(super) fn zero(self) -> Self {
        if self.ty.element.is_float() {
            0.0.like(self)
        } else {
            0.like(self)
        }
    }

    /// Returns `then` where this, an `i1`, is true, else `other`.
    pub(super) fn select(self, then: impl Argument<'c>, other: Self) -> Self {
        let then = then.like(other);
        debug_assert_eq!(then.ty, other.ty, "operands of one type");
        self.of(
            other.ty,
            format_args!(
                "select {} {self}, {} {then}, {} {other}",
                self.ty, other.ty, other.ty
            ),
        )
    }

    /// Returns the larger of the two, and this if it is a NaN.
    pub(super) fn raised_to(self, low: f64) -> Self {
        self.below(low).select(low, self)
    }

    /// Returns the smaller of the two, and this if it is a NaN.
    pub(super) fn lowered_to(self, high: f64) -> Self {
        self.above(high).select(high, self)
    }

    /// Returns `self * b + c`, rounded once. At a level without such an instruction, f32 is computed in f64 and rounded
    /// twice, which hardly differs, and the product of two f64 is computed exactly, in two parts.
    pub(super) fn fma(self, b: impl Argument<'c>, c: impl Argument<'c>) -> Self {
        let (b, c) = (b.like(self), c.like(self));
        if self.code.level.has_fma() {
            return self.intrinsic("fma", &[b, c]);
        }
        if self.ty.element == Element::F32 {
            return (self.widened() * b.widened() + c.widened()).narrowed();
        }
        let product = self * b;
        let sum = product + c;
        let shadow = sum - product;
        let lost = (product - (sum - shadow)) + (c - shadow);
        sum + (lost + error_of_product(self, b, product))
    }

    /// Returns `self * b + c`, rounded once or twice.
    pub(super) fn about(self, b: impl Argument<'c>, c: impl Argument<'c>) -> Self {
        if self.code.level.has_fma() {
            self.fma(b, c)
        } else {
            self * b.like(self) + c.like(self)
        }
    }

    /// Returns a polynomial of this by Horner's rule. The coefficient of the lowest power comes first.
    pub(super) fn horner(self, coefficients: &[f64]) -> Self {
        let (last, rest) = coefficients.split_last().expect("coefficients");
        let mut sum = self.constant(*last);
        for coefficient in rest.iter().rev() {
            sum = sum.about(self, *coefficient);
        }
        sum
    }

    pub(super) fn abs(self) -> Self {
        self.intrinsic("fabs", &[])
    }

    pub(super) fn copysign(self, sign: Self) -> Self {
        self.intrinsic("copysign", &[sign])
    }

    pub(super) fn sqrt(self) -> Self {
        self.intrinsic("sqrt", &[])
    }

    /// The number of zeros above the highest one. The integer must not be 0.
    pub(super) fn leading_zeros(self) -> Self {
        let undefined = Self {
            ty: Type {
                element: Element::Int(1),
                lanes: 1,
            },
            operand: Operand::Int(1),
            ..self
        };
        self.intrinsic("ctlz", &[undefined])
    }

    /// Returns `true`, an `i1`, if this is true in any lane.
    pub(super) fn any(self) -> Self {
        if self.ty.lanes == 1 {
            return self;
        }
        let ty = Type {
            lanes: 1,
            ..self.ty
        };
        let name = format!("llvm.vector.reduce.or.{}", self.ty.suffix());
        self.code.call(ty, &name, &[self])
    }

    /// The integer with the bits of a floating-point number.
    pub(super) fn bits(self) -> Self {
        self.convert("bitcast", Element::Int(self.ty.element.bits()))
    }

    /// The number of type `element` with the bits of this integer.
    pub(super) fn as_float(self, element: Element) -> Self {
        self.convert("bitcast", element)
    }

    /// f32 as f64.
    pub(super) fn widened(self) -> Self {
        self.convert("fpext", Element::F64)
    }

    /// f64 rounded to f32.
    pub(super) fn narrowed(self) -> Self {
        self.convert("fptrunc", Element::F32)
    }

    /// Rounds to a narrower type of floating-point numbers, by an instruction.
    pub(super) fn rounded_to(self, element: Element) -> Self {
        self.convert("fptrunc", element)
    }

    /// Converts to a wider type of floating-point numbers, by an instruction.
    pub(super) fn extended_to(self, element: Element) -> Self {
        self.convert("fpext", element)
    }

    /// An integer as a wider one.
    pub(super) fn zero_extended(self, bits: u32) -> Self {
        self.convert("zext", Element::Int(bits))
    }

    /// The low bits of an integer.
    pub(super) fn truncated(self, bits: u32) -> Self {
        self.convert("trunc", Element::Int(bits))
    }

    /// A signed integer as a floating-point number.
    pub(super) fn signed_to(self, element: Element) -> Self {
        self.convert("sitofp", element)
    }

    /// An integer without a sign as a floating-point number.
    pub(super) fn unsigned_to(self, element: Element) -> Self {
        self.convert("uitofp", element)
    }

    /// A floating-point number as an integer without a sign, toward zero. It must be in range.
    pub(super) fn to_unsigned(self, bits: u32) -> Self {
        self.convert("fptoui", Element::Int(bits))
    }

    /// The remainder of integers without a sign.
    pub(super) fn remainder(self, divisor: Self) -> Self {
        self.binary("", "urem", divisor)
    }

    /// The element of one lane.
    fn lane(self, lane: Self) -> Self {
        let ty = Type {
            lanes: 1,
            ..self.ty
        };
        self.of(
            ty,
            format_args!("extractelement {} {self}, i32 {lane}", self.ty),
        )
    }

    fn with_lane(self, lane: Self, element: Self) -> Self {
        self.of(
            self.ty,
            format_args!(
                "insertelement {} {self}, {} {element}, i32 {lane}",
                self.ty, element.ty
            ),
        )
    }

    /// Loads the number at `index` of a constant array.
    pub(super) fn load_from(self, array: &str, element: Element) -> Self {
        let ty = Type { element, lanes: 1 };
        let pointer = self.code.number();
        self.code.line(format_args!(
            "%v{pointer} = getelementptr inbounds {ty}, ptr @{array}, {} {self}",
            self.ty
        ));
        self.of(
            ty,
            format_args!("load {ty}, ptr %v{pointer}, align {}", element.bits() / 8),
        )
    }

    /// The lanes from `start` on; lanes beyond the last are undefined.
    pub(super) fn part(self, start: u32, lanes: u32) -> Self {
        let ty = Type { lanes, ..self.ty };
        if self.ty.lanes == 1 {
            let none = self.code.value(ty, Operand::Undefined);
            let zero = self.code.value(INDEX, Operand::Int(0));
            return none.with_lane(zero, self);
        }
        let at = |i: u32| {
            if start + i < self.ty.lanes {
                format!("i32 {}", start + i)
            } else {
                "i32 poison".to_owned()
            }
        };
        let mask: Vec<String> = (0..lanes).map(at).collect();
        self.of(
            ty,
            format_args!(
                "shufflevector {} {self}, {} poison, <{lanes} x i32> <{}>",
                self.ty,
                self.ty,
                mask.join(", ")
            ),
        )
    }

    /// The first lanes.
    pub(super) fn first(self, lanes: u32) -> Self {
        if lanes == 1 {
            let zero = self.code.value(INDEX, Operand::Int(0));
            return self.lane(zero);
        }
        self.part(0, lanes)
    }

    /// The lanes of this, followed by those of another vector of the same type.
    pub(super) fn followed_by(self, other: Self) -> Self {
        let lanes = 2 * self.ty.lanes;
        let ty = Type { lanes, ..self.ty };
        let mask: Vec<String> = (0..lanes).map(|i| format!("i32 {i}")).collect();
        self.of(
            ty,
            format_args!(
                "shufflevector {} {self}, {} {other}, <{lanes} x i32> <{}>",
                self.ty,
                self.ty,
                mask.join(", ")
            ),
        )
    }
}

/// Returns `a * b - product`, where `product` is the rounded product of two f64, by Dekker's method. Far from overflow and
/// underflow it is exact.
pub(super) fn error_of_product<'c>(a: Value<'c>, b: Value<'c>, product: Value<'c>) -> Value<'c> {
    let split = |x: Value<'c>| {
        // Rounded to 26 bits, so that the rest has 26 too. Integers cannot overflow as Veltkamp's product does.
        let high = (x.bits() + 0x0400_0000_u64) & 0xffff_ffff_f800_0000_u64;
        let high = high.as_float(x.ty.element);
        (high, x - high)
    };
    let ((a, a_low), (b, b_low)) = (split(a), split(b));
    (((a * b - product) + a * b_low) + a_low * b) + a_low * b_low
}

macro_rules! operators {
    ($($trait:ident $method:ident $float:literal $int:literal)*) => {
        $(impl<'c, A: Argument<'c>> $trait<A> for Value<'c> {
            type Output = Self;

            fn $method(self, other: A) -> Self {
                self.binary($float, $int, other)
            }
        })*
    };
}

operators! {
    Add add "fadd" "add"
    Sub sub "fsub" "sub"
    Mul mul "fmul" "mul"
    Div div "fdiv" "udiv"
    BitAnd bitand "" "and"
    BitOr bitor "" "or"
    BitXor bitxor "" "xor"
    Shl shl "" "shl"
    Shr shr "" "lshr"
}

/// The complement of an `i1`.
impl Not for Value<'_> {
    type Output = Self;

    fn not(self) -> Self {
        self ^ 1
    }
}

impl Neg for Value<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        if self.ty.element.is_float() {
            self.of(self.ty, format_args!("fneg {} {self}", self.ty))
        } else {
            self.zero() - self
        }
    }
}
