#!/usr/bin/env python3
"""Draws what rustc says about `error.rs` in a terminal: writes `error.svg`, the picture of the README.

    pip install rich && docs/images/error.py            # compiles error.rs against this checkout
    docs/images/error.py --from FILE                    # draws output that was saved with its colours

Compiling needs what `cargo xtask setup` installs. Run it again when the message changes.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COLUMNS = 112

MANIFEST = f"""\
[package]
name = "kernels"
version = "0.1.0"
edition = "2024"

[dependencies]
tile-kernel = {{ path = "{ROOT}" }}

[profile.dev.build-override]
opt-level = 2
"""

# Background, text, and the eight colours, normal and bright; contrast of 4.5 and more.
THEME = TerminalTheme(
    (30, 32, 38),
    (216, 219, 226),
    [(30, 32, 38), (240, 113, 120), (152, 195, 121), (229, 192, 123),
     (97, 175, 239), (198, 146, 233), (86, 182, 194), (216, 219, 226)],
    [(140, 146, 158), (255, 123, 130), (166, 209, 137), (240, 205, 140),
     (120, 190, 250), (212, 165, 245), (104, 200, 212), (255, 255, 255)],
)

# That of rich, without the font that it fetches from another site.
SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def compile_error():
    """What `cargo check` prints about `error.rs`, with its colours."""
    with tempfile.TemporaryDirectory() as folder:
        crate = Path(folder)
        (crate / "src").mkdir()
        (crate / "Cargo.toml").write_text(MANIFEST)
        (crate / "src/main.rs").write_text((HERE / "error.rs").read_text())
        environment = {
            "LLVM_SYS_221_PREFIX": "/usr/lib/llvm-22",
            "CARGO_TARGET_DIR": str(ROOT / "target/docs-image"),
            **os.environ,
        }
        cargo = ["cargo", "check", "--color=always", "--quiet"]
        result = subprocess.run(cargo, cwd=crate, env=environment, stderr=subprocess.PIPE, text=True)
    if result.returncode == 0:
        sys.exit("error: `error.rs` compiles, so there is no message to draw")
    return result.stderr


def first_diagnostic(output):
    """The lines up to the first empty one."""
    return output.strip("\n").split("\n\n")[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="saved", type=Path, metavar="FILE", help="output of rustc with its colours")
    arguments = parser.parse_args()
    output = arguments.saved.read_text() if arguments.saved else compile_error()
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"), force_terminal=True)
    console.print(Text.from_ansi("\x1b[32m$\x1b[0m cargo build"))
    console.print(Text.from_ansi(first_diagnostic(output)))
    console.save_svg(str(HERE / "error.svg"), title="cargo build", theme=THEME, code_format=SVG, unique_id="terminal")


if __name__ == "__main__":
    main()
