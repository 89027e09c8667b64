# shellcheck shell=bash
# The program as something that a shell test calls by one name, also where something else must start it: source it.
#
#   runner_program PROGRAM RUNNER FOLDER   prints the name to call: PROGRAM itself, or with a RUNNER (wine) a script in
#                                          FOLDER that starts it, without what Wine says of itself and without CR

runner_program() {
    local program
    program=$(realpath "$1")
    if [ -z "$2" ]; then
        printf '%s\n' "$program"
        return
    fi
    cat >"$3/isobench-runner" <<SCRIPT
#!/usr/bin/env bash
errors=\$(mktemp)
$2 '$program' "\$@" 2>"\$errors" </dev/null | tr -d '\r'
status=\${PIPESTATUS[0]}
grep -v '^wine: ' "\$errors" | tr -d '\r' >&2
rm -f "\$errors"
exit "\$status"
SCRIPT
    chmod +x "$3/isobench-runner"
    printf '%s\n' "$3/isobench-runner"
}
