//! Tests that loops whose counter has a step known at launch are software-pipelined like a `for`.

use super::{canonical, compiled, kernel, options};
use crate::backend::session;
use crate::build::Variant;
use tile_backend::session::Times;
use tile_backend::target::Arch;
use tile_core::Diagnostics;

/// Returns a matmul whose third grid axis splits K.
fn product(around: &str) -> String {
    format!(
        "#[tile_kernel]
        fn product(a: &Tensor<f16, 2>, b: &Tensor<f16, 2>, c: &mut Tensor<f32, 3>, end: i32, stride: i32) {{
            let (m, n) = (block_id(0), block_id(1));
            let a = a.partition([64, 32]);
            let b = b.partition([32, 64]);
            let mut acc = zeros([64, 64]);
            {around}
            c.store([block_id(2), m, n], acc.unsqueeze(0));
        }}"
    )
}

#[test]
fn loops_in_strides_of_the_grid_are_copied_ahead() {
    let body = "acc = mma(a.load([m, k]), b.load([k, n]), acc);";
    let of_while =
        |step: &str| format!("let mut k = block_id(2); while k < end {{ {body} k += {step}; }}");
    let loops = [
        format!("for k in (block_id(2)..end).step_by(num_blocks(2)) {{ {body} }}"),
        of_while("num_blocks(2)"),
        of_while("2 * num_blocks(2)"),
        of_while("stride"),
        of_while("stride + 1"),
    ];
    for around in loops {
        let expansion = kernel(&product(&around), "product");
        for (variant, module) in &expansion.artifacts[0] {
            if *variant == Variant::General {
                continue;
            }
            let module = canonical(module);
            let artifact = compiled(&module, *variant, &[Arch::SM_80]);
            let (_, ptx) = &artifact.ptx[0];
            assert!(ptx.contains("cp.async"), "{around}\n{ptx}");
            let mut options = options(*variant, &[Arch::SM_80]);
            options.remarks = true;
            let told = session().compile(
                &module,
                &options,
                &mut Times::new(),
                &mut Diagnostics::new(),
            );
            let remarks = told.expect("it was compiled before").remarks;
            let codes: Vec<&str> = remarks.iter().map(|remark| remark.kind.code()).collect();
            assert!(!codes.contains(&"R0401"), "{around} {codes:?}");
        }
    }
}
