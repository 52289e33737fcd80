package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The pages can be followed: links lead somewhere, and the architecture page stays short. */
class DocumentsTest {

    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?://)([^)#\\s]*)(#[^)\\s]*)?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");

    private static final Pattern INVARIANT = Pattern.compile("\\*\\*Invariant ([A-Z_]+):\\*\\*");

    /** Two pages of paper; longer explanations belong next to the code. */
    private static final int ARCHITECTURE_LINES = 200;

    private static final int ARCHITECTURE_COLUMNS = 120;

    @Test
    void linksLeadToFilesAndHeadings() {
        List<Path> pages = Checkout.writtenFiles().stream()
                .filter(file -> file.toString().endsWith(".md"))
                .toList();
        assertTrue(pages.size() > 15, pages::toString);
        var broken = new ArrayList<String>();
        for (Path page : pages) {
            LINK.matcher(text(page)).results().forEach(link -> {
                Path target = link.group(1).isEmpty()
                        ? page
                        : page.resolveSibling(link.group(1)).normalize();
                boolean leads = Files.exists(target)
                        && (link.group(2) == null || anchors(text(target)).containsKey(link.group(2)));
                if (!leads) {
                    broken.add(Checkout.ROOT.relativize(page) + " " + link.group());
                }
            });
        }
        assertEquals(List.of(), broken);
    }

    @Test
    void everyNamedInvariantHasATestWithItsTag() {
        String tests = Checkout.writtenFiles().stream()
                .filter(file -> file.toString().contains("/src/test/")
                        && file.toString().endsWith(".java"))
                .map(DocumentsTest::text)
                .collect(Collectors.joining("\n"));
        List<String> names = INVARIANT
                .matcher(Checkout.read(Checkout.ROOT.resolve("ARCHITECTURE.md")))
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
        assertTrue(names.size() > 5, names::toString);
        assertEquals(
                List.of(),
                names.stream()
                        .filter(name -> !tests.contains("@Tag(\"" + name + "\")"))
                        .toList());
    }

    @Test
    void architectureFitsTwoPages() {
        List<String> lines =
                Checkout.read(Checkout.ROOT.resolve("ARCHITECTURE.md")).lines().toList();
        assertTrue(lines.size() <= ARCHITECTURE_LINES, () -> lines.size() + " lines");
        assertEquals(
                List.of(),
                lines.stream()
                        .filter(line -> line.length() > ARCHITECTURE_COLUMNS)
                        .toList());
    }

    private static String text(Path page) {
        return CODE.matcher(Checkout.read(page)).replaceAll("");
    }

    /** As GitHub names them. */
    private static Map<String, String> anchors(String page) {
        var anchors = new HashMap<String, String>();
        HEADING.matcher(page).results().forEach(heading -> {
            String title = heading.group(1);
            String name = title.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            anchors.put("#" + name, title);
        });
        return anchors;
    }
}
