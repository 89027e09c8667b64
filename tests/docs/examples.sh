#!/usr/bin/env bash
# Runs every example of README and docs as a reader would: each ```sh block of each file named, in a directory of
# its own, with isobench in PATH. usage: examples.sh ISOBENCH FILE…
set -euo pipefail

program=$(realpath "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/isobench"
export PATH="$scratch/bin:$PATH"

blocks=0
for file in "$@"; do
  rm -rf "$scratch/examples"
  mkdir "$scratch/examples"
  awk -v out="$scratch/examples" '/^```sh$/ {n++; on=1; next} /^```/ {on=0} on {print > sprintf("%s/%03d.sh", out, n)}' "$file"
  mkdir "$scratch/work"
  for example in "$scratch"/examples/*.sh; do
    [ -e "$example" ] || continue
    blocks=$((blocks + 1))
    if ! (cd "$scratch/work" && bash -euo pipefail "$example" >"$scratch/output" 2>&1); then
      echo "$file: this example failed:"
      cat "$example" "$scratch/output"
      exit 1
    fi
  done
  rm -rf "$scratch/work"
done
[ "$blocks" -gt 0 ] || { echo "no example found in: $*"; exit 1; }
echo "$blocks examples ran"
