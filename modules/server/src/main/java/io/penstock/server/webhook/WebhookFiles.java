package io.penstock.server.webhook;

import io.penstock.frames.Actor;
import io.penstock.server.guard.SecretFile;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks of a data directory: {@code webhooks} has a file for each, {@code webhook-key} the key from which secrets are derived. Only
 * their owner may read them: a URL and a secret are in no frame. Blocks.
 */
public final class WebhookFiles {

    private static final String SUFFIX = ".json";
    private static final String REMOVED_BY = "removed_by";
    private static final int KEY_BYTES = 32;

    private final Path folder;
    private final Path keyFile;

    public WebhookFiles(Path data) {
        this.folder = data.resolve("webhooks");
        this.keyFile = data.resolve("webhook-key");
    }

    /**
     * The webhook of a session.
     *
     * @param secret as its caller gave it; null if it is derived
     * @param actor the caller who set it
     * @param rule the rule of policy that allowed it then
     */
    record Stored(String session, WebhookUrl url, @Nullable WebhookSecret secret, Actor actor, String rule) {}

    /**
     * What the files say.
     *
     * @param removals sessions whose webhook is being removed, and by whom: the last server died before it had recorded that
     */
    record Found(List<Stored> webhooks, Map<String, Actor> removals) {}

    Found all() throws IOException {
        var found = new Found(new ArrayList<>(), new HashMap<>());
        if (Files.isDirectory(folder)) {
            try (var files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
                for (Path file : files) {
                    var json = new JsonObject(SecretFile.read(file, "The webhook"));
                    String removedBy = json.getString(REMOVED_BY);
                    if (removedBy == null) {
                        found.webhooks.add(stored(json));
                    } else {
                        found.removals.put(json.getString("session_id"), Actor.parse(removedBy));
                    }
                }
            }
        }
        return found;
    }

    private static Stored stored(JsonObject json) {
        String secret = json.getString("secret");
        return new Stored(
                json.getString("session_id"),
                WebhookUrl.parse(json.getString("url")),
                secret == null ? null : WebhookSecret.parse(secret),
                Actor.parse(json.getString("actor")),
                json.getString("rule"));
    }

    void write(Stored webhook) throws IOException {
        if (Files.notExists(folder)) {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        WebhookSecret secret = webhook.secret();
        write(
                webhook.session(),
                new JsonObject()
                        .put("session_id", webhook.session())
                        .put("url", webhook.url().text())
                        .put("actor", webhook.actor().toString())
                        .put("rule", webhook.rule())
                        .put("secret", secret == null ? null : secret.text()));
    }

    /** Notes in the file of a webhook, if there is one, that it is being removed. */
    void markRemoved(String session, Actor actor) throws IOException {
        if (Files.exists(file(session))) {
            write(session, new JsonObject().put("session_id", session).put(REMOVED_BY, actor.toString()));
        }
    }

    private void write(String session, JsonObject json) throws IOException {
        SecretFile.write(file(session), ascii(json.encode()));
    }

    /** JSON may have characters beyond ASCII in its strings only, where they can be escaped. */
    private static String ascii(String json) {
        var ascii = new StringBuilder();
        for (char c : json.toCharArray()) {
            ascii.append(c < 0x80 ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return ascii.toString();
    }

    void delete(String session) throws IOException {
        Files.deleteIfExists(file(session));
    }

    /** The name says nothing of the session, whose id may differ from another's in case only. */
    private Path file(String session) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(session.getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(digest, 0, 16) + SUFFIX);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** The key from which secrets are derived; created if there is none. */
    byte[] key() throws IOException {
        if (Files.notExists(keyFile)) {
            var key = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(key);
            SecretFile.write(keyFile, HexFormat.of().formatHex(key));
        }
        String key = SecretFile.read(keyFile, "The key of webhooks");
        if (!key.matches("[0-9a-f]{" + 2 * KEY_BYTES + "}")) {
            throw new IOException("the file " + keyFile + " has no key, which is " + 2 * KEY_BYTES
                    + " hexadecimal digits: delete it to get a new one");
        }
        return HexFormat.of().parseHex(key);
    }

    /** The secret that is derived for a session. */
    public WebhookSecret derivedSecret(String session) throws IOException {
        return WebhookSecret.derived(key(), session);
    }
}
