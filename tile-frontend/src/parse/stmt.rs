//! Parses statements and blocks.

use super::ast::{Block, Expr, ExprKind, Pat, Stmt};
use super::{Cx, expr, macros, pat, reject};

/// Parses a block.
pub(super) fn block(cx: &mut Cx<'_>, block: &syn::Block) -> Block {
    let loc = cx.token(block.brace_token.span.join());
    let mut stmts = Vec::new();
    let mut tail = None;
    for (index, stmt) in block.stmts.iter().enumerate() {
        let last = index + 1 == block.stmts.len();
        match stmt {
            syn::Stmt::Local(local) => stmts.push(binding(cx, local)),
            syn::Stmt::Expr(value, semicolon) => {
                let value = expr::expr(cx, value);
                if last && semicolon.is_none() {
                    tail = Some(Box::new(value));
                } else {
                    stmts.push(Stmt::Expr(value));
                }
            }
            syn::Stmt::Item(item) => {
                let loc = cx.node(item);
                let refusal = reject::item(cx, item);
                cx.refuse(refusal, loc);
            }
            syn::Stmt::Macro(call) => {
                stmts.push(Stmt::Expr(macros::call(cx, &call.mac)));
            }
        }
    }
    Block { stmts, tail, loc }
}

fn binding(cx: &mut Cx<'_>, local: &syn::Local) -> Stmt {
    cx.no_attributes(&local.attrs);
    let before = cx.diagnostics.error_count();
    let (pat, ty) = pat::pattern(cx, &local.pat);
    let refused = cx.diagnostics.error_count() > before;
    let Some(init) = &local.init else {
        return Stmt::Let {
            pat,
            ty,
            init: None,
        };
    };
    if let Some((token, _)) = &init.diverge
        && !refused
    {
        let loc = cx.token(token.span);
        let value = cx.quoted(&init.expr);
        let help = match (pat::text(&local.pat), value) {
            (Some(pat), Some(value)) => {
                format!("bind it without a condition: write `let {pat} = {value};`")
            }
            _ => "bind the value with a plain `let`".to_owned(),
        };
        cx.refuse(reject::Refusal::new("`let .. else`", help), loc);
    }
    let init = expr::expr(cx, &init.expr);
    if refused {
        // The names are bound to an error value, which has been reported.
        let loc = init.loc;
        let kind = ExprKind::Error;
        return Stmt::Let {
            pat: Pat::Tuple(pat::names(cx, &local.pat), loc),
            ty: None,
            init: Some(Expr { kind, loc }),
        };
    }
    let init = Some(init);
    Stmt::Let { pat, ty, init }
}
