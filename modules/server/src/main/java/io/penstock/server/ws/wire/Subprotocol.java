package io.penstock.server.ws.wire;

import io.penstock.server.failure.HttpFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The encodings of messages to and from viewers. */
public enum Subprotocol {
    JSON("penstock.v1.json"),
    BINARY("penstock.v1.binary"),
    /** No subprotocol, as plain terminals attach: only output and input. */
    RAW(null);

    private final @Nullable String wireName;

    Subprotocol(@Nullable String wireName) {
        this.wireName = wireName;
    }

    public static List<String> wireNames() {
        var names = new ArrayList<String>();
        for (Subprotocol subprotocol : values()) {
            if (subprotocol.wireName != null) {
                names.add(subprotocol.wireName);
            }
        }
        return names;
    }

    /** The first known one of those that a client offers. If none is known, it is refused, since it would not understand RAW. */
    public static Subprotocol offered(@Nullable String header) {
        if (header == null || header.isBlank()) {
            return RAW;
        }
        return Arrays.stream(header.split(","))
                .map(String::strip)
                .flatMap(offered -> Arrays.stream(values()).filter(known -> offered.equals(known.wireName)))
                .findFirst()
                .orElseThrow(() -> HttpFailure.wrong(
                        400,
                        "None of the subprotocols \"" + header + "\" is known; attach with "
                                + String.join(" or ", wireNames()) + ", or with none for the bytes alone"));
    }
}
