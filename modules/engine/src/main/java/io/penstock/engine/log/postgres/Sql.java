package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The statements, each in a file of its own next to this class, under its name. A line {@code @NAME} is the statement of that name. */
public final class Sql {

    private static final Map<String, String> LOADED = new ConcurrentHashMap<>();

    private Sql() {}

    /** Without comments: the client does not cache the plans of long texts, and the server need not parse them. */
    public static String named(String name) {
        return LOADED.computeIfAbsent(name, Sql::statement);
    }

    private static String statement(String name) {
        return text("sql/" + name + ".sql")
                .lines()
                .filter(line -> !line.strip().startsWith("--"))
                .map(line -> line.startsWith("@") ? statement(line.substring(1)) : line)
                .collect(Collectors.joining("\n"));
    }

    /** The whole text of a file, with uniform line ends, so that its checksum is the same everywhere. */
    static String text(String path) {
        try (InputStream in = Sql.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalArgumentException("there is no file " + path + " next to " + Sql.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new IllegalStateException("the file " + path + " cannot be read", e);
        }
    }
}
