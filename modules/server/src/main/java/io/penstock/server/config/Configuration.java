package io.penstock.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.agent.AgentProfiles;
import io.penstock.server.tools.agents.TaskToolSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a server.
 *
 * @param file that it was read from; null without one
 */
public record Configuration(@Nullable Path file, TaskToolSettings tasks, AgentProfiles agents) {

    /** In the data directory: read if it is there and none is named. */
    public static final String FILE_NAME = "penstock.toml";

    /** Far more than a configuration needs. */
    private static final int FILE_BYTES = 1024 * 1024;

    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /**
     * Blocks. Throws {@link ConfigurationBroken}.
     *
     * @param named the file; null for that of the data directory, if it is there
     * @param environment the server's, of which profiles may pass on variables
     */
    public static Configuration read(@Nullable Path named, Path data, Map<String, String> environment) {
        Map<String, AgentProfile> shipped = ShippedProfiles.all(data);
        Path usual = data.toAbsolutePath().normalize().resolve(FILE_NAME);
        if (named == null && Files.notExists(usual)) {
            return new Configuration(null, TaskToolSettings.DEFAULT, new AgentProfiles(shipped, ShippedProfiles.USUAL));
        }
        Path file = named == null ? usual : named.toAbsolutePath().normalize();
        TomlTable top = TomlTable.top(file, tree(file)).onlyWith("tasks", "agents");
        var profiles = new ProfileReader(top.table("agents"), shipped, environment);
        checkPermissions(file, profiles.hasValues());
        var tasks = new TaskTableReader(top.table("tasks"));
        return new Configuration(file, tasks.tools(), profiles.read(tasks.rates()));
    }

    private static ObjectNode tree(Path file) {
        try {
            return (ObjectNode) new TomlMapper().readTree(text(file));
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw ConfigurationBroken.atLine(file, line, "it is not TOML: " + reason(e));
        }
    }

    /** The parser's reason, without the text of the file, which may be a secret that lacks its quotes. */
    private static String reason(JsonProcessingException e) {
        String reason = String.valueOf(e.getOriginalMessage());
        return reason.startsWith("Invalid number") ? "a number is invalid; text needs quotes" : reason;
    }

    private static String text(Path file) {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new ConfigurationBroken(file, "is not a file");
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(FILE_BYTES + 1);
                if (bytes.length > FILE_BYTES) {
                    throw new ConfigurationBroken(file, "has more than " + FILE_BYTES + " bytes");
                }
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString();
            }
        } catch (NoSuchFileException e) {
            throw new ConfigurationBroken(file, "does not exist; name it with --config");
        } catch (AccessDeniedException e) {
            throw new ConfigurationBroken(file, "may not be read by this user: permission denied");
        } catch (CharacterCodingException e) {
            throw new ConfigurationBroken(file, "is not UTF-8");
        } catch (IOException e) {
            throw new ConfigurationBroken(file, "cannot be read: " + e.getMessage());
        }
    }

    /** Its commands run as the server's account, and its environment variables are secrets as a rule. */
    private static void checkPermissions(Path file, boolean hasValues) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            String shown = PosixFilePermissions.toString(permissions);
            if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new ConfigurationBroken(
                        file,
                        "can be written by everyone (" + shown
                                + "), who could run programs by it: make it yours only with chmod 600");
            }
            if (hasValues && !OWNER_ONLY.containsAll(permissions)) {
                throw new ConfigurationBroken(
                        file,
                        "has values of environment variables and can be read by others (" + shown
                                + "): make it yours only with chmod 600, or name the variables in pass_environment");
            }
        } catch (IOException e) {
            throw new ConfigurationBroken(file, "cannot be read: " + e.getMessage());
        }
    }
}
