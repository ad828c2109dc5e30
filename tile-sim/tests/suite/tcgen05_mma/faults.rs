//! Products without meaning.
