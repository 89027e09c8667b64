#!/usr/bin/env bash
# The reference page is what the program prints. usage: settings.sh ISOBENCH PAGE
set -euo pipefail
if ! "$1" help settings | diff -u "$2" -; then
  echo "the page is out of date: isobench help settings > docs/settings.md"
  exit 1
fi
