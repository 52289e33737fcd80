package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The name of a test is a fact that fits into one line of a report. */
class TestNamesTest {

    private static final int CHARACTERS = 60;

    private static final Pattern TEST =
            Pattern.compile("(?s)@(?:Test|ParameterizedTest)\\b(?:(?!\\bvoid\\b).)*?\\bvoid (\\w+)\\(");

    @Test
    void namesHaveAtMostSixtyCharacters() {
        List<String> names = Checkout.writtenFiles().stream()
                .filter(file -> file.toString().contains("/src/test/")
                        && file.toString().endsWith("Test.java"))
                .flatMap(file -> TEST.matcher(Checkout.read(file)).results())
                .map(match -> match.group(1))
                .toList();
        assertTrue(names.size() > 1000, () -> names.size() + " tests");
        assertEquals(
                List.of(),
                names.stream().filter(name -> name.length() > CHARACTERS).toList());
    }
}
