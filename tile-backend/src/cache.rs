//! The artifact cache: maps the key of a compilation to the files that it produced.
//!
//! After any edit, rustc expands every attribute macro of a crate again, so unchanged kernels must cost
//! nothing. Input: a [`Key`] over everything that decides the result. Output: the [`Blobs`] stored under it,
//! or nothing.
//!
//! Invariants:
//! - the cache never fails a build: every failure to read or write is a miss;
//! - entries are checksummed, and a damaged entry is removed, so a hit returns exactly what was stored;
//! - a reader sees a whole entry or none: entries are written to a temporary file, which is then renamed;
//! - the folder stays near its limit: the least recently used entries are evicted first.
//!
//! An entry is the file `artifacts/<2 hex digits>/<62 hex digits>`:
//!
//! ```text
//! "TILEART1" | blake3 of the rest, 32 bytes | blob* ;  blob = name length u32, name, length u64, bytes
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fs4::FileExt;
use nanoserde::{DeJson, SerJson};

const MAGIC: &[u8; 8] = b"TILEART1";
const CHECKSUM_BYTES: usize = 32;

/// The identity of one compilation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(blake3::Hash);

impl Key {
    /// Starts a key for artifacts of this compiler; it includes [`crate::COMPILER_ID`]. Keys with different
    /// `purpose`s never collide.
    pub fn builder(purpose: &str) -> KeyBuilder {
        KeyBuilder {
            hasher: blake3::Hasher::new(),
        }
        .part("compiler", crate::COMPILER_ID)
        .part("purpose", purpose)
    }

    /// Starts a key that does not depend on the compiler.
    pub fn of_content(purpose: &str) -> KeyBuilder {
        KeyBuilder {
            hasher: blake3::Hasher::new(),
        }
        .part("purpose", purpose)
    }

    /// Returns the key as 64 hexadecimal digits.
    pub fn to_hex(&self) -> String {
        self.0.to_hex().to_string()
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key({})", self.to_hex())
    }
}

/// Collects the labelled parts of a [`Key`]: bytecode, target, options, versions of the compilers.
pub struct KeyBuilder {
    hasher: blake3::Hasher,
}

impl KeyBuilder {
    /// Adds one part. Lengths are hashed too, so that different lists of parts never yield the same input.
    #[must_use]
    pub fn part(mut self, label: &str, bytes: impl AsRef<[u8]>) -> Self {
        for field in [label.as_bytes(), bytes.as_ref()] {
            self.hasher.update(&(field.len() as u64).to_le_bytes());
            self.hasher.update(field);
        }
        self
    }

    /// Returns the key of the parts added so far.
    pub fn finish(self) -> Key {
        Key(self.hasher.finalize())
    }
}

/// Named byte strings: the output of one compilation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blobs(BTreeMap<String, Vec<u8>>);

impl Blobs {
    /// Creates an empty set of blobs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a blob, or replaces the blob of that name.
    pub fn insert(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.insert(name.into(), bytes.into());
    }

    /// Returns the blob of that name.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Returns the blob of that name as text, or `None` if it is not UTF-8.
    pub fn get_text(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(self.get(name)?).ok()
    }

    /// Adds a value, serialized as JSON.
    pub fn insert_json(&mut self, name: impl Into<String>, value: &impl SerJson) {
        let json = value.serialize_json().into_bytes();
        self.insert(name, json);
    }

    /// Returns the value of that name, or `None` if it is absent or malformed.
    pub fn get_json<T: DeJson>(&self, name: &str) -> Option<T> {
        T::deserialize_json(self.get_text(name)?).ok()
    }

    /// Returns the blobs whose names are not `omitted`.
    pub(crate) fn without(&self, omitted: impl Fn(&str) -> bool) -> Self {
        let mut kept = self.clone();
        kept.0.retain(|name, _| !omitted(name));
        kept
    }

    /// Iterates over all blobs in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// Serializes the blobs; a forked worker returns them to its parent in this form too.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (name, bytes) in self.iter() {
            let name_bytes = u32::try_from(name.len()).expect("a blob's name is short");
            out.extend_from_slice(&name_bytes.to_le_bytes());
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            out.extend_from_slice(bytes);
        }
        out
    }

    /// Deserializes the output of [`Blobs::to_bytes`]; `None` if the bytes are malformed.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut blobs = Self::new();
        while !bytes.is_empty() {
            let name_bytes = u32::from_le_bytes(*take(&mut bytes, 4)?.first_chunk()?);
            let name = take(&mut bytes, usize::try_from(name_bytes).ok()?)?;
            let length = u64::from_le_bytes(*take(&mut bytes, 8)?.first_chunk()?);
            let blob = take(&mut bytes, usize::try_from(length).ok()?)?;
            blobs.insert(std::str::from_utf8(name).ok()?, blob);
        }
        Some(blobs)
    }
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (head, tail) = bytes.split_at_checked(count)?;
    *bytes = tail;
    Some(head)
}

/// A folder of entries, or a disabled cache.
#[derive(Clone, Debug)]
pub struct Cache {
    store: Option<Store>,
}

#[derive(Clone, Debug)]
struct Store {
    folder: PathBuf,
    limit_bytes: u64,
}

impl Cache {
    /// Opens a cache under `root` that keeps to about `limit_bytes`.
    pub fn at(root: &Path, limit_bytes: u64) -> Self {
        Self {
            store: Some(Store {
                folder: root.join("artifacts"),
                limit_bytes,
            }),
        }
    }

    /// Creates a cache that never holds anything.
    pub fn disabled() -> Self {
        Self { store: None }
    }

    /// Returns the blobs stored under `key`. Marks the entry as used now.
    pub fn get(&self, key: &Key) -> Option<Blobs> {
        let path = self.store.as_ref()?.path(key);
        let bytes = fs::read(&path).ok()?;
        let Some(blobs) = decode(&bytes) else {
            // Remove the damaged entry, so that the next build can store it anew. Failing to remove it costs
            // another miss, never the build.
            let _removed = fs::remove_file(&path);
            return None;
        };
        // Open for writing, since setting times needs it; in a read-only cache, entries merely keep their old
        // times.
        if let Ok(file) = File::options().append(true).open(&path) {
            let _touched = file.set_modified(SystemTime::now());
        }
        Some(blobs)
    }

    /// Stores `blobs` under `key`, and evicts entries if the cache has outgrown its limit.
    pub fn put(&self, key: &Key, blobs: &Blobs) {
        let Some(store) = &self.store else { return };
        // An entry that cannot be stored is compiled again next time: slower, not wrong.
        if let Ok(stored_bytes) = store.write(key, blobs) {
            let _tidied = store.account_for(stored_bytes);
        }
    }
}

impl Store {
    fn path(&self, key: &Key) -> PathBuf {
        let hex = key.to_hex();
        let (shard, name) = hex.split_at(2);
        self.folder.join(shard).join(name)
    }

    fn write(&self, key: &Key, blobs: &Blobs) -> io::Result<u64> {
        let path = self.path(key);
        let folder = path.parent().expect("an entry lies in its shard");
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .tempfile_in(folder)?;
        let bytes = encode(blobs);
        file.write_all(&bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(bytes.len() as u64)
    }

    /// Records the size of a new entry in a log, and evicts entries if the sum of the log exceeds the limit.
    /// The log is only appended to, so that concurrent writers lose no record; it may count entries that were
    /// replaced or removed, which an eviction corrects.
    fn account_for(&self, added_bytes: u64) -> io::Result<()> {
        let log_path = self.folder.join(".added");
        let mut log = File::options().append(true).create(true).open(&log_path)?;
        log.write_all(&added_bytes.to_le_bytes())?;
        let notes = fs::read(log_path)?;
        let total = notes.as_chunks::<8>().0.iter().fold(0_u64, |total, note| {
            total.saturating_add(u64::from_le_bytes(*note))
        });
        // A log with a single record may have replaced a lost log, and a log that has grown too long is due
        // for replacement. In both cases the entries are counted anew.
        let trusted = (16..=MAX_LOG_BYTES).contains(&notes.len());
        if trusted && total <= self.limit_bytes {
            return Ok(());
        }
        let lock = File::create(self.folder.join(".lock"))?;
        if FileExt::try_lock(&lock).is_err() {
            // Another process is evicting. Our entry was written before our record, so either that process
            // sees the entry, or our record stays in the log.
            return Ok(());
        }
        // Empty the log before the walk: entries added meanwhile count twice rather than never.
        let made_room = log
            .set_len(0)
            .and_then(|()| self.evict())
            .and_then(|left| log.write_all(&left.to_le_bytes()));
        // Unlock explicitly: closing the file would not unlock it if a worker forked meanwhile still has it
        // open.
        FileExt::unlock(&lock)?;
        made_room
    }

    /// Removes the least recently used entries until a tenth of the limit is free; returns the bytes that
    /// remain. Temporary files of writers that died are removed after an hour.
    fn evict(&self) -> io::Result<u64> {
        let mut entries = Vec::new();
        for shard in fs::read_dir(&self.folder)?.flatten() {
            let Ok(files) = fs::read_dir(shard.path()) else {
                continue;
            };
            for file in files.flatten() {
                let Ok(metadata) = file.metadata() else {
                    continue;
                };
                let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                if !file.file_name().to_string_lossy().starts_with(TEMPORARY) {
                    entries.push((used, file.path(), metadata.len()));
                } else if used.elapsed().is_ok_and(|age| age.as_secs() > 3600) {
                    let _removed = fs::remove_file(file.path());
                }
            }
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, _, bytes)| bytes).sum();
        if total <= self.limit_bytes {
            return Ok(total);
        }
        let aim = self.limit_bytes - self.limit_bytes / 10;
        for (_, path, bytes) in entries {
            if total <= aim {
                break;
            }
            if fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
        Ok(total)
    }
}

const TEMPORARY: &str = ".new-";
const MAX_LOG_BYTES: usize = 1 << 16;

/// Returns the bytes of a file with `blobs`.
pub(crate) fn encode(blobs: &Blobs) -> Vec<u8> {
    let payload = blobs.to_bytes();
    let mut bytes = Vec::with_capacity(MAGIC.len() + CHECKSUM_BYTES + payload.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(blake3::hash(&payload).as_bytes());
    bytes.extend_from_slice(&payload);
    bytes
}

/// Returns the blobs of a file; `None` if it is damaged.
pub(crate) fn decode(bytes: &[u8]) -> Option<Blobs> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (checksum, payload) = rest.split_at_checked(CHECKSUM_BYTES)?;
    if blake3::hash(payload).as_bytes() != checksum {
        return None;
    }
    Blobs::from_bytes(payload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::Duration;

    fn key(name: &str) -> Key {
        Key::builder("test").part("name", name).finish()
    }

    fn blobs(fill: u8, count: usize) -> Blobs {
        let mut blobs = Blobs::new();
        blobs.insert("cubin", vec![fill; count]);
        blobs.insert("ptx", format!("// {fill}"));
        blobs
    }

    fn cache(limit_bytes: u64) -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::at(folder.path(), limit_bytes);
        (folder, cache)
    }

    fn only_file(cache: &Cache, name: &str) -> PathBuf {
        cache.store.as_ref().expect("a store").path(&key(name))
    }

    #[test]
    fn what_was_put_comes_back() {
        let (_folder, cache) = cache(1 << 20);
        assert_eq!(cache.get(&key("a")), None);
        cache.put(&key("a"), &blobs(1, 100));
        cache.put(&key("b"), &Blobs::new());
        assert_eq!(cache.get(&key("a")), Some(blobs(1, 100)));
        assert_eq!(cache.get(&key("b")), Some(Blobs::new()));
        cache.put(&key("a"), &blobs(2, 7));
        assert_eq!(cache.get(&key("a")), Some(blobs(2, 7)));
    }

    #[test]
    fn keys_do_not_run_parts_together() {
        let key = |a: &str, b: &str| Key::builder("t").part("x", a).part("y", b).finish();
        assert_ne!(key("ab", "c"), key("a", "bc"));
        assert_ne!(key("", "x"), key("x", ""));
        assert_eq!(key("a", "b"), key("a", "b"));
        assert_ne!(
            Key::builder("t").part("ab", "").finish(),
            Key::builder("t").part("a", "b").finish()
        );
    }

    #[test]
    fn a_damaged_entry_is_a_miss_and_removed() {
        let (_folder, cache) = cache(1 << 20);
        cache.put(&key("a"), &blobs(1, 100));
        let path = only_file(&cache, "a");
        let good = fs::read(&path).expect("the entry");
        for offset in [0, 9, 45, good.len() - 1] {
            let mut bad = good.clone();
            bad[offset] ^= 0x20;
            fs::write(&path, &bad).expect("writable");
            assert_eq!(cache.get(&key("a")), None, "byte {offset}");
            assert!(!path.exists(), "byte {offset}");
        }
        for length in [0, 8, 39, good.len() - 1] {
            fs::write(&path, &good[..length]).expect("writable");
            assert_eq!(cache.get(&key("a")), None, "length {length}");
            assert!(!path.exists(), "length {length}");
        }
        cache.put(&key("a"), &blobs(1, 100));
        assert_eq!(cache.get(&key("a")), Some(blobs(1, 100)));
    }

    #[test]
    fn blobs_from_any_bytes_never_panic() {
        let bytes = blobs(3, 5).to_bytes();
        for length in 1..bytes.len() {
            let _any = Blobs::from_bytes(&bytes[..length]);
        }
        assert_eq!(Blobs::from_bytes(&[0xff; 40]), None);
        assert_eq!(Blobs::from_bytes(&bytes), Some(blobs(3, 5)));
    }

    #[test]
    fn the_entry_used_least_recently_goes_first() {
        let (_folder, cache) = cache(10_000);
        for (age, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
            cache.put(&key(name), &blobs(0, 2_000));
            let used = SystemTime::now() - Duration::from_secs(1000 - 10 * age as u64);
            let file = File::options()
                .append(true)
                .open(only_file(&cache, name))
                .expect("entry");
            file.set_modified(used).expect("a time");
        }
        assert!(
            cache.get(&key("a")).is_some(),
            "using `a` makes `b` the oldest"
        );
        cache.put(&key("e"), &blobs(0, 3_000));
        let kept: Vec<bool> = ["a", "b", "c", "d", "e"]
            .iter()
            .map(|name| cache.get(&key(name)).is_some())
            .collect();
        assert_eq!(kept, [true, false, false, true, true]);
    }

    #[test]
    fn the_folder_stays_within_its_limit() {
        let (folder, cache) = cache(50_000);
        for entry in 0..100 {
            cache.put(&key(&entry.to_string()), &blobs(0, 1_500));
        }
        let mut total = 0;
        for shard in fs::read_dir(folder.path().join("artifacts"))
            .expect("a folder")
            .flatten()
        {
            for file in fs::read_dir(shard.path()).into_iter().flatten().flatten() {
                total += file.metadata().expect("a size").len();
            }
        }
        assert!((30_000..=50_000).contains(&total), "{total}");
        assert!(cache.get(&key("99")).is_some());
    }

    #[test]
    fn an_unusable_folder_is_a_cache_without_entries() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("a file");
        for cache in [Cache::at(&file, 1 << 20), Cache::disabled()] {
            cache.put(&key("a"), &blobs(1, 10));
            assert_eq!(cache.get(&key("a")), None);
        }
    }

    /// Writes and reads the same few keys with contents that depend on the round; a mixture of the bytes of
    /// two writers would show as a wrong blob.
    fn hammer(root: &Path) {
        let cache = Cache::at(root, 60_000);
        for round in 0..60_u32 {
            let name = (round % 5).to_string();
            let fill = u8::try_from(round % 7).expect("small");
            cache.put(&key(&name), &blobs(fill, 4_000));
            if let Some(entry) = cache.get(&key(&name)) {
                let fill = entry.get("cubin").expect("a cubin")[0];
                assert_eq!(entry, blobs(fill, 4_000));
            }
        }
    }

    #[test]
    fn threads_and_processes_share_a_cache() {
        const ROOT: &str = "TILE_TEST_CACHE_ROOT";
        if let Some(root) = std::env::var_os(ROOT) {
            return hammer(Path::new(&root));
        }
        let folder = tempfile::tempdir().expect("a folder");
        let test = "cache::tests::threads_and_processes_share_a_cache";
        let mut children: Vec<_> = (0..3)
            .map(|_| {
                Command::new(std::env::current_exe().expect("this test"))
                    .args(["--exact", test, "--quiet"])
                    .env(ROOT, folder.path())
                    .stdout(std::process::Stdio::null())
                    .spawn()
                    .expect("a child")
            })
            .collect();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| hammer(folder.path()));
            }
        });
        for child in &mut children {
            assert!(child.wait().expect("an end").success());
        }
        let cache = Cache::at(folder.path(), 60_000);
        assert!((0..5).any(|name| cache.get(&key(&name.to_string())).is_some()));
    }
}
