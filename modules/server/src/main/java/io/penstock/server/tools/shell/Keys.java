package io.penstock.server.tools.shell;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bytes that keys send to a terminal: names of keys separated by spaces, or else literal text. */
final class Keys {

    private static final Map<String, String> NAMED = Map.ofEntries(
            Map.entry("Enter", "\r"),
            Map.entry("Tab", "\t"),
            Map.entry("Escape", "\u001b"),
            Map.entry("Space", " "),
            Map.entry("Backspace", "\u007f"),
            Map.entry("Up", "\u001b[A"),
            Map.entry("Down", "\u001b[B"),
            Map.entry("Right", "\u001b[C"),
            Map.entry("Left", "\u001b[D"),
            Map.entry("Home", "\u001b[H"),
            Map.entry("End", "\u001b[F"),
            Map.entry("PageUp", "\u001b[5~"),
            Map.entry("PageDown", "\u001b[6~"),
            Map.entry("Delete", "\u001b[3~"),
            Map.entry("Insert", "\u001b[2~"),
            Map.entry("F1", "\u001bOP"),
            Map.entry("F2", "\u001bOQ"),
            Map.entry("F3", "\u001bOR"),
            Map.entry("F4", "\u001bOS"),
            Map.entry("F5", "\u001b[15~"),
            Map.entry("F6", "\u001b[17~"),
            Map.entry("F7", "\u001b[18~"),
            Map.entry("F8", "\u001b[19~"),
            Map.entry("F9", "\u001b[20~"),
            Map.entry("F10", "\u001b[21~"),
            Map.entry("F11", "\u001b[23~"),
            Map.entry("F12", "\u001b[24~"));

    private Keys() {}

    /** Every word must be a key's name for the whole to be names; otherwise it is text as it stands. */
    static byte[] bytes(String keys) {
        var sequence = new StringBuilder();
        for (String word : keys.split(" ", -1)) {
            String bytes = named(word);
            if (bytes == null) {
                return keys.getBytes(StandardCharsets.UTF_8);
            }
            sequence.append(bytes);
        }
        return sequence.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static @Nullable String named(String word) {
        if (word.length() == 3 && word.startsWith("C-") && word.charAt(2) >= 'a' && word.charAt(2) <= 'z') {
            return String.valueOf((char) (word.charAt(2) - 'a' + 1));
        }
        return NAMED.get(word);
    }
}
