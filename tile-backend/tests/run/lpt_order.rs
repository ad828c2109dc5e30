//! Tests LPT order: compiles kernels whose blocks differ in work along an axis of the grid, and checks the
//! order that is chosen and that results do not change.

use libtest_mimic::Trial;
use tile_backend::internals::gpu::{self, LptOrder, RasterOrder};
use tile_backend::session::{DisabledPasses, HostMaps, ScheduleOptions};
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Runnable};

use super::compare::Expected;
use super::export;
use super::machine::compile;
use super::mutation::{lowered, lowered_with_options};
use super::support::{self, options};
use super::trial;

const SEEDS: u64 = 3;

/// Grids with one block, less than a group, exactly one group, and more, along each axis.
const GRIDS: [[u32; 3]; 7] = [
    [1, 1, 1],
    [7, 1, 1],
    [3, 5, 1],
    [5, 3, 2],
    [4, 8, 1],
    [9, 2, 3],
    [1, 11, 2],
];

/// Maximum number of iterations of a loop.
const MAX_ITERATIONS: u32 = 20;

struct Case {
    name: &'static str,
    /// The operations that compute `%end` from `%x`, `%y`, `%z`, `%n` and constants `%c0` to `%c4`.
    end: &'static str,
    start: &'static str,
    /// The condition under which an iteration runs the body of the loop; `None` if the body is unconditional.
    holds: Option<&'static str>,
    order: Option<LptOrder>,
}

const fn case(name: &'static str, end: &'static str, order: Option<LptOrder>) -> Case {
    Case {
        name,
        end,
        start: "%c0",
        holds: None,
        order,
    }
}

const RISES: [Option<LptOrder>; 3] = [
    Some(along(0, true)),
    Some(along(1, true)),
    Some(along(2, true)),
];
const FALLS: [Option<LptOrder>; 3] = [
    Some(along(0, false)),
    Some(along(1, false)),
    Some(along(2, false)),
];

const fn along(axis: u8, rises: bool) -> LptOrder {
    LptOrder { axis, rises }
}

const CASES: [Case; 22] = [
    case(
        "the_next_number",
        "%end = addi %x, %c1 : tile<i32>",
        RISES[0],
    ),
    case(
        "a_quotient_rounded_up",
        "%u = addi %x, %c1 : tile<i32>
         %w = muli %c4, %u : tile<i32>
         %end = divi %w, %c3 signed rounding<positive_inf> : tile<i32>",
        RISES[0],
    ),
    case(
        "at_most_all",
        "%u = shli %y, %c1 : tile<i32>
         %end = mini %u, %n signed : tile<i32>",
        RISES[1],
    ),
    case(
        "the_less_of_two",
        "%u = addi %y, %c2 : tile<i32>
         %less = cmpi less_than %u, %n, signed : tile<i32> -> tile<i1>
         %end = select %less, %u, %n : tile<i1>, tile<i32>",
        RISES[1],
    ),
    case(
        "planes",
        "%u = muli %z, %c3 : tile<i32>
         %end = addi %u, %c2 : tile<i32>",
        RISES[2],
    ),
    case(
        "what_is_left",
        "%end = subi %n, %y : tile<i32>",
        FALLS[1],
    ),
    case(
        "what_is_left_of_planes",
        "%u = muli %z, %c3 : tile<i32>
         %end = subi %n, %u : tile<i32>",
        FALLS[2],
    ),
    case(
        "a_negative_factor",
        "%f = constant <i32: -1> : tile<i32>
         %u = muli %x, %f : tile<i32>
         %end = addi %u, %n : tile<i32>",
        FALLS[0],
    ),
    case(
        "a_negative",
        "%u = negi %x : tile<i32>
         %end = addi %n, %u : tile<i32>",
        FALLS[0],
    ),
    case(
        "twice_turned",
        "%u = subi %c4, %x : tile<i32>
         %end = subi %n, %u : tile<i32>",
        RISES[0],
    ),
    case(
        "a_wider_number",
        "%u = exti %x signed : tile<i32> -> tile<i64>
         %w = addi %u, %u : tile<i64>
         %end = trunci %w : tile<i64> -> tile<i32>",
        RISES[0],
    ),
    Case {
        name: "from_the_own_on",
        end: "%end = addi %n, %c0 : tile<i32>",
        start: "%x",
        holds: None,
        order: FALLS[0],
    },
    Case {
        name: "as_many_each",
        end: "%end = addi %x, %c3 : tile<i32>",
        start: "%x",
        holds: None,
        order: None,
    },
    Case {
        name: "in_a_branch",
        end: "%end = addi %n, %c0 : tile<i32>",
        start: "%c0",
        holds: Some(
            "%u = muli %j, %c2 : tile<i32>
             %holds = cmpi less_than_or_equal %u, %bound, signed : tile<i32> -> tile<i1>",
        ),
        order: RISES[1],
    },
    case("all_alike", "%end = addi %n, %c0 : tile<i32>", None),
    case("along_two_axes", "%end = addi %x, %y : tile<i32>", None),
    case(
        "none_of_a_difference",
        "%end = subi %x, %y : tile<i32>",
        None,
    ),
    case(
        "with_a_remainder",
        "%u = remi %x, %c3 signed : tile<i32>
         %end = addi %x, %u : tile<i32>",
        None,
    ),
    case(
        "with_what_a_branch_chooses",
        "%is = cmpi equal %x, %c1, signed : tile<i32> -> tile<i1>
         %u = if %is -> (tile<i32>) { yield %c4 : tile<i32> } else { yield %c1 : tile<i32> }
         %end = addi %x, %u : tile<i32>",
        None,
    ),
    case(
        "with_what_is_loaded",
        "%vl = make_tensor_view %in, shape = [%blocks], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
         %pl = make_partition_view %vl : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>
         %one, %tl = load_view_tko weak %pl[%number] : partition_view<tile=(1), tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
         %u = reshape %one : tile<1xi32> -> tile<i32>
         %end = addi %x, %u : tile<i32>",
        None,
    ),
    case(
        "which_count_themselves",
        "%old, %told = atomic_rmw_tko relaxed device %in, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
         %end = addi %x, %c1 : tile<i32>",
        RISES[0],
    ),
    case(
        "which_may_wait",
        "%old, %told = atomic_rmw_tko acq_rel device %in, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
         %end = addi %x, %c1 : tile<i32>",
        None,
    ),
];

fn runnable(case: &Case, grid: [u32; 3]) -> Result<Runnable, String> {
    let view = "partition_view<tile=(1x32), tensor_view<?x32xi32, strides=[32,1]>>";
    let work = "%three = muli %acc, %threes : tile<1x32xi32>
        %j1 = reshape %j : tile<i32> -> tile<1x1xi32>
        %js = broadcast %j1 : tile<1x1xi32> -> tile<1x32xi32>
        %more = addi %three, %js : tile<1x32xi32>";
    let body = match case.holds {
        None => format!("{work}\ncontinue %more : tile<1x32xi32>"),
        Some(holds) => format!(
            "{holds}
            %next = if %holds -> (tile<1x32xi32>) {{
              {work}
              yield %more : tile<1x32xi32>
            }} else {{
              yield %acc : tile<1x32xi32>
            }}
            continue %next : tile<1x32xi32>"
        ),
    };
    let constant = |number| format!("%c{number} = constant <i32: {number}> : tile<i32>");
    let constants: Vec<String> = (0..5).map(constant).collect();
    let constants = constants.join("\n    ");
    let source = format!(
        "cuda_tile.module @kernels {{
  entry @f(%out: tile<ptr<i32>>, %in: tile<ptr<i32>>, %n: tile<i32>, %blocks: tile<i32>) {{
    %x, %y, %z = get_tile_block_id : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    {constants}
    %plane = muli %z, %gy : tile<i32>
    %rows = addi %plane, %y : tile<i32>
    %row = muli %rows, %gx : tile<i32>
    %number = addi %row, %x : tile<i32>
    %two = shli %y, %c2 : tile<i32>
    %bound = addi %two, %c1 : tile<i32>
    %v = make_tensor_view %out, shape = [%blocks, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xi32, strides=[32,1]>
    %p = make_partition_view %v : {view}
    %threes = constant <i32: 3> : tile<1x32xi32>
    %i = iota : tile<32xi32>
    %first = reshape %i : tile<32xi32> -> tile<1x32xi32>
    {}
    %sum = for %j in ({} to %end, step %c1) : tile<i32> iter_values(%acc = %first) -> (tile<1x32xi32>) {{
      {body}
    }}
    %t = store_view_tko weak %sum, %p[%number, %c0] : tile<1x32xi32>, {view}, tile<i32> -> token
    return
  }}
}}
",
        case.end, case.start,
    );
    let module = support::module(&source, case.name)?;
    let blocks: u32 = grid.iter().product();
    let args = vec![
        support::unset(u64::from(blocks) * 128),
        Argument::Buffer(
            (0..blocks)
                .flat_map(|block| (block % 5).to_le_bytes())
                .collect(),
        ),
        Argument::Number(MAX_ITERATIONS.into()),
        Argument::Number(blocks.into()),
    ];
    Ok(Runnable { module, grid, args })
}

fn run(case: &Case) -> Result<(), String> {
    let module = runnable(case, GRIDS[0])?.module;
    let kernel = lowered(&module, Arch::SM_80, Some(1))?;
    let text = gpu::to_text(&kernel);
    let actual = match kernel.launch.raster_order {
        RasterOrder::Lpt(order) => Some(order),
        RasterOrder::Fixed | RasterOrder::Any | RasterOrder::Grouped(_) => None,
    };
    if actual != case.order {
        return Err(format!(
            "{actual:?} in place of {:?} of\n{text}",
            case.order
        ));
    }
    let schedule = ScheduleOptions {
        num_warps: Some(1),
        disabled: DisabledPasses::LPT_ORDER,
        ..ScheduleOptions::default()
    };
    let kernel_options = options(schedule, HostMaps::None);
    let text = gpu::to_text(&lowered_with_options(&module, Arch::SM_80, kernel_options)?);
    if text.contains("raster=lpt") {
        return Err(format!("nothing is left out of\n{text}"));
    }
    let artifact = compile(&module, export::arch(Arch::SM_80), Some(1))?;
    for grid in GRIDS {
        let runnable = runnable(case, grid)?;
        Expected::new(&runnable, 0.0)
            .check_under(&artifact, &runnable, SEEDS)
            .map_err(|what| format!("{grid:?}: {what}"))?;
    }
    Ok(())
}

pub(crate) fn trials() -> Vec<Trial> {
    let case_trial =
        |case: &'static Case| trial(format!("lpt_order/{}", case.name), move || run(case));
    CASES.iter().map(case_trial).collect()
}
