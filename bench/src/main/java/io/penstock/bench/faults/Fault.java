package io.penstock.bench.faults;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A fault that is injected while the server is in use. */
enum Fault {
    KILL_SERVER,
    STOP_SERVER,
    KILL_POSTGRES,
    PAUSE_POSTGRES,
    FULL_DISK,
    FEW_DESCRIPTORS;

    /** The fault's name on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static final class Converter implements ITypeConverter<Fault> {
        @Override
        public Fault convert(String word) {
            return Arrays.stream(values())
                    .filter(fault -> fault.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("there is no fault " + word + ", but "
                            + Stream.of(values()).map(Fault::word).collect(Collectors.joining(", "))));
        }
    }
}
