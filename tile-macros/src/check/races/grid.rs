//! What the attribute says of the grid.

/// How many blocks there may be along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Extent {
    /// One.
    One,
    /// More than one, as far as can be told.
    Several,
    /// Nothing is known.
    #[default]
    Unknown,
}

/// The axes of a grid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GridAxes([Extent; 3]);

impl GridAxes {
    /// Of the option `grid = ..`.
    ///
    /// An axis of `x.tiles([..])` has one block where the tile is as long as the
    /// tensor, so nothing is known of it.
    pub(crate) fn of(written: Option<&syn::Expr>) -> Self {
        let Some(written) = written else {
            return Self::default();
        };
        let mut axes = [Extent::One; 3];
        match written {
            syn::Expr::Paren(inner) => return Self::of(Some(&inner.expr)),
            syn::Expr::Group(inner) => return Self::of(Some(&inner.expr)),
            syn::Expr::Array(list) => fill(&mut axes, list.elems.iter()),
            syn::Expr::Tuple(list) => fill(&mut axes, list.elems.iter()),
            syn::Expr::MethodCall(call) if call.method == "tiles" => {
                let tile = call.args.first();
                let Some(syn::Expr::Array(tile)) = tile else {
                    return Self::default();
                };
                for (axis, _) in axes.iter_mut().zip(&tile.elems) {
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
        Self(axes)
    }

    pub(super) fn extent(self, axis: usize) -> Extent {
        self.0[axis]
    }
}

fn fill<'e>(axes: &mut [Extent; 3], written: impl Iterator<Item = &'e syn::Expr>) {
    for (axis, written) in axes.iter_mut().zip(written) {
        *axis = if is_one(written) {
            Extent::One
        } else {
            Extent::Several
        };
    }
}

fn is_one(written: &syn::Expr) -> bool {
    matches!(written, syn::Expr::Lit(literal)
        if matches!(&literal.lit, syn::Lit::Int(number) if number.base10_digits() == "1"))
}
