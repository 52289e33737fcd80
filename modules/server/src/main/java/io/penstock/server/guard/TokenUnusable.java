package io.penstock.server.guard;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The file of the access token is unusable; the message says how to repair it. */
public final class TokenUnusable extends IOException {

    private static final long serialVersionUID = 1L;

    TokenUnusable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
