package io.penstock.engine.policy;

import io.penstock.frames.Budgets;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** A file of rules. It is read as a whole: one error anywhere rejects all of it. */
public final class PolicyFile {

    private PolicyFile() {}

    /** Blocks. Throws {@link PolicyFileBroken}. */
    public static List<Rule> read(Path file, Profile profile) {
        Node root = tree(file);
        if (root == null) {
            throw new PolicyFileBroken(file, 1, "it is empty; it must have a list \"rules\"");
        }
        var top = new YamlMapping(file, root, "a policy", List.of("rules"));
        List<Node> nodes = top.listOrNull("rules");
        if (nodes == null) {
            throw top.broken(root, "\"rules\" is missing");
        }
        if (nodes.size() > Limits.POLICY_RULES) {
            throw top.broken("rules", "there are " + nodes.size() + " rules, but the limit is " + Limits.POLICY_RULES);
        }
        var rules = new ArrayList<Rule>();
        var names = new HashSet<String>();
        for (Node node : nodes) {
            Rule rule = new RuleReader(file, node, profile).rule();
            if (!names.add(rule.name())) {
                throw top.broken(node, "another rule has the name \"" + rule.name() + "\"");
            }
            rules.add(rule);
        }
        return List.copyOf(rules);
    }

    private static Node tree(Path file) {
        try {
            if (Files.size(file) > Limits.POLICY_FILE_BYTES) {
                throw new PolicyFileBroken(file, "has more than " + Limits.POLICY_FILE_BYTES + " bytes");
            }
            var options = new LoaderOptions();
            options.setNestingDepthLimit(10);
            return new Yaml(options).compose(new StringReader(Files.readString(file)));
        } catch (NoSuchFileException e) {
            throw new PolicyFileBroken(file, "does not exist");
        } catch (CharacterCodingException e) {
            throw new PolicyFileBroken(file, "is not UTF-8");
        } catch (IOException e) {
            throw new PolicyFileBroken(file, "cannot be read: " + e.getMessage());
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : PolicyFileBroken.line(e.getProblemMark());
            throw new PolicyFileBroken(file, line, "it is not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            throw new PolicyFileBroken(file, "is not YAML: " + e.getMessage());
        }
    }

    /** The rule's own budgets; where it has none, those of the profile. */
    static Budgets merged(Budgets own, Budgets profile) {
        return new Budgets(
                own.timeMs() == null ? profile.timeMs() : own.timeMs(),
                own.outputBytes() == null ? profile.outputBytes() : own.outputBytes(),
                own.events() == null ? profile.events() : own.events());
    }
}
