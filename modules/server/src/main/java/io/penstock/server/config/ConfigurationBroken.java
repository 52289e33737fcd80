package io.penstock.server.config;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.nio.file.Path;

/** A configuration that cannot be used: the file, the key or the line, and what would be right. Never a value that may be a secret. */
public final class ConfigurationBroken extends Failure {

    private static final long serialVersionUID = 1L;

    ConfigurationBroken(Path file, String why) {
        super(FailureCode.INVALID_REQUEST, "The configuration " + file + " " + why);
    }

    static ConfigurationBroken atLine(Path file, int line, String why) {
        return new ConfigurationBroken(file, "cannot be used, line " + line + ": " + why);
    }

    static ConfigurationBroken atKey(Path file, String key, String why) {
        return new ConfigurationBroken(file, "cannot be used: \"" + key + "\" " + why);
    }
}
