#!/usr/bin/env bash
# The password of a database: where it may come from, and that it shows nowhere: password.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
command -v python3 >/dev/null || {
    echo "SKIP: python3 is not here, to be a terminal and a server"
    exit 77
}
exec python3 - "$program" <<'PYTHON'
import os, pty, select, socket, subprocess, sys, tempfile, threading, time

program = sys.argv[1]
secret = "s3cret-word"
to = ["oltp", "run", "--db-driver=mysql", "--db-host=127.0.0.1", "--db-port=1", "--time=1"]


def run(arguments, environment=None):
    done = subprocess.run([program] + arguments, capture_output=True, text=True, env={**os.environ, **(environment or {})},
                          start_new_session=True, timeout=60)
    assert secret not in done.stdout + done.stderr, done
    return done.returncode, done.stderr


def refused(words, arguments, environment=None):
    status, text = run(arguments, environment)
    assert status != 0 and words in text and text.count("\n") == 1, (arguments, status, text)


refused("NOT_THERE", to + ["--password-env=NOT_THERE"])
refused("127.0.0.1:1", to + ["--password-env=WORD"], {"WORD": secret})
refused("/nonexistent", to + ["--password-file=/nonexistent"])
with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    file.write(secret + "\nmore\n")
    file.flush()
    refused("127.0.0.1:1", to + ["--password-file=" + file.name])
refused("terminal", to + ["--ask-password"])  # there is none
refused("password", ["oltp", "run", "--password=" + "x"])  # no such option: it would show in the list of processes


def at_terminal(keys):
    """What the terminal shows, with stderr, and the exit status."""
    errors = tempfile.TemporaryFile()  # what is written to a terminal just before its end may never be seen
    child, terminal = pty.fork()
    if child == 0:
        os.dup2(errors.fileno(), 2)
        os.execv(program, [program] + to + ["--ask-password"])
    shown, sent, limit = b"", False, time.time() + 60
    while time.time() < limit:
        ready, _, _ = select.select([terminal], [], [], 1)
        if not ready:
            continue
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        if not data:
            break
        shown += data
        if not sent and b"Password: " in shown:
            os.write(terminal, keys)
            sent = True
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    errors.seek(0)
    return (shown + errors.read()).decode(), status


shown, status = at_terminal(secret.encode() + b"\r")
assert "127.0.0.1:1" in shown and secret not in shown and status > 0, shown
shown, status = at_terminal(b"half\x03")
assert "no password was given" in shown and status > 0, (shown, status)

# sysbench's own option takes it on the command line: it must be gone from there while the program runs.
silent = socket.socket()
silent.bind(("127.0.0.1", 0))
silent.listen(4)
child = subprocess.Popen([program, "sysbench", "oltp_read_only", "--mysql-host=127.0.0.1", "--mysql-password=" + secret,
                          "--mysql-port=%d" % silent.getsockname()[1], "run"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
try:
    silent.settimeout(60)
    connection, _ = silent.accept()  # kept: closed, it would end the program
    words = b""
    while not words and child.poll() is None:  # it can be empty for a moment on a busy machine
        with open("/proc/%d/cmdline" % child.pid, "rb") as file:
            words = file.read()
        time.sleep(0.05)
    assert b"--mysql-host" in words and secret.encode() not in words, words
finally:
    child.kill()
    child.wait()
print("ok")
PYTHON
