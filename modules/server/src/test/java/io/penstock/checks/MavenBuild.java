package io.penstock.checks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** What the poms say, as sentences that {@link GradleBuild} says in the same words. */
final class MavenBuild {
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");
    private static final Map<String, String> CONFIGURATION_OF_SCOPE =
            Map.of("compile", "api", "runtime", "runtimeOnly", "test", "testImplementation", "provided", "compileOnly");

    private final Path root;
    private final Element pom;
    private final Map<String, String> properties = new TreeMap<>();
    private final SortedSet<String> sentences = new TreeSet<>();

    private MavenBuild(Path root) {
        this.root = root;
        this.pom = parse(root.resolve("pom.xml"));
        properties.put("project.groupId", text(pom, "groupId"));
        properties.put("project.version", text(pom, "version"));
        for (Element property : children(pom, "properties")) {
            properties.put(property.getTagName(), property.getTextContent().strip());
        }
    }

    static SortedSet<String> sentences(Path root) {
        var build = new MavenBuild(root);
        build.readRoot();
        for (Element module : children(build.pom, "modules")) {
            build.readModule(module.getTextContent().strip());
        }
        return build.sentences;
    }

    /** What javac is told in every module, in the order of the pom. */
    static List<String> compilerArguments(Path root) {
        List<String> arguments = new ArrayList<>();
        for (Element plugin : children(parse(root.resolve("pom.xml")), "build", "pluginManagement", "plugins")) {
            if (text(plugin, "artifactId").equals("maven-compiler-plugin")) {
                children(plugin, "configuration", "compilerArgs").forEach(arg -> arguments.add(arg.getTextContent()));
            }
        }
        return List.copyOf(arguments);
    }

    private void readRoot() {
        sentences.add("group " + text(pom, "groupId"));
        sentences.add("version " + text(pom, "version"));
        properties.forEach((name, value) -> {
            if (name.endsWith(".version") && !name.startsWith("project.")) {
                sentences.add("version of " + name.substring(0, name.length() - ".version".length()) + ": " + value);
            }
        });
        for (Element managed : children(pom, "dependencyManagement", "dependencies")) {
            readVersion(managed);
            if (text(managed, "scope").equals("import")) {
                sentences.add("platform " + coordinates(managed));
            }
        }
        readDependencies("every module", pom);
        for (Element plugin : children(pom, "build", "pluginManagement", "plugins")) {
            readProcessors("every module", plugin);
        }
        compilerArguments(root).forEach(argument -> sentences.add("javac " + argument));
    }

    private void readModule(String folder) {
        Element module = parse(root.resolve(folder).resolve("pom.xml"));
        String name = text(module, "artifactId");
        sentences.add("module " + name + " in " + folder);
        readDependencies(name, module);
        for (Element plugin : children(module, "build", "plugins")) {
            readProcessors(name, plugin);
        }
    }

    private void readDependencies(String module, Element from) {
        for (Element dependency : children(from, "dependencies")) {
            readVersion(dependency);
            String scope = text(dependency, "scope").isEmpty() ? "compile" : text(dependency, "scope");
            String configuration = CONFIGURATION_OF_SCOPE.get(scope);
            if (configuration == null) {
                throw new IllegalArgumentException("%s has the scope %s in %s, which has no counterpart in Gradle."
                        .formatted(coordinates(dependency), scope, module));
            }
            sentences.add("%s: %s %s".formatted(module, configuration, coordinates(dependency)));
        }
    }

    private void readProcessors(String module, Element plugin) {
        for (Element path : children(plugin, "configuration", "annotationProcessorPaths")) {
            readVersion(path);
            sentences.add("%s: annotationProcessor %s".formatted(module, coordinates(path)));
        }
    }

    /** Our own modules have the version of the whole, so theirs is no news. */
    private void readVersion(Element dependency) {
        String version = text(dependency, "version");
        if (!version.isEmpty() && !text(dependency, "groupId").equals(properties.get("project.groupId"))) {
            sentences.add("version of %s: %s".formatted(coordinates(dependency), resolved(version)));
        }
    }

    private String coordinates(Element dependency) {
        String type = text(dependency, "type");
        boolean usual = type.isEmpty() || type.equals("jar") || type.equals("pom");
        String classifier = text(dependency, "classifier");
        return resolved(text(dependency, "groupId")) + ":" + text(dependency, "artifactId") + (usual ? "" : ":" + type)
                + (classifier.isEmpty() ? "" : ":" + classifier);
    }

    private String resolved(String value) {
        return PROPERTY.matcher(value).replaceAll(match -> {
            String known = properties.get(match.group(1));
            if (known == null) {
                throw new IllegalArgumentException("The property " + match.group(1) + " is not in pom.xml.");
            }
            return Matcher.quoteReplacement(known);
        });
    }

    /** The elements inside the element at the end of the path, or none where there is no such path. */
    private static List<Element> children(Element from, String... path) {
        Element parent = from;
        for (String name : path) {
            Element next = elements(parent).stream()
                    .filter(element -> element.getTagName().equals(name))
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                return List.of();
            }
            parent = next;
        }
        return elements(parent);
    }

    private static List<Element> elements(Element parent) {
        List<Element> found = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                found.add(element);
            }
        }
        return found;
    }

    private static String text(Element parent, String name) {
        return elements(parent).stream()
                .filter(element -> element.getTagName().equals(name))
                .map(element -> element.getTextContent().strip())
                .findFirst()
                .orElse("");
    }

    private static Element parse(Path file) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalArgumentException(file + " cannot be read as a pom.", e);
        }
    }
}
