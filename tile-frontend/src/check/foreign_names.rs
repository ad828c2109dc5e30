//! Suggests what to write for names of Rust, CUDA, Triton, `cuTile` and `NumPy` that kernels do not
//! have.
//!
//! In: an undeclared name. Out: a help for names of other languages and libraries; other names are
//! compared with the declared ones by spelling.

use crate::hir::signature::HostScalar;

const THREADS: &str = "remove it: a block computes on whole tiles, and which thread holds which element is not the author's to say";
const NO_OPTION: &str = "use the value itself, with a `bool` beside it where it may be missing";

/// Returns the help for `Some(x)` and the like.
fn unwrapped(first: &str) -> String {
    format!(
        "write `{first}`, with a `bool` beside it where it may be missing: a kernel has no `Option`"
    )
}
const NO_MEMORY: &str = "write `zeros::<f32>([64])` for a tile, or pass a `&mut Tensor` for memory: a kernel allocates nothing";

/// Returns the help for a function; `args` are its arguments as written; `index` and `dims` are an
/// index and a shape for the first argument.
pub(super) fn function(path: &str, args: &[String], (index, dims): (&str, &str)) -> Option<String> {
    let last = path.rsplit("::").next().unwrap_or(path);
    let first = args.first().map_or("x", String::as_str);
    let second = args.get(1).map_or("y", String::as_str);
    let owned = |text: &str| Some(text.to_owned());
    match path {
        "Vec::new" | "Vec::with_capacity" | "Box::new" | "vec" => return owned(NO_MEMORY),
        "String::new" | "String::from" | "format" => {
            return owned("remove it: a kernel computes with numbers only");
        }
        _ if path.ends_with("TypeId::of") => {
            return owned("compare two of them, as in `TypeId::of::<T>() == TypeId::of::<f16>()`");
        }
        _ => {}
    }
    match last {
        "Some" | "Ok" if !args.is_empty() => Some(unwrapped(first)),
        "Some" | "Ok" | "Err" => owned(NO_OPTION),
        "swap" => Some(format!("write `({first}, {second}) = ({second}, {first})`")),
        "drop" | "forget" => owned("remove it: a value ends with its block"),
        "replace" | "take" => owned("assign the variable: write `x = ..`"),
        "size_of" => owned("write `size_of::<f32>()`, which is a constant of every element type"),
        "default" => owned("write the value, or `zeros::<f32>([64])` for a tile"),
        "from" | "into" | "try_from" | "try_into" => {
            let to = number_type(path).unwrap_or("f32");
            Some(format!("convert with `as`: write `{first} as {to}`"))
        }
        "from_bits" => {
            let to = number_type(path)?;
            let bits = HostScalar::parse(to)?.bits();
            let is_literal = first.chars().all(|letter| letter.is_ascii_digit());
            let first = if is_literal {
                format!("{first}_u{bits}")
            } else {
                first.to_owned()
            };
            Some(format!("write `{first}.bitcast::<{to}>()`"))
        }
        "spawn" | "scope" => owned(
            "remove it, and launch more blocks with the option `grid`: each runs the whole kernel, at the same time",
        ),
        "sleep" | "now" | "exit" | "abort" => owned("do it on the host, around the launch"),
        "print" | "println" | "printf" | "device_print" => owned(
            "write `tile_println!(\"{}\", x)`, which prints numbers and tiles from the kernel",
        ),
        "thread_id" | "thread_idx" | "lane_id" | "warp_id" | "block_dim" | "sync_threads"
        | "syncthreads" | "__syncthreads" | "barrier" | "debug_barrier" => owned(THREADS),
        "program_id" | "bid" | "block_idx" | "get_program_id" => Some(format!(
            "write `block_id({})`",
            args.first().map_or("0", String::as_str)
        )),
        "num_programs" | "num_blocks_total" | "grid_dim" => Some(format!(
            "write `num_blocks({})`",
            args.first().map_or("0", String::as_str)
        )),
        "arange" | "range" | "linspace" => {
            owned("write `iota::<i32>(64)` for the tile `[0, 1, .. 63]`")
        }
        "where_" | "r#where" | "choose" => Some(format!(
            "write `select({first}, {second}, {})`",
            args.get(2).map_or("z", String::as_str)
        )),
        "ones" => owned("write `full([64, 64], 1.0)`"),
        "empty" | "zeros_like" => owned("write `zeros::<f32>([64, 64])`"),
        "ones_like" | "full_like" => owned("write `full([64, 64], x)`"),
        "cdiv" | "ceil_div" | "div_ceil" => Some(format!("write `{first}.div_ceil({second})`")),
        "matmul" | "gemm" => Some(format!("write `mma({first}, {second}, acc)`")),
        "load" | "ct_load" => Some(format!(
            "write it as a method of the tensor: `{first}.load([{index}], [{dims}])`"
        )),
        "store" => Some(format!(
            "write it as a method of the tensor: `{first}.store([{index}], {})`",
            args.last()
                .filter(|_| args.len() > 1)
                .map_or("tile", String::as_str)
        )),
        "trans" | "transpose" => Some(format!("write it as a method: `{first}.t()`")),
        "expand_dims" => Some(format!(
            "write it as a method: `{first}.unsqueeze({second})`"
        )),
        "sigmoid" => Some(format!("write `1.0 / (1.0 + (-{first}).exp())`")),
        "relu" => Some(format!("write `{first}.max(0.0)`")),
        "__threadfence" | "threadfence" | "atomic_thread_fence" | "membar" => {
            owned("write `fence(Ordering::SeqCst)`")
        }
        "atomic_add" | "atomicAdd" => {
            owned("write it as a method of the tensor: `y.atomic_add([indices], tile)`")
        }
        _ => None,
    }
}

/// Returns the number type that a path begins with, such as `f32` of `f32::from_bits`.
fn number_type(path: &str) -> Option<&str> {
    let (ty, _) = path.rsplit_once("::")?;
    let ty = ty.rsplit("::").next()?;
    HostScalar::parse(ty).map(|_| ty)
}

/// Methods of Rust's numbers that kernels may lack, and that are spelled like others.
const OF_RUST: [&str; 41] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "ceil_div",
    "checked_ilog2",
    "checked_pow",
    "div_floor",
    "exp_m1",
    "from_bits",
    "hypot",
    "ilog",
    "ilog10",
    "ilog2",
    "is_negative",
    "is_positive",
    "is_sign_negative",
    "is_sign_positive",
    "isqrt",
    "leading_ones",
    "ln_1p",
    "log10",
    "midpoint",
    "next_multiple_of",
    "next_power_of_two",
    "overflowing_mul",
    "reverse_bits",
    "round_ties_even",
    "saturating_mul",
    "saturating_neg",
    "saturating_pow",
    "sin_cos",
    "swap_bytes",
    "to_bits",
    "to_degrees",
    "to_radians",
    "total_cmp",
    "trailing_ones",
];

/// Returns `true` if Rust's numbers have a method of this name.
pub(super) fn is_method_of_rust(name: &str) -> bool {
    OF_RUST.contains(&name)
}

/// Returns the help for a variable.
pub(super) fn value(name: &str) -> Option<&'static str> {
    Some(match name {
        "None" => NO_OPTION,
        "threadIdx" | "blockDim" | "warpSize" | "thread_idx" => THREADS,
        "blockIdx" | "block_idx" => "write `block_id(0)`",
        "gridDim" | "grid_dim" => "write `num_blocks(0)`",
        "True" | "TRUE" => "write `true`",
        "False" | "FALSE" => "write `false`",
        "nan" | "NaN" | "NAN" => "write `f32::NAN`",
        "inf" | "INFINITY" | "Infinity" => "write `f32::INFINITY`",
        "PI" | "pi" => "write `std::f32::consts::PI`",
        "null" | "nil" | "nullptr" => "use a `bool` beside the value",
        _ => return None,
    })
}

/// Returns the help for a method of a number or a tile; `text` is the receiver as written.
pub(super) fn method(name: &str, text: &str, args: &[String]) -> Option<String> {
    let first = args.first().map_or("y", String::as_str);
    Some(match name {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "await" | "ok" => {
            format!("write `{text}`: it is the value itself, and nothing failed")
        }
        "as_slice" | "to_vec" | "as_ref" | "as_mut" | "borrow" | "as_mut_slice" | "collect"
        | "into_boxed_slice" => {
            format!("write `{text}`: a tile is a value and is used whole")
        }
        "push" | "extend" | "append" | "insert" | "resize" | "pop" => {
            "store the parts one by one: a tile keeps its shape".to_owned()
        }
        "iter_mut" | "for_each" | "enumerate" | "filter" | "rev" | "chunks" | "windows"
        | "take" | "skip" | "any_of" => {
            "compute on the whole tile: operators and methods work on every element".to_owned()
        }
        "get" | "index" | "get_unchecked" => {
            "load one element from the tensor: write `x.at([i])`".to_owned()
        }
        "set" | "fill" | "copy_from_slice" | "index_put" => {
            "assign a whole tile, made by `select` or `full`".to_owned()
        }
        "astype" | "to" | "convert" | "to_f32" | "as_type" => {
            format!("write `{text}.cast::<f32>()`")
        }
        "into" | "try_into" => format!("convert with `as`: write `{text} as f32`"),
        "view" => format!("write `{text}.reshape([..])`"),
        "flatten" | "ravel" => format!("write `{text}.reshape([..])` with the number of elements"),
        "expand" | "broadcast_to" => format!("write `{text}.broadcast([..])`"),
        "expand_dims" => format!("write `{text}.unsqueeze({first})`"),
        "T" => format!("write `{text}.t()`"),
        "sigmoid" => format!("write `1.0 / (1.0 + (-{text}).exp())`"),
        "relu" => format!("write `{text}.max(0.0)`"),
        "le" | "ge" | "ne" => {
            let operator = match name {
                "le" => "<=",
                "ge" => ">=",
                _ => "!=",
            };
            format!("write `{text} {operator} {first}`")
        }
        "neg" => format!("write `-{text}`"),
        "not" => format!("write `!{text}`"),
        "rem" => format!("write `{text} % {first}`"),
        "to_string" | "as_str" => "remove it: a kernel computes with numbers only".to_owned(),
        _ => return None,
    })
}

/// Returns the help for a method of a tensor or a partition.
pub(super) fn view_method(name: &str, text: &str, (index, dims): (&str, &str)) -> Option<String> {
    Some(match name {
        "unwrap" | "expect" | "as_ref" | "as_mut" | "borrow" | "borrow_mut" | "clone" => {
            format!("write `{text}`: it is the tensor itself")
        }
        "iter" | "iter_mut" | "into_iter" | "as_slice" | "as_mut_slice" | "to_vec" | "chunks"
        | "map" | "for_each" => {
            format!(
                "load a tile, and compute on it as a whole: write `{text}.load([{index}], [{dims}])`"
            )
        }
        "slice" | "narrow" | "view" | "reshape" | "permute" | "t" | "transpose" => {
            format!(
                "make the view on the host, before the launch, or load a tile: write `{text}.load([{index}], [{dims}])`"
            )
        }
        "fill" | "copy_from_slice" | "set" | "write" | "push" => {
            format!("store a tile: write `{text}.store([{index}], tile)`")
        }
        "rank" | "ndim" | "dims" => {
            "write the number: the rank is in the type of the parameter".to_owned()
        }
        "rows" | "nrows" | "height" => format!("write `{text}.dim(0)`"),
        "columns" | "cols" | "ncols" | "width" => format!("write `{text}.dim(1)`"),
        _ => return None,
    })
}
