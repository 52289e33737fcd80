package io.penstock.bench;

import io.penstock.frames.Limits;
import io.penstock.terminal.Emulator;
import io.penstock.terminal.ScreenState;
import io.penstock.terminal.ansi.AnsiScreen;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The terminal emulator of screens: time for a MiB of output, and for its screen as bytes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@NullUnmarked // JMH initializes the fields.
public class ScreenBench {

    private static final int MIB = 1024 * 1024;
    private static final int MIBS = 8;

    @Param({"yes", "seq", "lines", "coloured", "cjk"})
    private String output;

    private byte[] bytes;
    private Emulator terminal;

    @Setup
    public void setUp() {
        var text = new StringBuilder();
        for (int i = 1; text.length() < MIBS * MIB; i++) {
            text.append(
                    switch (output) {
                        case "yes" -> "y\r\n";
                        case "seq" -> i + "\r\n";
                        case "lines" -> "A line of some log, number " + i + ", about as long as they are, or so\r\n";
                        case "coloured" ->
                            "\u001b[32mINFO\u001b[0m line \u001b[1;34m" + i + "\u001b[0m of some log\r\n";
                        default -> "\u6f22\u5b57\u304b\u306a \ud83d\ude00 " + i + "\r\n";
                    });
        }
        bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        terminal = new Emulator(24, 80, Limits.SCREEN_HISTORY_LINES);
        terminal.write(bytes, 0, MIB);
    }

    /** A MiB at once, as when a screen is advanced. */
    @Benchmark
    @OperationsPerInvocation(MIBS)
    public Emulator mebibyte() {
        return write(MIB);
    }

    /** In pieces the size of a busy terminal's frames, without skipping any. */
    @Benchmark
    @OperationsPerInvocation(MIBS)
    public Emulator mebibyteInPieces() {
        return write(8 * 1024);
    }

    @Benchmark
    public byte[] screenAsBytes() {
        ScreenState state = terminal.state();
        return AnsiScreen.of(state);
    }

    private Emulator write(int piece) {
        for (int at = 0; at < MIBS * MIB; at += piece) {
            terminal.write(bytes, at, at + piece);
        }
        return terminal;
    }
}
