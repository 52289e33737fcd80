package io.penstock.checks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The poms of a checkout as trees of elements. */
final class Poms {

    private Poms() {}

    /** The top pom, then those of its modules. */
    static List<Element> all(Path root) {
        List<Element> poms = new ArrayList<>();
        Element top = parse(root.resolve("pom.xml"));
        poms.add(top);
        at(top, "modules", "module")
                .forEach(module ->
                        poms.add(parse(root.resolve(module.getTextContent().strip(), "pom.xml"))));
        return List.copyOf(poms);
    }

    /** The arguments that javac gets in every module, in the order of the pom. */
    static List<String> compilerArguments(Path root) {
        return at(parse(root.resolve("pom.xml")), "build", "pluginManagement", "plugins", "plugin").stream()
                .filter(plugin -> text(plugin, "artifactId").equals("maven-compiler-plugin"))
                .flatMap(plugin -> at(plugin, "configuration", "compilerArgs", "arg").stream())
                .map(Element::getTextContent)
                .toList();
    }

    /** The elements at the end of a path of names. */
    static List<Element> at(Element from, String... path) {
        List<Element> found = List.of(from);
        for (String name : path) {
            found = found.stream()
                    .flatMap(parent -> children(parent).stream())
                    .filter(child -> child.getTagName().equals(name))
                    .toList();
        }
        return found;
    }

    static List<Element> children(Element parent) {
        List<Element> found = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                found.add(element);
            }
        }
        return found;
    }

    /** The text of the first child of this name; empty if there is none. */
    static String text(Element parent, String name) {
        return at(parent, name).stream()
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
