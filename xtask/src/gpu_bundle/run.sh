#!/usr/bin/env bash
# Runs what the bundle holds on this machine's GPU.
#
#   ./run.sh                 the GPU tests, then every example
#   ./run.sh NAME [ARG]...   the program bin/NAME
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# Tests find their files below this, as they do in the checkout.
export CARGO_MANIFEST_DIR="$PWD"

if [[ $# -gt 0 ]]; then
    name=$1
    shift
    exec "bin/$name" "$@"
fi

failed=()
run() {
    echo "== $1"
    "bin/$1" || failed+=("$1")
}
[[ -x bin/gpu ]] && run gpu
for program in bin/*; do
    name=${program#bin/}
    [[ $name == gpu ]] || run "$name"
done
if [[ ${#failed[@]} -gt 0 ]]; then
    echo "failed: ${failed[*]}"
    exit 1
fi
echo "all passed"
