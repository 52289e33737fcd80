package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/security.md names a test for each promise. */
class SecurityDocTest {

    @Test
    void everyTestThatItNamesIsThere() {
        var named = Pattern.compile("`([A-Za-z0-9]+Test)`")
                .matcher(Checkout.read(Checkout.ROOT.resolve("docs/security.md")))
                .results()
                .map(name -> name.group(1) + ".java")
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(named.size() > 10, named::toString);
        Checkout.writtenFiles().forEach(file -> named.remove(file.getFileName().toString()));
        assertEquals(new TreeSet<String>(), named);
    }
}
