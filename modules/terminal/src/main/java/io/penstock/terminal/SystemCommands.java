package io.penstock.terminal;

import java.util.stream.Stream;

/** The operating system commands ({@code ESC ]}): titles and hyperlinks. */
final class SystemCommands {

    private SystemCommands() {}

    /** @param whole false if the text was cut for its length */
    static void apply(Emulator terminal, String text, boolean whole) {
        int semicolon = text.indexOf(';');
        String said = text.substring(semicolon + 1);
        switch (semicolon < 0 ? "" : text.substring(0, semicolon)) {
            case "0", "2" -> terminal.title = title(said);
            case "8" -> link(terminal, said, whole);
            default -> {}
        }
    }

    private static String title(String said) {
        int end = said.length() > Emulator.TITLE_CHARS
                ? said.offsetByCodePoints(0, said.codePointCount(0, Emulator.TITLE_CHARS))
                : said.length();
        return said.substring(0, end);
    }

    /** An empty address ends the current link. A link that is too long counts as none. */
    private static void link(Emulator terminal, String said, boolean whole) {
        int semicolon = said.indexOf(';');
        if (semicolon < 0) {
            return;
        }
        String uri = said.substring(semicolon + 1);
        String named = said.substring(0, semicolon).strip();
        if (uri.isEmpty() && !named.isEmpty()) {
            return;
        }
        String id = Stream.of(named.split(":"))
                .filter(each -> each.startsWith("id="))
                .findFirst()
                .map(each -> each.substring(3))
                .orElse("");
        boolean fits = whole && uri.length() + id.length() <= TerminalLimits.LINK_CHARS;
        terminal.link(uri.isEmpty() || !fits ? null : new Link(uri, id));
    }
}
