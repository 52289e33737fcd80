package io.penstock.server.ws.wire;

import io.penstock.server.failure.HttpFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The languages that are spoken with viewers. */
public enum Subprotocol {
    JSON("penstock.v1.json"),
    BINARY("penstock.v1.binary"),
    /** None: what the program writes and what it reads, and nothing else, as plain terminals attach. */
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

    /** Of those that a viewer offers, the first that is known, as it is told in the answer; refused where none is, for it would not understand the raw one. */
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
