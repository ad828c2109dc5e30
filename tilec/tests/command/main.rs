//! The command as its users meet it: arguments and files in; streams, files and the
//! status out.

mod assemble;
mod build;
mod check;
mod failure;
mod opt;
mod run;
mod support;
