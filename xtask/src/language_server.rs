//! Drives rust-analyzer on a fresh crate through the Language Server Protocol, as an editor does.
//!
//! The crate has the README's program. Checked are the types and documentation of a hover, the completions after a
//! tile, an error of a kernel at its token after an edit, its end when the edit is undone, and that no code was
//! generated for any of it. The protocol is described at <https://microsoft.github.io/language-server-protocol>.

use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::{package, workspace};

/// The time in which the server has to have read the crate, which it builds first.
const INDEXED: Duration = Duration::from_secs(20 * 60);
/// The time in which the server has to answer or to report.
const ANSWERED: Duration = Duration::from_secs(2 * 60);

pub(crate) fn run() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let root = workspace::root();
    let (main, program) = fresh_crate(folder.path(), &root)?;
    let target = root.join("target/language-server");
    // The cache of the machine code that the macro generates.
    let generated = target.join("tile-kernel");
    let mut server = Server::start(folder.path(), &target)?;
    let mut document = server.open(&main, &program)?;
    let indexed = server.wait_until_indexed()?;
    println!(
        "language-server: {} read the crate in {:.0} s",
        server.version,
        indexed.as_secs_f64()
    );

    for (token, expected) in [
        ("x = a.load", "Tile<f32, 1>"),
        ("load([i]", "pub fn load"),
        ("block_id(0)", "Returns the index of this block"),
    ] {
        let text = server.hover(&document, token)?;
        ensure!(
            text.contains(expected),
            "the hover at `{token}` lacks `{expected}`:\n{text}"
        );
    }
    println!("language-server: types and documentation are shown");

    let store = "c.store([i], x + y);";
    let incomplete = program.replace(store, &format!("{store}\n    x."));
    server.change(&mut document, incomplete)?;
    let names = server.completions(&document, "\n    x.")?;
    for name in ["exp", "sum", "reshape"] {
        let is_there = names.iter().any(|it| it == name);
        ensure!(
            is_there,
            "`{name}` is not among {} completions",
            names.len()
        );
    }
    println!("language-server: {} completions after a tile", names.len());

    let wrong = program.replace("y = b.load([i], [1024])", "y = b.load([i], [512])");
    ensure!(wrong != program, "the README's kernel is another one");
    server.change(&mut document, wrong)?;
    let (took, errors) = server.wait_for_errors(&document, |errors| !errors.is_empty())?;
    let error = &errors[0];
    let message = error["message"].as_str().unwrap_or_default();
    ensure!(
        message.contains("[T0203]"),
        "the error is another one: {message}"
    );
    let sum = "x + y";
    let first = document.position(sum)?;
    let after = document.position_in(sum, sum.len())?;
    let [start, end] = ["start", "end"].map(|side| &error["range"][side]);
    ensure!(
        is_before(&first, start) && is_before(start, end) && is_before(end, &after),
        "the error is at {start} to {end}, and `x + y` at {first} to {after}"
    );
    println!(
        "language-server: T0203 at `x + y`, {:.1} s after the edit",
        took.as_secs_f64()
    );

    server.change(&mut document, program)?;
    let (took, _) = server.wait_for_errors(&document, <[_]>::is_empty)?;
    println!(
        "language-server: no error, {:.1} s after the edit was undone",
        took.as_secs_f64()
    );
    let is_empty = fs::read_dir(&generated).map_or(true, |mut files| files.next().is_none());
    ensure!(
        is_empty,
        "code was generated for rust-analyzer, and is in `{}`",
        generated.display()
    );
    println!("language-server: ok");
    Ok(())
}

/// Returns `true` if a position is before another or the same.
fn is_before(one: &Value, other: &Value) -> bool {
    let [one, other] = [one, other].map(|at| (at["line"].as_u64(), at["character"].as_u64()));
    one <= other
}

/// Makes a crate of the README's program, and returns the path of the program and its text.
fn fresh_crate(folder: &Path, root: &Path) -> Result<(PathBuf, String)> {
    let readme = fs::read_to_string(root.join("README.md"))?;
    let program = package::first_program(&readme)?.to_owned();
    let manifest = format!(
        "[package]\nname = \"fresh\"\nedition = \"2024\"\n\n[dependencies]\ntile-kernel = {{ path = '{}' }}\n\n[workspace]\n",
        root.display()
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let main = folder.join("src/main.rs");
    fs::create_dir(folder.join("src"))?;
    fs::write(&main, &program)?;
    Ok((main, program))
}

/// A file that is open in the editor.
struct Document {
    uri: String,
    version: u32,
    text: String,
}

impl Document {
    /// Returns the position of the first `token`, from its start.
    fn position(&self, token: &str) -> Result<Value> {
        self.position_in(token, 0)
    }

    fn position_in(&self, token: &str, offset: usize) -> Result<Value> {
        let start = self.text.find(token);
        let start = start.with_context(|| format!("`{token}` is not in the program"))?;
        let before = &self.text[..start + offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        // Characters are UTF-16 units.
        let character = before[line_start..].encode_utf16().count();
        Ok(json!({ "line": before.matches('\n').count(), "character": character }))
    }
}

struct Server {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    version: String,
    requests: u32,
    is_quiescent: bool,
    /// The diagnostics of the open file.
    errors: Vec<Value>,
}

impl Server {
    fn start(folder: &Path, target: &Path) -> Result<Self> {
        let command = || Command::new("rust-analyzer");
        let advice =
            "rust-analyzer does not start: `rustup component add rust-analyzer` installs it";
        let output = command().arg("--version").output().context(advice)?;
        ensure!(output.status.success(), advice);
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let mut process = command()
            .current_dir(folder)
            // What is compiled stays for the next run.
            .env("CARGO_TARGET_DIR", target)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context(advice)?;
        let input = process.stdin.take().context("no input")?;
        let output = process.stdout.take().context("no output")?;
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(message) = receive(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut server = Self {
            process,
            input,
            messages,
            version,
            requests: 0,
            is_quiescent: false,
            errors: Vec::new(),
        };
        let uri = format!("file://{}", folder.display());
        server.request(
            "initialize",
            &json!({
                "processId": std::process::id(),
                "rootUri": uri,
                "workspaceFolders": [{ "uri": uri, "name": "fresh" }],
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
                    "textDocument": { "hover": { "contentFormat": ["markdown"] } },
                },
                "initializationOptions": { "checkOnSave": false },
            }),
        )?;
        server.notify("initialized", &json!({}))?;
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.input.flush()?;
        Ok(())
    }

    fn notify(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let start = Instant::now();
        while start.elapsed() < ANSWERED {
            let Some(mut message) = self.next()? else {
                continue;
            };
            if message["id"] == id && message.get("method").is_none() {
                ensure!(
                    message.get("error").is_none(),
                    "`{method}`: {}",
                    message["error"]
                );
                return Ok(message["result"].take());
            }
        }
        bail!("`{method}` got no answer in {} s", ANSWERED.as_secs())
    }

    /// Takes the next message, and answers or notes what is not an answer itself.
    fn next(&mut self) -> Result<Option<Value>> {
        let message = match self.messages.recv_timeout(Duration::from_millis(100)) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => bail!("rust-analyzer ended"),
        };
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                self.errors = message["params"]["diagnostics"]
                    .as_array()
                    .cloned()
                    .unwrap_or_default();
            }
            Some("experimental/serverStatus") => {
                self.is_quiescent = message["params"]["quiescent"] == true;
            }
            // The settings that the server asks for are its defaults.
            Some(_) if message.get("id").is_some() => {
                let items = message["params"]["items"].as_array().map_or(0, Vec::len);
                let result = vec![Value::Null; items];
                let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
                self.send(&answer)?;
            }
            _ => {}
        }
        Ok(Some(message))
    }

    fn wait_until_indexed(&mut self) -> Result<Duration> {
        let start = Instant::now();
        while start.elapsed() < INDEXED {
            self.next()?;
            if self.is_quiescent {
                return Ok(start.elapsed());
            }
        }
        bail!("rust-analyzer was busy for {} s", INDEXED.as_secs())
    }

    fn open(&mut self, file: &Path, text: &str) -> Result<Document> {
        let uri = format!("file://{}", file.display());
        let item = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": item }))?;
        let text = text.to_owned();
        Ok(Document {
            uri,
            version: 1,
            text,
        })
    }

    fn change(&mut self, document: &mut Document, text: String) -> Result<()> {
        document.version += 1;
        document.text = text;
        self.notify(
            "textDocument/didChange",
            &json!({
                "textDocument": { "uri": document.uri, "version": document.version },
                "contentChanges": [{ "text": document.text }],
            }),
        )
    }

    fn hover(&mut self, document: &Document, token: &str) -> Result<String> {
        let answer = self.request(
            "textDocument/hover",
            &json!({
                "textDocument": { "uri": document.uri },
                "position": document.position(token)?,
            }),
        )?;
        let text = answer["contents"]["value"].as_str();
        Ok(text.unwrap_or_default().to_owned())
    }

    /// Returns the names that are offered behind the first `token`.
    fn completions(&mut self, document: &Document, token: &str) -> Result<Vec<String>> {
        let answer = self.request(
            "textDocument/completion",
            &json!({
                "textDocument": { "uri": document.uri },
                "position": document.position_in(token, token.len())?,
            }),
        )?;
        let items = answer.get("items").unwrap_or(&answer);
        let labels = items.as_array().into_iter().flatten();
        let names = labels.filter_map(|item| item["label"].as_str()?.split('(').next());
        Ok(names.map(str::to_owned).collect())
    }

    fn wait_for_errors(
        &mut self,
        document: &Document,
        is_expected: impl Fn(&[Value]) -> bool,
    ) -> Result<(Duration, Vec<Value>)> {
        let start = Instant::now();
        while start.elapsed() < ANSWERED {
            if self.next()?.is_some() && is_expected(&self.errors) {
                return Ok((start.elapsed(), self.errors.clone()));
            }
        }
        bail!(
            "the errors of `{}` stayed {}",
            document.uri,
            Value::from(self.errors.clone())
        )
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.process.kill();
        let _status = self.process.wait();
    }
}

/// Reads a message: a header, and as many bytes of JSON as it says.
fn receive(output: &mut impl std::io::BufRead) -> Result<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        ensure!(output.read_line(&mut line)? > 0, "the output ended");
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}
