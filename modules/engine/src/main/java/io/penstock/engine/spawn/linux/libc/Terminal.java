package io.penstock.engine.spawn.linux.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.penstock.engine.spawn.TerminalSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;

/** The operations on a pseudoterminal through its master descriptor. */
public final class Terminal {
    private static final int NAME_BYTES = 64;

    private Terminal() {}

    /** A new pseudoterminal. */
    public record Opened(int master, String name) {}

    public static Opened open(TerminalSize size) throws CallFailed {
        int master = -1;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = Libc.state();
            int flags = Layouts.O_RDWR | Layouts.O_NOCTTY | Layouts.O_CLOEXEC;
            master = (int) CallFailed.check(
                    "posix_openpt", Libc.orErrno((int) Libc.POSIX_OPENPT.invokeExact(state, flags), state));
            CallFailed.check("grantpt", Libc.orErrno((int) Libc.GRANTPT.invokeExact(state, master), state));
            CallFailed.check("unlockpt", Libc.orErrno((int) Libc.UNLOCKPT.invokeExact(state, master), state));
            MemorySegment name = arena.allocate(NAME_BYTES);
            CallFailed.check("ptsname", -(int) Libc.PTSNAME_R.invokeExact(master, name, (long) NAME_BYTES));
            eraseWholeCharacters(arena, master);
            resize(master, size);
            Descriptors.neverBlock(master);
            return new Opened(master, name.getString(0));
        } catch (CallFailed e) {
            if (master >= 0) {
                Descriptors.close(master);
            }
            throw e;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    public static void resize(int master, TerminalSize size) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment window = arena.allocate(Layouts.WINSIZE_BYTES, 2);
            window.set(JAVA_SHORT, Layouts.WINSIZE_ROWS, (short) size.rows());
            window.set(JAVA_SHORT, Layouts.WINSIZE_COLS, (short) size.cols());
            ioctl(master, Layouts.TIOCSWINSZ, window);
        }
    }

    public static TerminalSize size(int master) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment window = arena.allocate(Layouts.WINSIZE_BYTES, 2);
            ioctl(master, Layouts.TIOCGWINSZ, window);
            return new TerminalSize(
                    Short.toUnsignedInt(window.get(JAVA_SHORT, Layouts.WINSIZE_ROWS)),
                    Short.toUnsignedInt(window.get(JAVA_SHORT, Layouts.WINSIZE_COLS)));
        }
    }

    /** Whether the terminal reads lines without echo, as at a password prompt and hardly ever otherwise. */
    public static boolean hidesLines(int master) {
        return hasSettings(master, Terminal::hidesLines);
    }

    /** Whether the terminal does not hide lines; false if the settings cannot be read, since the input may be a password. */
    public static boolean showsInput(int master) {
        return hasSettings(master, settings -> !hidesLines(settings));
    }

    private static boolean hidesLines(MemorySegment settings) {
        return (settings.get(JAVA_INT, Layouts.TERMIOS_LOCAL) & (Layouts.LOCAL_LINES | Layouts.LOCAL_ECHO))
                == Layouts.LOCAL_LINES;
    }

    /** The kernel applies this call on the master to the program's side of the terminal. */
    private static boolean hasSettings(int master, Predicate<MemorySegment> wanted) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment settings = arena.allocate(Layouts.TERMIOS_BYTES, 4);
            return settings(master, settings) && wanted.test(settings);
        }
    }

    /** Today's terminals use UTF-8; without this flag a backspace removes one byte of a character. */
    private static void eraseWholeCharacters(Arena arena, int master) throws Throwable {
        MemorySegment settings = arena.allocate(Layouts.TERMIOS_BYTES, 4);
        if (settings(master, settings)) {
            int input = settings.get(JAVA_INT, Layouts.TERMIOS_INPUT) | Layouts.INPUT_IUTF8;
            settings.set(JAVA_INT, Layouts.TERMIOS_INPUT, input);
            int ignored = (int) Libc.TCSETATTR.invokeExact(Libc.state(), master, Layouts.TCSANOW, settings);
        }
    }

    private static boolean settings(int master, MemorySegment into) {
        try {
            return (int) Libc.TCGETATTR.invokeExact(Libc.state(), master, into) == 0;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    private static void ioctl(int fd, long request, MemorySegment argument) {
        MemorySegment state = Libc.state();
        try {
            long answer = Libc.orErrno((int) Libc.IOCTL.invokeExact(state, fd, request, argument), state);
            if (answer < 0) {
                throw new IllegalStateException(
                        "the terminal's size cannot be read or set: " + Errno.words((int) -answer));
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }
}
