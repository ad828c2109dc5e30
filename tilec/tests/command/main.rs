//! Tests of the command as users run it: they pass arguments and files, and check streams, files
//! and the exit status.

mod assemble;
mod build;
mod bundle;
mod check;
mod cluster_split;
mod corpus;
mod doctor;
mod failure;
mod opt;
#[path = "../../../tile-core/tests/common/python.rs"]
mod python;
mod run;
mod sim;
mod support;
mod tune;
