package io.penstock.sample;

import java.nio.file.Path;

/**
 * The command line.
 *
 * @param sessions the folder of the conversations
 */
record Options(Path sessions, String model, String thinking) {

    static final String USAGE = "usage: SampleAgent [--sessions FOLDER] [--model NAME] [--thinking LEVEL]";

    /** Throws {@link IllegalArgumentException} with a sentence. */
    static Options parse(String... words) {
        Path sessions = Path.of(".penstock", "agents");
        String model = "sample";
        String thinking = "off";
        for (int i = 0; i < words.length; i += 2) {
            if (i + 1 == words.length) {
                throw new IllegalArgumentException("A value is missing after " + words[i] + "; " + USAGE);
            }
            String value = words[i + 1];
            switch (words[i]) {
                case "--sessions" -> sessions = Path.of(value);
                case "--model" -> model = value;
                case "--thinking" -> thinking = value;
                default -> throw new IllegalArgumentException("There is no option " + words[i] + "; " + USAGE);
            }
        }
        return new Options(sessions.toAbsolutePath(), model, thinking);
    }
}
