package io.penstock.server.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The open browser sessions. A browser has a random cookie instead of the token, so that no script can read the token.
 * For each cookie this stores a MAC, which only this server can compute with its token, and an expiry time. Sessions
 * survive a restart in a file; a new token ends all of them, since it yields other MACs. May be called from any thread.
 */
public final class BrowserSessions {

    /** A month; after that, a browser needs a new link from where the server was started. */
    static final Duration LASTS = Duration.ofDays(30);

    /**
     * Only a caller with the token opens sessions; this bounds the leftovers of a script that opens one for each
     * request.
     */
    static final int MOST = 1_000;

    private static final int RANDOM_BYTES = 32;

    /** Enough to distinguish the servers that one browser uses. */
    private static final int NAME_CHARS = 10;

    private static final Pattern LINE = Pattern.compile("([0-9]{1,12}) ([A-Za-z0-9_-]{43})");
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path file;
    private final AccessToken token;

    /** The expiry time in seconds of the epoch, by the cookie's MAC. */
    private final Map<String, Long> until = new ConcurrentHashMap<>();

    /** The open connections of each session, which close with it, by the cookie's MAC. Its own monitor, which no I/O happens under. */
    private final Map<String, Set<Runnable>> open = new HashMap<>();

    private BrowserSessions(Path file, AccessToken token) {
        this.file = file;
        this.token = token;
    }

    /** Reads the sessions from this file; none if it does not exist. */
    public static BrowserSessions keptIn(Path file, AccessToken token) throws TokenUnusable {
        var sessions = new BrowserSessions(file, token);
        try {
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                Matcher session = LINE.matcher(line);
                if (session.matches()) {
                    sessions.until.put(session.group(2), Long.parseLong(session.group(1)));
                } else if (!line.isEmpty()) {
                    throw new TokenUnusable(
                            "The file " + file
                                    + " has a line that is not a browser session: delete the file, and sign in"
                                    + " again.",
                            null);
                }
            }
        } catch (TokenUnusable e) {
            throw e;
        } catch (IOException e) {
            throw new TokenUnusable("The browser sessions in " + file + " cannot be read: " + e, e);
        }
        return sessions;
    }

    /**
     * Browsers send a host's cookies to all its ports: with the same name, servers on one host would overwrite each
     * other's cookies.
     */
    String cookieName() {
        return "penstock-"
                + BASE64.encodeToString(token.seal("name of the cookie")).substring(0, NAME_CHARS);
    }

    /** Opens a session and returns its cookie. Blocks for the disk. */
    String open(Instant now) throws IOException {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        String cookie = BASE64.encodeToString(random);
        try {
            openUnless(now, cookie);
        } finally {
            closeWhatIsOver();
        }
        return cookie;
    }

    private synchronized void openUnless(Instant now, String cookie) throws IOException {
        until.values().removeIf(end -> end <= now.getEpochSecond());
        while (until.size() >= MOST) {
            until.remove(until.entrySet().stream()
                    .min(Map.Entry.comparingByValue())
                    .orElseThrow()
                    .getKey());
        }
        until.put(mark(cookie), now.plus(LASTS).getEpochSecond());
        write();
    }

    boolean isGood(String cookie, Instant now) {
        Long end = until.get(mark(cookie));
        return end != null && end > now.getEpochSecond();
    }

    /**
     * Invalidates the cookie from now on, even if this cannot be written, and closes what is open in its session. Blocks for the
     * disk.
     */
    void revoke(String cookie) throws IOException {
        end(Set.of(mark(cookie)));
    }

    /** Invalidates all cookies likewise. */
    void endAll() throws IOException {
        end(until.keySet());
    }

    private void end(Collection<String> marks) throws IOException {
        boolean ended;
        synchronized (this) {
            ended = until.keySet().removeAll(marks);
        }
        closeWhatIsOver();
        if (ended) {
            synchronized (this) {
                write();
            }
        }
    }

    /**
     * Something is open in a cookie's session.
     *
     * @param close called once, on any thread, when the session has ended; at once if it has
     * @return to be run when it is closed for another reason
     */
    Runnable opened(String cookie, Runnable close) {
        String mark = mark(cookie);
        synchronized (open) {
            open.computeIfAbsent(mark, _ -> Collections.newSetFromMap(new IdentityHashMap<>()))
                    .add(close);
        }
        // Asked afterwards: a session that ends from here on finds it.
        if (!until.containsKey(mark)) {
            closeWhatIsOver();
        }
        return () -> forget(mark, close);
    }

    private void forget(String mark, Runnable close) {
        synchronized (open) {
            Set<Runnable> ofSession = open.get(mark);
            if (ofSession != null && ofSession.remove(close) && ofSession.isEmpty()) {
                open.remove(mark);
            }
        }
    }

    private void closeWhatIsOver() {
        var over = new ArrayList<Runnable>();
        synchronized (open) {
            open.entrySet().removeIf(session -> {
                boolean isOver = !until.containsKey(session.getKey());
                if (isOver) {
                    over.addAll(session.getValue());
                }
                return isOver;
            });
        }
        over.forEach(Runnable::run);
    }

    private void write() throws IOException {
        SecretFile.write(
                file,
                until.entrySet().stream()
                        .map(session -> session.getValue() + " " + session.getKey())
                        .collect(Collectors.joining("\n")));
    }

    private String mark(String cookie) {
        return BASE64.encodeToString(token.seal("browser session " + cookie));
    }
}
