#!/usr/bin/env python3
"""Records real programs in a terminal, each as an asciicast in recordings/: `conformance/screens/record.py [NAME...]`.

Made once and kept, since other versions of the programs write other things: they are what ScreenConformanceTest and
screens.test.ts show at many places. Needs vim, htop, less, tmux and bash, and for htop, which shall see no
other program, a user who may make namespaces. After it: `./penstock conformance --renew`.
"""
import codecs, fcntl, json, os, pty, select, struct, sys, tempfile, termios, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS, COLS = 24, 80
QUIET = 0.4  # so long after its last output, a program waits for a key
LONGEST = 3.0  # htop is never quiet

TEXT = "".join(
    f"{n:3} {'The quick brown fox jumps over the lazy dog. ' * (n % 4)}漢字 かな 한글 é ü 😀 👍🏽 {'-' * (n % 50)}\n"
    for n in range(1, 120)
)
CODE = """package demo;

/** What vim colours. */
final class Greeting {
    private static final String[] NAMES = {"Zoë", "世界", "🌍"};

    public static void main(String[] args) {
        for (String name : NAMES) {
            System.out.printf("Hello, %s!%n", name); // a comment that is longer than the terminal is wide, so that it is broken
        }
    }
}
""" * 3


def size(fd, rows, cols):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


class Recording:
    def __init__(self, name, command, folder, env=None):
        self.path = f"{HERE}/recordings/{name}.cast"
        self.decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self.begun = time.monotonic()
        self.lines = [{"version": 2, "width": COLS, "height": ROWS, "title": name, "env": {"TERM": "xterm-256color"}}]
        pid, self.fd = pty.fork()
        if pid == 0:
            size(0, ROWS, COLS)
            os.chdir(folder)
            plain = {"PATH": os.environ["PATH"], "HOME": folder, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"}
            os.execvpe(command[0], command, plain | (env or {}))
        self.settle()

    def event(self, code, data):
        self.lines.append([round(time.monotonic() - self.begun, 3), code, data])

    def settle(self):
        """Reads what is written until the program waits. Says whether it is still there."""
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            if not select.select([self.fd], [], [], QUIET)[0]:
                return True
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return False
            if text := self.decoder.decode(data):
                self.event("o", text)
        return True

    def type(self, *keys):
        for each in keys:
            os.write(self.fd, each.encode())
            self.settle()

    def resize(self, rows, cols):
        self.event("r", f"{cols}x{rows}")
        size(self.fd, rows, cols)
        self.settle()

    def end(self):
        while self.settle():
            pass
        os.close(self.fd)
        os.wait()
        with open(self.path, "w") as file:
            for line in self.lines:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        print(f"{self.path}: {len(self.lines)} lines, {os.path.getsize(self.path)} bytes")


def vim(folder):
    it = Recording("vim", ["vim", "-u", "NONE", "-i", "NONE", "-c", "syntax on | set number laststatus=2 hlsearch nofixeol", "Greeting.java"], folder)
    it.type("\x04", "/name\r", "n", "Gkko", "中文 text é 😀 and a line that is so long that it needs more than one row of the terminal to be shown\x1b")
    it.resize(30, 100)
    it.type("gg", ":vsplit\r", "jjdd", "u", ":set wrap nonumber\r", "\x17w", "vjjj", "\x1b")
    it.resize(15, 50)
    it.type("G", ":only\r", "\x15", ":q!\r")
    it.end()


def htop(folder):
    it = Recording("htop", ["unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", "sleep 60 & yes >/dev/null & exec htop -d 10"], folder)
    it.type("t", "\x1b[B\x1b[B\x1b[B", "\x1bOS", "\x1b", "\x1bOQ", "\x1b[B", "\x1b[21~")
    it.resize(18, 60)
    it.resize(24, 80)
    it.type("q")
    it.end()


def less(folder):
    it = Recording("less", ["less", "-R", "text.txt"], folder)
    it.type(" ", " ", "/dog\r", "n", "b", "k", "k", "-N\r", "\x1b[C", "\x1b[D", "j")
    it.resize(12, 40)
    it.type("G", "g", "q")
    it.end()


def tmux(folder):
    it = Recording("tmux", ["tmux", "-L", f"record-{os.getpid()}", "-f", "/dev/null", "new", "/bin/sh"], folder)
    it.type("seq 40\r", *"\x02%", "cat text.txt\r", *'\x02"', "printf '\\033[1;31mred \\033[44mon blue\\033[0m 漢字\\n'\r", *"\x02o\x02z", "ls /\r", *"\x02z")
    it.resize(30, 100)
    it.type(*"\x02[", "\x1b[5~", "q", *"\x02:", "resize-pane -L 10\r")
    it.resize(20, 70)
    it.type(*"\x02:", "kill-server\r")
    it.end()


def shell(folder):
    it = Recording("shell", ["bash", "--norc", "-i"], folder, {"PS1": r"\[\e]0;\w\a\e[32m\]\u@here\[\e[0m\] \$ "})
    it.type("echo 漢字かな交じり文 한국어 ไทย กำ é ñ 😀👍🏽 👨‍👩‍👧 ❤️ 🇩🇪\r", "cat text.txt | head -40\r", "ls --color=always -C /usr/bin | head -30\r")
    it.type("echo a line with wide ones that begins here and ends beyond the end: 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", "\x01", "# ", "\x05", "\x17\x17", "\r", "\x1b[A", "\x03")
    it.resize(24, 61)
    it.type("printf '%-70s|\\n' 漢字 b c; tput setaf 5; tput rev; echo reverse; tput sgr0\r", "printf '\\033#8\\033[5;10r\\033[10;1H1\\n2\\n3\\n\\033[r\\033[24;1H'\r", "clear\r")
    it.resize(10, 33)
    it.type("for i in 1 2 3 4 5 6 7 8 9; do printf '\\033[4%dm%d\\033[K\\r\\n' $i $i; sleep 0.02; done; printf '\\033[m'\r", "seq 30\r", "printf 'progress:    '; for i in 10 50 100; do printf '\\b\\b\\b\\b%3d%%' $i; done; echo\r")
    it.resize(24, 80)
    it.type("exit\r")
    it.end()


def main():
    programs = {"vim": vim, "htop": htop, "less": less, "tmux": tmux, "shell": shell}
    os.makedirs(f"{HERE}/recordings", exist_ok=True)
    for name in sys.argv[1:] or programs:
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/text.txt", "w") as file:
                file.write(TEXT)
            with open(f"{folder}/Greeting.java", "w") as file:
                file.write(CODE)
            programs[name](folder)


main()
