package io.penstock.engine.policy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the keys of one mapping of a YAML file; every error names the line. */
final class YamlMapping {

    private final Path file;
    private final Node node;
    private final Map<String, Node> values = new LinkedHashMap<>();

    YamlMapping(Path file, Node node, String what, List<String> known) {
        this.file = file;
        this.node = node;
        if (!(node instanceof MappingNode mapping)) {
            throw broken(node, what + " must be a mapping with the keys " + String.join(", ", known));
        }
        for (NodeTuple entry : mapping.getValue()) {
            String key = entry.getKeyNode() instanceof ScalarNode name ? name.getValue() : "?";
            if (!known.contains(key)) {
                throw broken(
                        entry.getKeyNode(),
                        "the key \"" + key + "\" is unknown; " + what + " has " + String.join(", ", known));
            }
            if (values.put(key, entry.getValueNode()) != null) {
                throw broken(entry.getKeyNode(), "\"" + key + "\" occurs twice");
            }
        }
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    Node node(String key) {
        Node value = values.get(key);
        if (value == null) {
            throw broken(node, "\"" + key + "\" is missing");
        }
        return value;
    }

    String text(String key) {
        Node value = node(key);
        if (!(value instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
            throw broken(value, "\"" + key + "\" must be a text that is not empty");
        }
        return scalar.getValue().strip();
    }

    @Nullable
    String textOrNull(String key) {
        return has(key) ? text(key) : null;
    }

    /** The list, or null if the key is missing. */
    @Nullable
    List<Node> listOrNull(String key) {
        if (!has(key)) {
            return null;
        }
        if (!(node(key) instanceof SequenceNode sequence)) {
            throw broken(node(key), "\"" + key + "\" must be a list");
        }
        return sequence.getValue();
    }

    List<String> words(String key) {
        var words = new ArrayList<String>();
        List<Node> nodes = listOrNull(key);
        if (nodes != null) {
            for (Node word : nodes) {
                if (!(word instanceof ScalarNode scalar)) {
                    throw broken(word, "\"" + key + "\" must be a list of words");
                }
                words.add(scalar.getValue());
            }
        }
        return words;
    }

    PolicyFileBroken broken(String key, String why) {
        return broken(values.getOrDefault(key, node), why);
    }

    PolicyFileBroken broken(Node where, String why) {
        return new PolicyFileBroken(file, PolicyFileBroken.line(where.getStartMark()), why);
    }
}
