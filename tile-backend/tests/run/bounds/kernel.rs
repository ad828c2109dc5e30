//! Prints the text of a kernel.

use std::fmt::Write as _;

use tile_core::ir::Module;
use tile_core::types::Scalar;

use super::super::support;
use super::case::{Access, Case, Kind, Product, Term, Trips, View, Work};

/// The values of a loop's counter in this iteration, in the next and in the first.
const COUNTER: &str = "%k";
const NEXT: &str = "%k1";
const FIRST: &str = "%lo";

impl Case {
    pub(super) fn module(&self) -> Result<Module, String> {
        let source = self.text();
        support::module(&source, "bounds.mlir")
    }

    pub(super) fn text(&self) -> String {
        let (mut params, mut head) = (Vec::new(), String::new());
        for access in self.accesses() {
            self.tensor(access, &mut params, &mut head);
        }
        let ty = self.index;
        for access in self.accesses() {
            let axes = 0..access.rank();
            params.extend(axes.map(|axis| format!("%{}i{axis}: tile<{ty}>", access.name)));
        }
        params.push(format!("%trips: tile<{ty}>"));
        self.blocks(&mut head);
        let end = match self.trips {
            Trips::Once => None,
            Trips::Given => Some("%trips".to_owned()),
            Trips::Counted => Some(self.count(&mut head)),
        };
        if end.is_some() {
            let _ = writeln!(
                head,
                "{FIRST} = constant <{ty}: 0> : tile<{ty}>\n%one = constant <{ty}: 1> : tile<{ty}>"
            );
        }
        let body = match &self.work {
            Work::Product(product) => self.sum(*product, end.as_deref(), &mut head),
            Work::Same | Work::Permuted(_) | Work::Unpacked(_) | Work::Packed => {
                self.copies(end.as_deref(), &mut head)
            }
        };
        format!(
            "cuda_tile.module @kernels {{\nentry @f({}) {{\n{head}{body}return\n}}\n}}\n",
            params.join(", ")
        )
    }

    /// Prints the block index, as numbers that are added to indices.
    fn blocks(&self, head: &mut String) {
        let mut terms = self.accesses().flat_map(|access| &access.terms);
        if !terms.any(|term| matches!(term, Term::Block(_))) {
            return;
        }
        let ty = self.index;
        if ty == Scalar::I32 {
            let _ = writeln!(head, "%at0, %at1, %at2 = get_tile_block_id : tile<i32>");
            return;
        }
        let _ = writeln!(head, "%x, %y, %z = get_tile_block_id : tile<i32>");
        for (number, name) in [(0, "x"), (1, "y")] {
            let (op, sign) = if ty == Scalar::I64 {
                ("exti", " unsigned")
            } else {
                ("trunci", "")
            };
            let _ = writeln!(
                head,
                "%at{number} = {op} %{name}{sign} : tile<i32> -> tile<{ty}>"
            );
        }
    }

    /// Prints the number of tiles of the first tensor along the axis that the loop follows.
    fn count(&self, head: &mut String) -> String {
        let access = &self.inputs[0];
        let counts: Vec<String> = (0..access.rank()).map(|axis| format!("%q{axis}")).collect();
        let (_, view) = self.view_type(access);
        let _ = writeln!(
            head,
            "{} = get_index_space_shape %av : {view} -> tile<{}>",
            counts.join(", "),
            self.index
        );
        let is_followed = |term: &Term| *term == Term::CounterAlone;
        let axis = access.terms.iter().position(is_followed);
        counts[axis.expect("a loop over tiles follows an axis")].clone()
    }

    /// Prints the copy of a tile, or a loop of copies.
    fn copies(&self, end: Option<&str>, head: &mut String) -> String {
        let input = &self.inputs[0];
        let tile = tile_type(input);
        let mut body = String::new();
        let Some(end) = end else {
            self.load(input, "t", FIRST, &mut body);
            self.store_made("%t", FIRST, &mut body);
            return body;
        };
        let for_all = format!(
            "for {COUNTER} in ({FIRST} to {end}, step %one) : tile<{}>",
            self.index
        );
        if !self.is_ahead {
            self.load(input, "t", COUNTER, &mut body);
            self.store_made("%t", COUNTER, &mut body);
            return format!("{for_all} {{\n{body}continue\n}}\n");
        }
        self.load(input, "first", FIRST, head);
        self.store_made("%t", COUNTER, &mut body);
        self.next(&mut body);
        self.load(input, "u", NEXT, &mut body);
        format!(
            "%last = {for_all} iter_values(%t = %first) -> ({tile}) {{\n{body}continue %u : {tile}\n}}\n"
        )
    }

    fn next(&self, body: &mut String) {
        let ty = self.index;
        let _ = writeln!(body, "{NEXT} = addi {COUNTER}, %one : tile<{ty}>");
    }

    /// Prints the accumulation of all MMAs, and its store.
    fn sum(&self, product: Product, end: Option<&str>, head: &mut String) -> String {
        let (sum, result) = (
            tile_of(&self.output.tile, product.sum),
            tile_type(&self.output),
        );
        let zero = if product.sum == Scalar::I32 {
            "0"
        } else {
            "0.0"
        };
        let _ = writeln!(head, "%zero = constant <{}: {zero}> : {sum}", product.sum);
        let mut body = String::new();
        let names: Vec<String> = self.inputs.iter().map(|a| format!("t{}", a.name)).collect();
        let types: Vec<String> = self.inputs.iter().map(tile_type).collect();
        let multiply = |acc: &str, to: &str| {
            let mut args: Vec<String> = names.iter().map(|name| format!("%{name}")).collect();
            args.insert(2, acc.to_owned());
            let mut types = types.clone();
            types.insert(2, sum.clone());
            let (op, signs) = if product.is_scaled {
                ("mmaf_scaled", String::new())
            } else if product.sum == Scalar::I32 {
                let sign = |signed| if signed { " signed" } else { " unsigned" };
                ("mmai", product.signs.map(sign).concat())
            } else {
                ("mmaf", String::new())
            };
            format!(
                "{to} = {op} {}{signs} : {}\n",
                args.join(", "),
                types.join(", ")
            )
        };
        let mut text = match end {
            None => {
                for (access, name) in self.inputs.iter().zip(&names) {
                    self.load(access, name, FIRST, &mut body);
                }
                body + &multiply("%zero", "%sum")
            }
            Some(end) => {
                let mut carried = vec!["%acc = %zero".to_owned()];
                let mut of_carried = vec![sum.clone()];
                let mut last = vec!["%more".to_owned()];
                if self.is_ahead {
                    for ((access, name), ty) in self.inputs.iter().zip(&names).zip(&types) {
                        self.load(access, &format!("f{name}"), FIRST, head);
                        carried.push(format!("%{name} = %f{name}"));
                        of_carried.push(ty.clone());
                        last.push(format!("%n{name}"));
                    }
                    body += &multiply("%acc", "%more");
                    self.next(&mut body);
                    for (access, name) in self.inputs.iter().zip(&names) {
                        self.load(access, &format!("n{name}"), NEXT, &mut body);
                    }
                } else {
                    for (access, name) in self.inputs.iter().zip(&names) {
                        self.load(access, name, COUNTER, &mut body);
                    }
                    body += &multiply("%acc", "%more");
                }
                let results: Vec<String> =
                    (1..carried.len()).map(|n| format!(", %last{n}")).collect();
                format!(
                    "%sum{} = for {COUNTER} in ({FIRST} to {end}, step %one) : tile<{}> iter_values({}) -> ({}) {{\n{body}continue {} : {}\n}}\n",
                    results.concat(),
                    self.index,
                    carried.join(", "),
                    of_carried.join(", "),
                    last.join(", "),
                    of_carried.join(", "),
                )
            }
        };
        let mut stored = "%sum";
        if product.sum != self.output.scalar {
            stored = "%r";
            let _ = writeln!(
                text,
                "%r = ftof %sum rounding<nearest_even> : {sum} -> {result}"
            );
        }
        self.store(stored, FIRST, &mut text);
        text
    }

    /// Prints the computation on a tile, and its store.
    fn store_made(&self, tile: &str, counter: &str, body: &mut String) {
        let (input, output) = (tile_type(&self.inputs[0]), tile_type(&self.output));
        let name = match &self.work {
            Work::Same => tile,
            Work::Permuted(axes) => {
                let axes: Vec<String> = axes.iter().map(usize::to_string).collect();
                let _ = writeln!(
                    body,
                    "%m = permute {tile} [{}] : {input} -> {output}",
                    axes.join(", ")
                );
                "%m"
            }
            Work::Unpacked(Scalar::I4) => {
                let fours = tile_of(&self.output.tile, Scalar::I4);
                let _ = writeln!(
                    body,
                    "%fours = unpack {tile} : {input} -> {fours}\n%m = exti %fours signed : {fours} -> {output}"
                );
                "%m"
            }
            Work::Unpacked(_) => {
                let _ = writeln!(body, "%m = unpack {tile} : {input} -> {output}");
                "%m"
            }
            Work::Packed => {
                let _ = writeln!(body, "%m = pack {tile} : {input} -> {output}");
                "%m"
            }
            Work::Product(_) => unreachable!("products are summed"),
        };
        self.store(name, counter, body);
    }

    fn load(&self, access: &Access, result: &str, counter: &str, body: &mut String) {
        let (index, types) = self.index(access, result, counter, body);
        let (_, view) = self.view_type(access);
        let _ = writeln!(
            body,
            "%{result}, %l{result} = load_view_tko weak %{}v[{index}] : {view}, {types} -> {}, token",
            access.name,
            tile_type(access)
        );
    }

    fn store(&self, value: &str, counter: &str, body: &mut String) {
        let access = &self.output;
        let (index, types) = self.index(access, "s", counter, body);
        let (_, view) = self.view_type(access);
        let (name, tile) = (access.name, tile_type(access));
        let _ = if self.is_added {
            writeln!(
                body,
                "%st = atomic_red_view_tko relaxed device %{name}v[{index}], add, {value} : {tile}, {view}, {types} -> token"
            )
        } else {
            writeln!(
                body,
                "%st = store_view_tko weak {value}, %{name}v[{index}] : {tile}, {view}, {types} -> token"
            )
        };
    }

    /// Prints the computation of an index of `access`, and returns the operands and their types. The names of
    /// the printed values contain `tag`.
    fn index(
        &self,
        access: &Access,
        tag: &str,
        counter: &str,
        body: &mut String,
    ) -> (String, String) {
        let (ty, name) = (self.index, access.name);
        let mut operands = Vec::new();
        let mut types = Vec::new();
        for axis in 0..access.rank() {
            let mut value = format!("%{name}i{axis}");
            let sum = format!("%{tag}i{axis}");
            match access.terms[axis] {
                Term::Nothing => {}
                Term::CounterAlone => counter.clone_into(&mut value),
                Term::Counter => {
                    let _ = writeln!(body, "{sum} = addi {value}, {counter} : tile<{ty}>");
                    value = sum;
                }
                Term::Block(of) => {
                    let _ = writeln!(body, "{sum} = addi {value}, %at{of} : tile<{ty}>");
                    value = sum;
                }
            }
            match access.view.kind {
                Kind::Gather(sparse, by) if sparse == axis => {
                    let size = access.tile[axis];
                    let tile = format!("tile<{size}x{ty}>");
                    let _ = writeln!(
                        body,
                        "%{tag}r = reshape {value} : tile<{ty}> -> tile<1x{ty}>\n\
                         %{tag}b = broadcast %{tag}r : tile<1x{ty}> -> {tile}\n\
                         %{tag}c = constant <{ty}: {by}> : {tile}\n\
                         %{tag}o = iota : {tile}\n\
                         %{tag}m = muli %{tag}o, %{tag}c : {tile}\n\
                         %{tag}p = addi %{tag}b, %{tag}m : {tile}"
                    );
                    operands.push(format!("%{tag}p"));
                    types.push(tile);
                }
                Kind::Partition | Kind::Strided(_) | Kind::Gather(..) => {
                    operands.push(value);
                    types.push(format!("tile<{ty}>"));
                }
            }
        }
        if types.iter().all(|ty| *ty == types[0]) {
            types.truncate(1);
        }
        (operands.join(", "), types.join(", "))
    }

    /// Returns the types of the tensor and the view of an access.
    fn view_type(&self, access: &Access) -> (String, String) {
        let View {
            kind,
            order,
            padding,
            shape,
            is_narrow: _,
        } = &access.view;
        let rank = access.rank();
        let extents = match shape {
            Some(shape) => joined(shape, "x"),
            None => vec!["?"; rank].join("x"),
        };
        let strides: Vec<&str> = (0..rank)
            .map(|axis| {
                let is_unit = axis + 1 == rank && !self.is_general;
                if is_unit { "1" } else { "?" }
            })
            .collect();
        let tensor = format!(
            "tensor_view<{extents}x{}, strides=[{}]>",
            access.scalar,
            strides.join(",")
        );
        let padding = padding.map_or(String::new(), |padding| {
            format!("padding_value = {padding}, ")
        });
        let order: Vec<String> = order.iter().map(usize::to_string).collect();
        let order = format!(", dim_map=[{}]", order.join(", "));
        let tile = joined(&access.tile, "x");
        let ty = match kind {
            Kind::Partition => format!("partition_view<tile=({tile}), {padding}{tensor}{order}>"),
            Kind::Strided(steps) => format!(
                "strided_view<tile=({tile}), traversal_strides=[{}], {padding}{tensor}{order}>",
                joined(steps, ",")
            ),
            Kind::Gather(axis, _) => {
                format!("gather_scatter_view<tile=({tile}), {padding}{tensor}, sparse_dim={axis}>")
            }
        };
        (tensor, ty)
    }

    /// Prints the parameters of a tensor, and the values computed from them.
    fn tensor(&self, access: &Access, params: &mut Vec<String>, body: &mut String) {
        let (scalar, name, rank) = (access.scalar, access.name, access.rank());
        let number = if self.is_general { "i64" } else { "i32" };
        params.push(format!("%{name}: tile<ptr<{scalar}>>"));
        let (tensor, ty) = self.view_type(access);
        let assume = |body: &mut String, value: &str, ty: &str| {
            let _ = writeln!(body, "%{value}f = assume div_by<16>, %{value} : tile<{ty}>");
            format!("%{value}f")
        };
        let mut base = format!("%{name}");
        if !self.is_general {
            base = assume(body, name, &format!("ptr<{scalar}>"));
        }
        let mut extents = Vec::new();
        for axis in 0..rank {
            let length = format!("{name}n{axis}");
            params.push(format!("%{length}: tile<{number}>"));
            extents.push(match &access.view.shape {
                Some(shape) => shape[axis].to_string(),
                None if self.is_whole && axis + 1 == rank => assume(body, &length, number),
                None => format!("%{length}"),
            });
        }
        let mut strides = Vec::new();
        for axis in 0..rank {
            let stride = format!("{name}s{axis}");
            params.push(format!("%{stride}: tile<{number}>"));
            strides.push(if self.is_general {
                format!("%{stride}")
            } else if axis + 1 == rank {
                "1".to_owned()
            } else {
                assume(body, &stride, number)
            });
        }
        let is_dynamic = strides
            .iter()
            .chain(&extents)
            .any(|entry| entry.starts_with('%'));
        let operands = if is_dynamic {
            format!("tile<{number}> -> ")
        } else {
            String::new()
        };
        let _ = writeln!(
            body,
            "%{name}t = make_tensor_view {base}, shape = [{}], strides = [{}] : {operands}{tensor}\n\
             %{name}v = make_{} %{name}t : {ty}",
            extents.join(", "),
            strides.join(", "),
            ty.split_once('<').expect("a type has parameters").0,
        );
    }
}

fn joined(numbers: &[u64], by: &str) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    numbers.join(by)
}

fn tile_of(tile: &[u64], scalar: Scalar) -> String {
    format!("tile<{}x{scalar}>", joined(tile, "x"))
}

fn tile_type(access: &Access) -> String {
    tile_of(&access.tile, access.scalar)
}
