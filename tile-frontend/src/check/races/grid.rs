//! The axes of the grid that the attribute declares.

/// The number of blocks along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Extent {
    /// One block.
    One,
    /// Presumably more than one block.
    Several,
    /// Nothing is known.
    #[default]
    Unknown,
}

/// The axes of a grid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GridAxes {
    extents: [Extent; 3],
    /// The number of blocks along an axis, where the attribute gives a literal.
    written: [Option<u32>; 3],
}

impl GridAxes {
    /// Reads the option `grid = ..`.
    ///
    /// An axis of `x.tiles([..])` has one block if the tile is as long as the tensor, so its extent
    /// is unknown.
    pub(crate) fn from_expr(written: Option<&syn::Expr>) -> Self {
        let Some(written) = written else {
            return Self::default();
        };
        let mut axes = Self {
            extents: [Extent::One; 3],
            written: [None; 3],
        };
        match written {
            syn::Expr::Paren(inner) => return Self::from_expr(Some(&inner.expr)),
            syn::Expr::Group(inner) => return Self::from_expr(Some(&inner.expr)),
            syn::Expr::Array(list) => fill(&mut axes, list.elems.iter()),
            syn::Expr::Tuple(list) => fill(&mut axes, list.elems.iter()),
            syn::Expr::MethodCall(call) if call.method == "tiles" => {
                let tile = call.args.first();
                let Some(syn::Expr::Array(tile)) = tile else {
                    return Self::default();
                };
                for (axis, _) in axes.extents.iter_mut().zip(&tile.elems) {
                    *axis = Extent::Unknown;
                }
            }
            syn::Expr::Lit(_) | syn::Expr::Binary(_) | syn::Expr::Cast(_) | syn::Expr::Index(_) => {
                fill(&mut axes, std::iter::once(written));
            }
            syn::Expr::MethodCall(call)
                if ["div_ceil", "len", "max", "min"]
                    .iter()
                    .any(|it| call.method == it) =>
            {
                fill(&mut axes, std::iter::once(written));
            }
            _ => return Self::default(),
        }
        axes
    }

    pub(super) fn extent(self, axis: usize) -> Extent {
        self.extents[axis]
    }

    /// Returns the number of blocks along each axis, where the attribute gives a literal.
    pub(super) fn written(self) -> [Option<u32>; 3] {
        self.written
    }
}

fn fill<'e>(axes: &mut GridAxes, entries: impl Iterator<Item = &'e syn::Expr>) {
    for (axis, entry) in entries.take(3).enumerate() {
        axes.written[axis] = number(entry);
        axes.extents[axis] = match axes.written[axis] {
            Some(1) => Extent::One,
            _ => Extent::Several,
        };
    }
}

/// Returns the value of a literal.
fn number(written: &syn::Expr) -> Option<u32> {
    match written {
        syn::Expr::Paren(inner) => number(&inner.expr),
        syn::Expr::Group(inner) => number(&inner.expr),
        syn::Expr::Cast(cast) => number(&cast.expr),
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(literal),
            ..
        }) => literal.base10_parse().ok().filter(|&blocks| blocks > 0),
        _ => None,
    }
}
