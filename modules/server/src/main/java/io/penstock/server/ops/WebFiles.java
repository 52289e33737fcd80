package io.penstock.server.ops;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.MimeMapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The web client's files, read once from the class path into memory. No request reaches the disk, so no file of the
 * working directory, and no symbolic link, can be served or replace a page.
 */
final class WebFiles {

    private static final String FOLDER = "web";
    private static final String PACKED = ".gz";

    /** @param packed the same bytes, compressed with gzip by the build; null if the build did not */
    record WebFile(Buffer plain, @Nullable Buffer packed, String contentType) {}

    private final Map<String, WebFile> byPath;

    private WebFiles(Map<String, WebFile> byPath) {
        this.byPath = Map.copyOf(byPath);
    }

    /** The files of the build that this server runs from. */
    static WebFiles read() {
        URL index = WebFiles.class.getResource("/" + FOLDER + "/index.html");
        if (index == null) {
            throw new IllegalStateException("The web client is not on the class path: build the module web-client");
        }
        try {
            URI place = index.toURI();
            if (!place.getScheme().equals("jar")) {
                return read(Objects.requireNonNull(Path.of(place).getParent()));
            }
            try (FileSystem jar = FileSystems.newFileSystem(place, Map.of())) {
                return read(jar.getPath(FOLDER));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("A class loader gives valid URLs, unlike " + index, e);
        }
    }

    private static WebFiles read(Path folder) throws IOException {
        var bytes = new HashMap<String, Buffer>();
        try (Stream<Path> below = Files.walk(folder)) {
            for (Path file : below.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS))
                    .toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                bytes.put("/" + name, Buffer.buffer(Files.readAllBytes(file)));
            }
        }
        var files = new HashMap<String, WebFile>();
        bytes.forEach((path, plain) -> {
            if (!path.endsWith(PACKED)) {
                files.put(path, new WebFile(plain, bytes.get(path + PACKED), contentType(path)));
            }
        });
        files.put("/", Objects.requireNonNull(files.get("/index.html")));
        files.put("/docs", Objects.requireNonNull(files.get("/docs.html")));
        return new WebFiles(files);
    }

    private static String contentType(String path) {
        String type = MimeMapping.mimeTypeForFilename(path);
        String known = type == null ? "application/octet-stream" : type;
        return known.startsWith("text/") || known.equals("application/javascript") ? known + ";charset=UTF-8" : known;
    }

    /** @param path as spelled in the request: no other spelling names a file */
    @Nullable
    WebFile at(String path) {
        return byPath.get(path);
    }
}
