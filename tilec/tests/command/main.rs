//! Tests of the command as users run it: arguments and files in; streams, files and the exit status
//! out.

mod assemble;
mod build;
mod bundle;
mod check;
mod cluster_split;
mod corpus;
mod failure;
mod opt;
#[path = "../../../tile-core/tests/common/python.rs"]
mod python;
mod run;
mod sim;
mod support;
