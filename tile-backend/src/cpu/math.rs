use super::Level;
use tile_core::types::Scalar;
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Function {
    Atan2,
    Ceil,
    Cos,
    Cosh,
    Exp,
    Exp2,
    Floor,
    Fma,
    Fmod,
    Log,
    Log2,
    NarrowF16,
    Pow,
    Powi,
    Rsqrt,
    Sin,
    Sinh,
    Tan,
    Tanh,
    WidenF16,
}
pub(crate) fn name(function: Function, scalar: Scalar, lanes: u32) -> String {
    format!("tile_{function:?}_{scalar}x{lanes}")
}
pub(crate) fn definition(f: Function, s: Scalar, lanes: u32, _: Level) -> String {
    let v = |e: &str| {
        if lanes == 1 {
            e.to_owned()
        } else {
            format!("<{lanes} x {e}>")
        }
    };
    let t = v(if s == Scalar::F64 { "double" } else { "float" });
    let (to, args) = match f {
        Function::WidenF16 => (v("float"), vec![v("i16")]),
        Function::NarrowF16 => (v("i16"), vec![v("float")]),
        Function::Fma => (t.clone(), vec![t.clone(), t.clone(), t.clone()]),
        Function::Atan2 | Function::Pow | Function::Fmod => (t.clone(), vec![t.clone(), t.clone()]),
        Function::Powi => (t.clone(), vec![t.clone(), v("i32")]),
        _ => (t.clone(), vec![t.clone()]),
    };
    format!(
        "define internal {to} @{}({}) alwaysinline {{\n ret {to} zeroinitializer\n}}\n",
        name(f, s, lanes),
        args.join(", ")
    )
}
