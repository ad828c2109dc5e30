//! Names the test of each operation without effects, and checks that none is missing.

use crate::arithmetic::ARITHMETIC;
use crate::functions::FUNCTIONS;
use crate::{conversion, core, every_pattern, float, integer, matmul, reduction};
use std::collections::BTreeSet;
use tile_core::ops::{Effects, FloatOp, Opcode};

/// The reference that an operation is compared with.
pub(crate) enum Comparison {
    /// Exact fractions, for a row of [`ARITHMETIC`].
    Fractions,
    /// Correctly rounded results, for a row of [`FUNCTIONS`].
    Functions,
    /// Another way to compute the same bits, in the named test.
    Exactly(#[expect(dead_code, reason = "a test that is named here cannot go unnoticed")] fn()),
    /// None: the operation does no arithmetic. Its regions, views, pointers or launch are tested in
    /// `tests/interp/`.
    Structure,
    /// None here: an operation of the dialect `loop` is flattened before it runs and is tested in
    /// `tests/loop_dialect/`, and an operation of `ptx` never runs in the interpreter.
    Flattened,
}

use Comparison::{Exactly, Flattened, Fractions, Functions, Structure};

/// Every operation without effects.
pub(crate) const ROSTER: &[(&str, Comparison)] = &[
    ("absf", Fractions),
    (
        "absi",
        Exactly(integer::negation_and_absolute_value_of_the_least_number_wrap),
    ),
    ("addf", Fractions),
    ("addi", Exactly(integer::integer_arithmetic_wraps)),
    ("andi", Exactly(integer::integer_arithmetic_wraps)),
    ("atan2", Functions),
    ("bitcast", Exactly(core::data_moves_as_the_shapes_say)),
    ("broadcast", Exactly(core::data_moves_as_the_shapes_say)),
    ("cat", Exactly(core::tiles_are_put_together_along_any_axis)),
    ("ceil", Fractions),
    (
        "cmpf",
        Exactly(float::a_comparison_with_nan_is_what_its_ordering_says),
    ),
    (
        "cmpi",
        Exactly(integer::integer_order_depends_on_signedness),
    ),
    ("constant", Structure),
    ("cos", Functions),
    ("cosh", Functions),
    ("divf", Fractions),
    (
        "divi",
        Exactly(integer::division_rounds_as_told_and_faults_where_it_is_undefined),
    ),
    ("exp", Functions),
    ("exp2", Functions),
    ("exti", Exactly(conversion::integer_widths_convert)),
    (
        "extract",
        Exactly(core::slices_are_taken_out_and_put_in_by_their_number),
    ),
    ("floor", Fractions),
    ("fma", Fractions),
    ("for", Structure),
    ("fpowi", Functions),
    (
        "ftof",
        Exactly(
            every_pattern::every_pattern_of_a_small_float_converts_to_every_float_in_every_mode,
        ),
    ),
    (
        "ftoi",
        Exactly(every_pattern::every_pattern_of_a_small_float_converts_to_every_integer),
    ),
    ("get_global", Structure),
    ("get_index_space_shape", Structure),
    ("get_num_tile_blocks", Structure),
    ("get_tensor_shape", Structure),
    ("get_tile_block_id", Structure),
    ("if", Structure),
    (
        "insert",
        Exactly(core::slices_are_taken_out_and_put_in_by_their_number),
    ),
    ("int_to_ptr", Structure),
    ("iota", Exactly(core::data_moves_as_the_shapes_say)),
    (
        "itof",
        Exactly(every_pattern::every_integer_of_eight_and_sixteen_bits_converts_to_every_float),
    ),
    ("join_tokens", Structure),
    ("log", Functions),
    ("log2", Functions),
    ("loop", Structure),
    ("loop.for", Flattened),
    ("loop.if", Flattened),
    ("loop.parallel", Flattened),
    ("loop.reduce.return", Flattened),
    ("loop.yield", Flattened),
    ("make_gather_scatter_view", Structure),
    ("make_partition_view", Structure),
    ("make_strided_view", Structure),
    ("make_tensor_view", Structure),
    ("make_token", Structure),
    ("maxf", Fractions),
    (
        "maxi",
        Exactly(integer::integer_order_depends_on_signedness),
    ),
    ("minf", Fractions),
    (
        "mini",
        Exactly(integer::integer_order_depends_on_signedness),
    ),
    (
        "mmaf",
        Exactly(matmul::matmuls_of_every_type_are_exact_where_no_sum_rounds),
    ),
    (
        "mmaf_scaled",
        Exactly(matmul::every_block_has_its_scale_factors_and_the_sum_has_the_documented_order),
    ),
    ("mmai", Exactly(reduction::an_integer_matmul_wraps_in_i32)),
    ("mulf", Fractions),
    ("mulhii", Exactly(integer::integer_arithmetic_wraps)),
    ("muli", Exactly(integer::integer_arithmetic_wraps)),
    ("negf", Fractions),
    (
        "negi",
        Exactly(integer::negation_and_absolute_value_of_the_least_number_wrap),
    ),
    ("offset", Structure),
    ("ori", Exactly(integer::integer_arithmetic_wraps)),
    (
        "pack",
        Exactly(matmul::bits_are_packed_low_ones_first_and_come_back),
    ),
    ("permute", Exactly(core::data_moves_as_the_shapes_say)),
    ("pow", Functions),
    ("ptr_to_int", Structure),
    ("ptr_to_ptr", Structure),
    ("ptx.inline_pure", Flattened),
    (
        "reduce",
        Exactly(reduction::a_reduction_by_one_operation_combines_halves_or_goes_along_the_axis),
    ),
    ("remf", Fractions),
    (
        "remi",
        Exactly(integer::division_rounds_as_told_and_faults_where_it_is_undefined),
    ),
    ("reshape", Exactly(core::data_moves_as_the_shapes_say)),
    ("rsqrt", Functions),
    (
        "scan",
        Exactly(reduction::a_scan_gives_what_was_combined_so_far_in_both_directions),
    ),
    ("select", Exactly(core::data_moves_as_the_shapes_say)),
    (
        "shli",
        Exactly(integer::division_rounds_as_told_and_faults_where_it_is_undefined),
    ),
    (
        "shri",
        Exactly(integer::division_rounds_as_told_and_faults_where_it_is_undefined),
    ),
    ("sin", Functions),
    ("sinh", Functions),
    ("sqrt", Fractions),
    ("subf", Fractions),
    ("subi", Exactly(integer::integer_arithmetic_wraps)),
    ("tan", Functions),
    ("tanh", Functions),
    ("trunci", Exactly(conversion::integer_widths_convert)),
    (
        "unpack",
        Exactly(matmul::bits_are_packed_low_ones_first_and_come_back),
    ),
    ("xori", Exactly(integer::integer_arithmetic_wraps)),
    ("yield", Structure),
];

#[test]
fn every_operation_without_effects_is_compared() {
    let listed: Vec<&str> = ROSTER.iter().map(|&(name, _)| name).collect();
    let mut mnemonics: Vec<&str> = Opcode::all()
        .map(Opcode::def)
        .filter(|def| {
            matches!(
                def.effects,
                Effects::Pure | Effects::NoMemoryEffect | Effects::Regions
            )
        })
        .map(|def| def.mnemonic)
        .collect();
    mnemonics.sort_unstable();
    assert_eq!(listed, mnemonics);
}

#[test]
fn the_operations_of_a_list_are_those_that_say_so() {
    let rows = |wanted: fn(&Comparison) -> bool| -> BTreeSet<&str> {
        let rows = ROSTER.iter().filter(|(_, by)| wanted(by));
        rows.map(|&(name, _)| name).collect()
    };
    let name = |op: FloatOp| Opcode::from(op).def().mnemonic;
    let arithmetic: BTreeSet<&str> = ARITHMETIC.iter().map(|row| name(row.op)).collect();
    assert_eq!(rows(|by| matches!(by, Fractions)), arithmetic);
    let mut functions: BTreeSet<&str> = FUNCTIONS.iter().map(|row| name(row.op)).collect();
    // `sqrt` is in both tables, since it is correctly rounded.
    assert!(functions.remove("sqrt"));
    assert_eq!(rows(|by| matches!(by, Functions)), functions);
}
