# What zsh offers for command lines, one "LINE: word" for each, sorted. Loads what `isobench completion zsh` printed.
# usage: zsh -f completion.zsh FOLDER LINE…     FOLDER holds _isobench, and is where names of files are completed
zmodload zsh/zpty || exit 77
cd $1 || exit 1
shift
zpty shell zsh -f -i
zpty -w shell "PS1= PS2=; stty -echo; fpath=($PWD \$fpath); autoload -Uz compinit; compinit -D -u"
# Notes what is added; with -O, -A or -D compadd only filters.
zpty -w shell 'compadd() {
    if [[ -n ${@[(r)-[OAD]]} ]]; then builtin compadd "$@"; return; fi
    local -a hits; builtin compadd -A hits "$@"; (( $#hits )) && print -rl -- $hits >>.hits; builtin compadd "$@" }'
# The line stays as it is, and nothing is listed. Whom to call at the end of a completion zsh forgets each time.
zpty -w shell 'finish() { compstate[insert]= compstate[list]=; print -r END >>.hits; comppostfuncs=(finish) }; bindkey -e; comppostfuncs=(finish)'
for line; do
    rm -f .hits
    zpty -w -n shell "$line"$'\t'
    for i in {1..300}; do
        while zpty -rt shell ignored; do :; done
        grep -qsx END .hits && break
        sleep 0.05
    done
    grep -qsx END .hits || { print "zsh does not answer: $line"; exit 1 }
    grep -vx END .hits | sort -u | sed "s|^|$line: |"
    zpty -w -n shell $'\C-u'
done
zpty -d shell
