//! Gathers and scatters whose elements may be neighbours in memory.

use std::fmt::Write as _;

use tile_core::ir::Module;
use tile_core::testing::{Argument, Outcome, Runnable, execute};
use tile_core::types::Scalar;
use tile_core::{Diagnostics, text};

use super::{Code, Level, Times, canonical, codes, compile, levels, llvm_text, run};

/// A kernel that copies 64 elements of `scalar` from `x` to `y`, at the index `%at` of both, and to the start of `z`, where
/// masked elements are 3. `index` computes `%at` from `%i`, the numbers from 0, and from `%n.s`, which is the number of the
/// launch in each element. `mask` compares `%at` with a number, for instance `less_than 100`, or is a value.
fn copy_at(scalar: Scalar, integer: &str, index: &str, mask: Option<&str>) -> Module {
    let (pointers, numbers) = (
        format!("tile<64xptr<{scalar}>>"),
        format!("tile<64x{integer}>"),
    );
    let spread = |name: &str, ty: &str| {
        format!(
            "    %{name}.r = reshape %{name} : tile<{ty}> -> tile<1x{ty}>
    %{name}.s = broadcast %{name}.r : tile<1x{ty}> -> tile<64x{ty}>\n"
        )
    };
    let mut source = format!(
        "cuda_tile.module @m {{
  entry @copy(%x: tile<ptr<{scalar}>>, %y: tile<ptr<{scalar}>>, %z: tile<ptr<{scalar}>>, %n: tile<{integer}>) {{
    %i = iota : {numbers}\n"
    );
    source += &spread("n", integer);
    source += &spread("x", &format!("ptr<{scalar}>"));
    source += &spread("y", &format!("ptr<{scalar}>"));
    source += &spread("z", &format!("ptr<{scalar}>"));
    for line in index.lines() {
        let _ = if line.contains(" : ") {
            writeln!(source, "    {line}")
        } else {
            writeln!(source, "    {line} : {numbers}")
        };
    }
    let (mut masked, mut mask_type) = (String::new(), String::new());
    let (mut padded, mut padding_type) = ("", String::new());
    if let Some(mask) = mask {
        let name = match mask.split_once(' ') {
            None => mask,
            Some((predicate, limit)) => {
                let _ = writeln!(
                    source,
                    "    %limit = constant <{integer}: {limit}> : {numbers}
    %m = cmpi {predicate} %at, %limit, signed : {numbers} -> tile<64xi1>"
                );
                "%m"
            }
        };
        masked = format!(", {name}");
        mask_type = ", tile<64xi1>".to_owned();
        padded = ", %three";
        padding_type = format!(", tile<64x{scalar}>");
    }
    let three = if scalar.is_float() { "3.0" } else { "3" };
    let _ = write!(
        source,
        "    %three = constant <{scalar}: {three}> : tile<64x{scalar}>
    %whole = iota : tile<64xi32>
    %w = offset %z.s, %whole : {pointers}, tile<64xi32> -> {pointers}
    %p = offset %x.s, %at : {pointers}, {numbers} -> {pointers}
    %q = offset %y.s, %at : {pointers}, {numbers} -> {pointers}
    %v, %t = load_ptr_tko weak %p{masked}{padded} : {pointers}{mask_type}{padding_type} -> tile<64x{scalar}>, token
    %u = store_ptr_tko weak %q, %v{masked} : {pointers}, tile<64x{scalar}>{mask_type} -> token
    %r = store_ptr_tko weak %w, %v : {pointers}, tile<64x{scalar}> -> token
    return
  }}
}}"
    );
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "copy", &mut diagnostics);
    module.unwrap_or_else(|_| panic!("{:#?}\n{source}", diagnostics.take()))
}

/// Elements that may be neighbours: they are, they are at other distances, an index wraps between two of them, they are outside
/// of memory, under a mask or not.
#[test]
fn neighbours_are_loaded_and_stored_as_the_interpreter_does() {
    /// The index is chosen by the mask, as for elements outside of a tensor.
    const CHOSEN: &str = "%from = constant <i32: 60>
%zero = constant <i32: 0>
%b = addi %i, %from
%c = cmpi less_than %b, %n.s, unsigned : tile<64xi32> -> tile<64xi1>
%at = select %c, %b, %zero : tile<64xi1>, tile<64xi32>";
    const DOUBLED: &str = "%zero = constant <i64: 0>
%b = addi %i, %i
%c = cmpi less_than %b, %n.s, unsigned : tile<64xi64> -> tile<64xi1>
%at = select %c, %b, %zero : tile<64xi1>, tile<64xi64>";
    const STRIDED: &str = "%few = constant <i32: 7> : tile<64xi32>
%j = iota : tile<64xi32>
%k = addi %j, %few : tile<64xi32>
%l = exti %k signed : tile<64xi32> -> tile<64xi64>
%at = muli %l, %n.s";
    const TOGETHER: &str = "%from = constant <i32: 60>
%zero = constant <i32: 0>
%c = cmpi less_than %from, %n.s, unsigned : tile<64xi32> -> tile<64xi1>
%at = select %c, %i, %zero : tile<64xi1>, tile<64xi32>";
    const WIDE: &str = "%j = iota : tile<64xi32>
%k = exti %j signed : tile<64xi32> -> tile<64xi64>
%l = muli %k, %n.s
%at = muli %l, %n.s";
    let cases = [
        ("i32", "%at = addi %i, %n.s", None, &[0_i64, 1, 36][..]),
        // Beyond the end, which is a fault.
        (
            "i32",
            "%at = addi %i, %n.s",
            None,
            &[37, 99, 100, -1, i64::MIN],
        ),
        (
            "i32",
            "%at = addi %i, %n.s",
            Some("less_than 100"),
            &[0, 37, 90, 99, 100],
        ),
        (
            "i32",
            "%at = addi %i, %n.s",
            Some("greater_than_or_equal 0"),
            &[-1, -5, -63, -64],
        ),
        (
            "i64",
            "%at = addi %i, %n.s",
            Some("less_than 70"),
            &[0, 3, 69],
        ),
        (
            "i64",
            "%at = muli %i, %n.s",
            Some("less_than 100"),
            &[0, 1, 2, 3],
        ),
        ("i64", "%at = subi %n.s, %i", None, &[63, 99]),
        (
            "i32",
            "%b = muli %i, %n.s\n%at = addi %b, %i",
            None,
            &[0, 1, -1],
        ),
        // The sum of a step of 2^31 and of one that is odd.
        (
            "i32",
            "%b = muli %i, %n.s\n%at = muli %b, %n.s",
            None,
            &[1, 65535, 65537, 0x4000_0001],
        ),
        // In 64 bits, numbers from 0 on in 32 bits do not wrap.
        ("i64", WIDE, None, &[0, 1, 2, -1, 36]),
        // A stride that is not known.
        ("i64", STRIDED, None, &[0, 1, 2, -1, 1 << 40]),
        // One condition for all elements.
        ("i32", TOGETHER, None, &[60, 61]),
        ("i8", "%at = addi %i, %n.s", None, &[0, 30, 63]),
        ("i32", CHOSEN, Some("%c"), &[0, 61, 80, 100, 101, 200]),
        ("i64", DOUBLED, Some("%c"), &[0, 63, 100, 128]),
        // The mask has lanes that were not chosen.
        ("i32", CHOSEN, Some("less_than 100"), &[61, 80, 100]),
        ("i32", CHOSEN, None, &[80, 100]),
        // From 127 on to -128.
        (
            "i8",
            "%at = addi %i, %n.s",
            Some("greater_than_or_equal 0"),
            &[80, 100, 127, -20],
        ),
        (
            "i8",
            "%at = muli %i, %n.s",
            Some("greater_than_or_equal 0"),
            &[1, 3, 86, 43],
        ),
    ];
    let mut faults = 0;
    for scalar in [Scalar::I8, Scalar::F32, Scalar::F64] {
        for (integer, index, mask, numbers) in cases {
            let module = compiled(copy_at(scalar, integer, index, mask));
            for &number in numbers {
                let what = format!("{scalar}, {integer}, {index}, {mask:?}, {number}");
                faults += usize::from(is_fault(&module, scalar, 100, number, &what));
            }
        }
    }
    assert!(faults > 0, "no access is outside of memory");
}

/// The index is three times a number of 8 bits whose step is a third modulo 2^8: every third element has the place that it
/// would have beside the first, and no other.
#[test]
fn a_third_of_the_elements_may_be_in_their_places() {
    const THIRDS: &str = "%j = iota : tile<64xi8>
%step = trunci %n.s : tile<64xi64> -> tile<64xi8>
%k = muli %j, %step : tile<64xi8>
%l = exti %k signed : tile<64xi8> -> tile<64xi64>
%factor = constant <i64: 3>
%at = muli %l, %factor";
    for scalar in [Scalar::F32, Scalar::F64] {
        let module = compiled(copy_at(
            scalar,
            "i64",
            THIRDS,
            Some("greater_than_or_equal 0"),
        ));
        let what = format!("{scalar}");
        assert!(!is_fault(&module, scalar, 400, 171, &what));
    }
}

/// Returns an index: what `address` computes from `%wide`, the numbers from 0 with the low bits of `%n` changed, as a number of
/// 32 bits. It is below an extent that is not known to the compiler: `limit`, or a greater `%n`.
fn indexed(limit: u32, address: &str) -> String {
    format!(
        "%j = iota : tile<64xi32>
%changed = trunci %n.s : tile<64xi64> -> tile<64xi32>
%narrow = xori %j, %changed : tile<64xi32>
%wide = exti %narrow signed : tile<64xi32> -> tile<64xi64>
%least = constant <i64: {limit}>
%extent = maxi %least, %n.s signed
%c = cmpi less_than %wide, %extent, unsigned : tile<64xi64> -> tile<64xi1>
%zero = constant <i64: 0>
%limit64 = constant <i64: 64>
%some = cmpi not_equal %n.s, %limit64, signed : tile<64xi64> -> tile<64xi1>
%five = constant <i32: 5> : tile<64xi32>
%few = cmpi not_equal %j, %five, signed : tile<64xi32> -> tile<64xi1>
%part = andi %some, %few : tile<64xi1>
%both = andi %part, %c : tile<64xi1>
{address}
%at = select %c, %b, %zero : tile<64xi1>, tile<64xi64>"
    )
}

/// Indices of 32 bits, in any order, whose stride is 1 or not, and whose extent is that of the memory or not.
#[test]
fn indices_of_32_bits_are_those_of_the_interpreter() {
    const PLAIN: &str = "%one = constant <i64: 1>\n%b = muli %wide, %one";
    const TWICE: &str = "%two = constant <i64: 2>\n%b = muli %wide, %two";
    const MOVED: &str = "%ten = constant <i64: 10>\n%b = addi %wide, %ten";
    const BEFORE: &str = "%ten = constant <i64: -10>\n%b = addi %wide, %ten";
    const NUMBERS: [i64; 8] = [0, 1, 37, 64, 96, -1, i64::MIN, 1 << 31];
    let cases = [
        (100, PLAIN),
        (200, PLAIN),
        (50, TWICE),
        (100, TWICE),
        (90, MOVED),
        (91, MOVED),
        (100, BEFORE),
        (u32::MAX, PLAIN),
    ];
    let mut faults = 0;
    for scalar in [Scalar::I8, Scalar::I32, Scalar::F32, Scalar::F64] {
        for (limit, address) in cases {
            // The second mask has a part that is the same for all elements, and one that is not.
            for mask in ["%c", "%both"] {
                let index = indexed(limit, address);
                let module = compiled(copy_at(scalar, "i64", &index, Some(mask)));
                for number in NUMBERS {
                    let what = format!("{scalar}, {limit}, {address}, {mask}, {number}");
                    faults += usize::from(is_fault(&module, scalar, 100, number, &what));
                }
            }
        }
        let empty = compiled(copy_at(scalar, "i64", &indexed(0, PLAIN), Some("%c")));
        assert!(!is_fault(&empty, scalar, 0, 0, "no elements"));
        assert!(is_fault(&empty, scalar, 0, 1, "no elements"));
    }
    assert!(faults > 0, "no access is outside of memory");
}

#[test]
fn a_gather_at_indices_of_32_bits_extends_none() {
    let address = "%one = constant <i64: 1>\n%b = muli %wide, %one";
    let module = copy_at(Scalar::F32, "i64", &indexed(100, address), Some("%c"));
    let module = canonical(&module);
    let entry = module.entries().next().expect("an entry");
    let (text, _) = llvm_text(&module, entry, Level::Avx512, &mut Times::new()).expect("a kernel");
    let is_loaded = text.contains("call <16 x float> @llvm.x86.avx512.mask.gather.dps.512(");
    let is_stored =
        |line: &str| line.contains("getelementptr float") && line.contains("<16 x i32>");
    assert!(is_loaded && text.lines().any(is_stored), "{text}");
}

/// Without an instruction for it: indices leave their vector in pairs, and elements are inserted where they are loaded.
#[test]
fn elements_at_indices_of_32_bits_are_loaded_into_their_vector() {
    let address = "%one = constant <i64: 1>\n%b = muli %wide, %one";
    let module = copy_at(Scalar::F32, "i64", &indexed(100, address), Some("%c"));
    let module = canonical(&module);
    let entry = module.entries().next().expect("an entry");
    let native = compile(&module, entry, Level::Avx2, &mut Times::new());
    let assembly = native.expect("LLVM").expect("native code").assembly;
    let inserted: Vec<&str> = assembly
        .lines()
        .filter(|line| line.contains("vpinsrd"))
        .collect();
    let are_loaded = inserted.iter().all(|line| line.contains('('));
    assert!(!inserted.is_empty() && are_loaded, "{assembly}");
    assert!(!assembly.contains("vpextrd"), "{assembly}");
}

/// Every second element of a tile in memory, and a concatenation of what is computed from them.
#[test]
fn a_concatenation_is_computed_half_by_half() {
    let source = "cuda_tile.module @m {
  entry @stage(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %i = iota : tile<128xi32>
    %x.r = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %x.s = broadcast %x.r : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %y.r = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %y.s = broadcast %y.r : tile<1xptr<f32>> -> tile<128xptr<f32>>
    %p = offset %x.s, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %q = offset %y.s, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<128xptr<f32>> -> tile<128xf32>, token
    %w = reshape %v : tile<128xf32> -> tile<64x2xf32>
    %a = extract %w[%zero, %zero] : tile<64x2xf32> -> tile<64x1xf32>
    %b = extract %w[%zero, %one] : tile<64x2xf32> -> tile<64x1xf32>
    %sum = addf %a, %b : tile<64x1xf32>
    %difference = subf %a, %b : tile<64x1xf32>
    %c = cat %sum, %difference dim = 0 : tile<64x1xf32>, tile<64x1xf32> -> tile<128x1xf32>
    %d = reshape %c : tile<128x1xf32> -> tile<128xf32>
    %u = store_ptr_tko weak %q, %d : tile<128xptr<f32>>, tile<128xf32> -> token
    return
  }
}";
    let module = text::parse(source, "stage", &mut Diagnostics::new()).expect("a module");
    let numbers = (0..128_u16).map(|i| f32::from(i * i % 251));
    let runnable = Runnable {
        module: module.clone(),
        grid: [1; 3],
        args: vec![
            Argument::Buffer(numbers.flat_map(f32::to_le_bytes).collect()),
            Argument::Buffer(vec![0; 512]),
        ],
    };
    let Outcome { buffers, fault, .. } = execute(&runnable);
    assert_eq!(fault, None);
    let module = canonical(&module);
    for level in levels(&module) {
        let ran = run(&module, &runnable, level).expect("native code");
        assert_eq!(ran.buffers, buffers, "{level}");
    }
}

/// Runs a kernel on `count` elements at every level, and compares it with the interpreter, which says whether it is a fault.
fn is_fault(
    (module, codes): &(Module, Vec<(Level, Code)>),
    scalar: Scalar,
    count: usize,
    number: i64,
    what: &str,
) -> bool {
    let bytes = count * scalar.bytes();
    // Bit patterns that are no NaN.
    let content = (0..bytes)
        .map(|byte| u8::try_from(byte % 61).expect("below 61"))
        .collect();
    let runnable = Runnable {
        module: module.clone(),
        grid: [1; 3],
        args: vec![
            Argument::Buffer(content),
            Argument::Buffer(vec![0; bytes]),
            Argument::Buffer(vec![0; 64 * scalar.bytes()]),
            Argument::Number(number.cast_unsigned()),
        ],
    };
    super::is_fault(&runnable, codes, what)
}

/// Returns a module and its native code, of all levels.
fn compiled(module: Module) -> (Module, Vec<(Level, Code)>) {
    let codes = codes(&canonical(&module));
    (module, codes)
}

/// Bytes at indices of one byte: AVX-512 has 128 of them in two vectors, whose lanes have more bits than a word.
#[test]
fn bytes_at_any_index_are_those_of_the_interpreter() {
    const SOURCE: &str = "cuda_tile.module @m {
  entry @permute(%x: tile<ptr<i8>>, %y: tile<ptr<i8>>, %n: tile<i8>, %limit: tile<i8>) {
    %i = iota : tile<128xi8>
    %nr = reshape %n : tile<i8> -> tile<1xi8>
    %ns = broadcast %nr : tile<1xi8> -> tile<128xi8>
    %lr = reshape %limit : tile<i8> -> tile<1xi8>
    %ls = broadcast %lr : tile<1xi8> -> tile<128xi8>
    %at = xori %i, %ns : tile<128xi8>
    %m = cmpi less_than %at, %ls, signed : tile<128xi8> -> tile<128xi1>
    %five = constant <i8: 5> : tile<128xi8>
    %xr = reshape %x : tile<ptr<i8>> -> tile<1xptr<i8>>
    %xs = broadcast %xr : tile<1xptr<i8>> -> tile<128xptr<i8>>
    %yr = reshape %y : tile<ptr<i8>> -> tile<1xptr<i8>>
    %ys = broadcast %yr : tile<1xptr<i8>> -> tile<128xptr<i8>>
    %p = offset %xs, %at : tile<128xptr<i8>>, tile<128xi8> -> tile<128xptr<i8>>
    %q = offset %ys, %i : tile<128xptr<i8>>, tile<128xi8> -> tile<128xptr<i8>>
    %v, %t = load_ptr_tko weak %p, %m, %five : tile<128xptr<i8>>, tile<128xi1>, tile<128xi8> -> tile<128xi8>, token
    %u = store_ptr_tko weak %q, %v : tile<128xptr<i8>>, tile<128xi8> -> token
    return
  }
}";
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(SOURCE, "permute", &mut diagnostics);
    let module = module.unwrap_or_else(|_| panic!("{:#?}", diagnostics.take()));
    let codes = codes(&canonical(&module));
    for (number, limit) in [(0, 127), (1, 100), (37, 64), (127, 1), (90, 0)] {
        let runnable = Runnable {
            module: module.clone(),
            grid: [1; 3],
            args: vec![
                Argument::Buffer((100..228).collect()),
                Argument::Buffer(vec![0; 128]),
                Argument::Number(number),
                Argument::Number(limit),
            ],
        };
        let what = format!("{number}, {limit}");
        assert!(!super::is_fault(&runnable, &codes, &what), "{what}");
    }
}
