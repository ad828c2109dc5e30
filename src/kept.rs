//! Lists whose memory a thread uses for one launch after the other.

use std::cell::RefCell;
use std::thread::LocalKey;

/// The maximum number of lists that a thread keeps.
const MAX_LISTS: usize = 4;

/// The empty lists of a thread.
pub(crate) struct Kept<T>(RefCell<Vec<Vec<T>>>);

impl<T> Kept<T> {
    pub(crate) const fn new() -> Kept<T> {
        Kept(RefCell::new(Vec::new()))
    }
}

/// Returns an empty list, with memory if the thread kept one.
pub(crate) fn take<T>(of: &'static LocalKey<Kept<T>>) -> Vec<T> {
    let kept = of.try_with(|kept| kept.0.borrow_mut().pop());
    kept.ok().flatten().unwrap_or_default()
}

/// Keeps the memory of a list, up to a capacity.
pub(crate) fn give_back<T>(of: &'static LocalKey<Kept<T>>, mut list: Vec<T>, max_capacity: usize) {
    list.clear();
    if (1..=max_capacity).contains(&list.capacity()) {
        // A thread that ends keeps nothing.
        let _kept = of.try_with(|kept| {
            let mut kept = kept.0.borrow_mut();
            if kept.len() < MAX_LISTS {
                kept.push(list);
            }
        });
    }
}
