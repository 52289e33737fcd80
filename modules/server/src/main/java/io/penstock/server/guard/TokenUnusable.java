package io.penstock.server.guard;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The file that keeps the access token is not as it must be; the message says how to put it right. */
public final class TokenUnusable extends IOException {

    private static final long serialVersionUID = 1L;

    TokenUnusable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
