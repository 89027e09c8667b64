#!/usr/bin/env bash
# `isobench completion` as bash and zsh take it, and `isobench man` as mandoc and man do. What must be completed is
# taken from the help pages, so that no list stands here. usage: completion.sh PROGRAM [BUILD]
# With BUILD, what `cmake --install` makes of that folder is looked at too.
set -uo pipefail
export LC_ALL=C # one order for sort and comm

program=$(realpath "$1")
build=${2:+$(realpath "$2")}
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/bin" "$scratch/files/folder"
ln -s "$program" "$scratch/bin/isobench"
export PATH="$scratch/bin:$PATH"
cd "$scratch" || exit 1
touch 'files/a plan.ini'
failures=0

fail() {
  printf 'FAILED: %s\n' "$*"
  failures=$((failures + 1))
}

# same TITLE EXPECTED: against stdin.
same() {
  diff <(printf '%s\n' "$2") - || fail "$1"
}

# Names of the commands and the tools, as `isobench help` lists them.
isobench help >overview || fail 'isobench help'
{
  sed -n 's/^\(usage:\)\{0,1\} *isobench \([a-z]*\)\( .*\)\{0,1\}$/\2/p' overview
  sed -n '/^tools:/,$s/^  \([a-z0-9]*\) .*/\1/p' overview
} | sed '/^$/d' | sort >names
[ "$(wc -l <names)" -ge 20 ] || fail "too few commands in isobench help: $(tr '\n' ' ' <names)"

# Every command has a page that begins with its usage. Tools have pages of their own kind.
for name in $(sed '/^tools:/,$d' overview | sed -n 's/^.*isobench \([a-z]*\).*/\1/p' | sort -u); do
  isobench "$name" --help >page 2>err </dev/null || fail "isobench $name --help: $(cat err)"
  grep -qE -m 1 "^usage: isobench $name( |\$)" page || fail "isobench $name --help begins with: $(head -n 1 page)"
  sed -n 's/^  \(--[a-z-]*\)[= ,[].*/\1/p; s/^  \(--[a-z-]*\)$/\1/p' page | sort -u | sed "s/^/$name /"
done >options
[ "$(wc -l <options)" -ge 150 ] || fail "too few options in the help pages: $(wc -l <options)"

# ---- bash
isobench completion bash >isobench.bash || fail 'isobench completion bash'
# shellcheck source=/dev/null
. ./isobench.bash
[[ "$(complete -p isobench)" == *'-F _isobench isobench' ]] || fail 'bash does not know what completes isobench'

# offers WORD…: what bash gets for a line that ends with the last word, one a line; run in files/.
offers() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  cd "$scratch/files" || exit 1
  _isobench
  printf '%s\n' "${COMPREPLY[@]}"
}

(offers isobench '') | sort | same 'commands in bash are not those of isobench help' "$(cat names)"
for name in $(cut -d ' ' -f 1 options | sort -u); do
  (offers isobench "$name" --) | sed -n "s/^\(--.*[^=]\)=\{0,1\}\$/$name \1/p"
done | sort >held
[ -z "$(sort options | comm -23 - held)" ] || fail "bash has not: $(sort options | comm -23 - held)"
(offers isobench fileio run --cache =) | same 'words of --cache in bash' $'on\noff'
(offers isobench fileio run --cache = of) | same 'a word of --cache in bash' off
(COMP_WORDBREAKS=' ' && offers isobench fileio run --cache=of) | same 'bash without = as a break' --cache=off
(offers isobench fileio run --mode rndr) | same 'a value as the next word in bash' $'rndrd\nrndrw'
(offers isobench fileio run --verify c) | same 'a word behind a switch in bash' $'check\ncleanup'
(offers isobench oltp bulk) | same 'a workload in bash' bulk_insert
(offers isobench sysbench --as sq) | same 'a tool in bash' sqlio
(offers isobench fileio run --dir = '') | same 'directories in bash' folder
(offers isobench run '') | sort | same 'files in bash' $'a plan.ini\nfolder'
(offers isobench fileio run --threads = '') | same 'a number in bash' ''
(offers isobench verify --db-us) | same "bash: options of oltp's family in verify" --db-user=
(offers isobench nonsense '') | same 'bash: no such command' ''

# ---- zsh
isobench completion zsh >files/_isobench || fail 'isobench completion zsh'
if command -v zsh >/dev/null; then
  zsh -f "$here/completion.zsh" "$scratch/files" 'isobench ' 'isobench fileio run --cache=' 'isobench fileio run --' \
    'isobench run a' 'isobench fileio run --dir=' 'isobench hdr ' 'isobench sysbench --as sq' >offered </dev/null ||
    fail "zsh: $(tail -n 3 offered)"
  sed -n 's/^isobench : //p' offered | same 'commands in zsh are not those of isobench help' "$(cat names)"
  sed -n 's/^isobench fileio run --: //p' offered | sort | same 'options in zsh' "$(sed -n 's/^fileio //p' options)"
  sed -n 's/^isobench fileio run --cache=: //p' offered | same 'words of --cache in zsh' $'off\non'
  sed -n 's/^isobench run a: //p' offered | same 'files in zsh' 'a\ plan.ini'
  sed -n 's/^isobench fileio run --dir=: //p' offered | same 'directories in zsh' folder
  grep -qx 'isobench hdr : export' offered || fail 'words of hdr in zsh'
  sed -n 's/^isobench sysbench --as sq: //p' offered | same 'a tool in zsh' sqlio
else
  echo 'zsh is not installed: what it offers was not looked at'
fi

# ---- PowerShell: lint parses it; here, that it holds the same
isobench completion powershell >isobench.ps1 || fail 'isobench completion powershell'
sed -n "s/^        '\([a-z0-9]*\)' = @{\$/\1/p" isobench.ps1 | sort | same 'commands in PowerShell' "$(cat names)"
awk -F"'" '/^        .[a-z0-9]*. = @{$/ { name = $2 } /^                .--/ { sub(/=$/, "", $2); print name " " $2 }' \
  isobench.ps1 | sort >held
[ -z "$(sort options | comm -23 - held)" ] || fail "PowerShell has not: $(sort options | comm -23 - held)"
LC_ALL=C grep -n '[^ -~]' isobench.ps1 && fail 'not ASCII, which PowerShell 5.1 needs'

if command -v pwsh >/dev/null; then
  # shellcheck disable=SC2016 # PowerShell's variables
  pwsh -NoProfile -Command '. ./isobench.ps1
    foreach ($line in "isobench re", "isobench fileio run --cache=", "isobench sysbench --as sq") {
        (TabExpansion2 $line $line.Length).CompletionMatches | ForEach-Object { $_.CompletionText }
    }' >offered || fail 'PowerShell'
  same 'PowerShell' $'reconcile\n--cache=on\n--cache=off\nsqlio' <offered
else
  echo 'PowerShell (pwsh) is not installed: its script was not run'
fi

# ---- wrong words
for words in completion 'completion fish' 'completion bash zsh' 'man fileio'; do
  # shellcheck disable=SC2086
  isobench $words >out 2>err
  [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] || fail "isobench $words: $(cat out err)"
done

# ---- the manual
SOURCE_DATE_EPOCH=0 isobench man >isobench.1 || fail 'isobench man'
grep -qx '.Dd January 1, 1970' isobench.1 || fail 'SOURCE_DATE_EPOCH is not the date of the page'
sed -n 's/^\.Ss isobench //p' isobench.1 | sort | same 'commands of the manual' \
  "$(sed '/^tools:/,$d' overview | sed -n 's/^.*isobench \([a-z]*\).*/\1/p' | sed '/^$/d' | sort -u)"
# Options of all pages together: one of them in the wrong chapter is a matter of the page's parser, which has a test.
grep -o '\\-\\-[a-z\\-]*' isobench.1 | sed 's/\\//g' | sort -u >held
[ -z "$(cut -d ' ' -f 2 options | sort -u | comm -23 - held)" ] ||
  fail "the manual has not: $(cut -d ' ' -f 2 options | sort -u | comm -23 - held)"
if command -v mandoc >/dev/null; then
  mandoc -T lint isobench.1 >out || fail 'mandoc complains'
  cat out
fi
if command -v groff >/dev/null; then
  groff -mdoc -Tutf8 -ww -z -K utf8 isobench.1 >out 2>&1 && [ ! -s out ] || fail "groff complains: $(cat out)"
fi

# ---- what is installed
if [ -n "$build" ]; then
  DESTDIR="" cmake --install "$build" --prefix "$scratch/there" >out 2>&1 || fail "cmake --install: $(cat out)"
  for file in bash-completion/completions/isobench zsh/site-functions/_isobench isobench/isobench-completion.ps1 \
    man/man1/isobench.1; do
    [ -s "there/share/$file" ] || fail "$file is not installed"
  done
  cmp isobench.bash there/share/bash-completion/completions/isobench || fail 'another completion is installed'
fi

[ "$failures" -eq 0 ] || exit 1
