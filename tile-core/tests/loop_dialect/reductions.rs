//! Generates results of parallel loops: initial values, and bodies that combine them.

use crate::generate::Generator;

/// Bodies of reductions of `%l` and `%r` of type `T`, with the result `%x`.
const PLAIN: [&str; 9] = [
    "%x = addi %l, %r : T",
    "%x = muli %l, %r : T",
    "%x = maxi %l, %r signed : T",
    "%x = maxi %l, %r unsigned : T",
    "%x = mini %l, %r signed : T",
    "%x = mini %r, %l unsigned : T",
    "%x = andi %l, %r : T",
    "%x = ori %r, %l : T",
    "%x = xori %l, %r : T",
];

const ODD: [&str; 6] = [
    // (1 + l) * (1 + r) - 1
    "%p = muli %l, %r : T\n%s = addi %l, %r : T\n%x = addi %p, %s : T",
    "%p = xori %l, %r : T\n%c = constant <i32: 12345> : T\n%x = xori %p, %c : T",
    "%p = addi %l, %r : T\n%c = constant <i32: 77> : T\n%x = subi %p, %c : T",
    "%c = cmpi less_than %l, %r, signed : T -> M\n%x = select %c, %r, %l : M, T",
    // `xori` applied an odd number of times equals one `xori`.
    "%z = constant <i32: 0> : tile<i32>\n%o = constant <i32: 1> : tile<i32>\n\
     %t = constant <i32: 3> : tile<i32>\n\
     %x = loop.for %i = %z to %t step %o iter_args(%a = %l) -> (T) {\n\
     %b = xori %a, %r : T\nloop.yield %b : T\n}",
    // The maximum of both operands, computed by a loop inside the body.
    "%z = constant <i32: 0> : tile<i32>\n%o = constant <i32: 1> : tile<i32>\n\
     %x = loop.parallel (%i) = (%z) to (%o) step (%o) init (%l) -> (T) {\n\
     loop.reduce(%r) {\n^bb0(%d: T, %e: T):\n%f = maxi %d, %e signed : T\n\
     loop.reduce.return %f : T\n} : T\n}",
];

impl Generator {
    /// Makes the initial value of a result, which is a constant in half of all cases.
    pub(crate) fn init(&mut self, is_tile: bool) -> String {
        let ty = name_of(is_tile);
        match (self.random.one_in(2), is_tile) {
            (true, _) => self.define(&format!("constant <i32: -5> : {ty}")),
            (false, true) => self.tile(),
            (false, false) => self.scalar(),
        }
    }

    /// Makes a `loop.reduce` of a value in scope.
    pub(crate) fn reduce(&mut self, is_tile: bool) {
        let operand = if is_tile { self.tile() } else { self.scalar() };
        let body = if self.random.one_in(3) {
            self.odd_reductions += 1;
            self.random.pick(&ODD)
        } else {
            self.random.pick(&PLAIN)
        };
        let ty = name_of(is_tile);
        let mask = if is_tile { "tile<4xi1>" } else { "tile<i1>" };
        // Give the constants the right rank, and choose unused names.
        let number = self.next;
        self.next += 1;
        let mut text = String::new();
        for word in body.split_inclusive([' ', ',', '\n', '(', ')']) {
            let bare = word.trim_end_matches([' ', ',', '\n', '(', ')', ':']);
            match bare {
                "T" => text.push_str(&word.replace('T', ty)),
                "M" => text.push_str(&word.replace('M', mask)),
                name if name.starts_with('%') => {
                    text.push_str(&word.replace(bare, &format!("{name}_{number}")));
                }
                _ => text.push_str(word),
            }
        }
        self.line(&format!("loop.reduce({operand}) {{"));
        self.line(&format!("^bb0(%l_{number}: {ty}, %r_{number}: {ty}):"));
        self.line(&text);
        self.line(&format!("loop.reduce.return %x_{number} : {ty}"));
        self.line(&format!("}} : {ty}"));
    }
}

/// Returns the spelling of the type of a value.
pub(crate) fn name_of(is_tile: bool) -> &'static str {
    if is_tile { "tile<4xi32>" } else { "tile<i32>" }
}
