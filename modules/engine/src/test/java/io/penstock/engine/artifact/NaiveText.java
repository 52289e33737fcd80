package io.penstock.engine.artifact;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** The naive implementation of an artifact's answers: everything in memory, one byte after the other. */
final class NaiveText {
    private NaiveText() {}

    /** The UTF-8 decoder of the WHATWG's encoding standard, step by step. */
    static String decode(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        int point = 0;
        int needed = 0;
        int seen = 0;
        int lower = 0x80;
        int upper = 0xbf;
        for (int i = 0; i < bytes.length; i++) {
            int b = bytes[i] & 0xff;
            if (needed == 0) {
                if (b <= 0x7f) {
                    out.append((char) b);
                } else if (b >= 0xc2 && b <= 0xdf) {
                    needed = 1;
                    point = b & 0x1f;
                } else if (b >= 0xe0 && b <= 0xef) {
                    lower = b == 0xe0 ? 0xa0 : 0x80;
                    upper = b == 0xed ? 0x9f : 0xbf;
                    needed = 2;
                    point = b & 0xf;
                } else if (b >= 0xf0 && b <= 0xf4) {
                    lower = b == 0xf0 ? 0x90 : 0x80;
                    upper = b == 0xf4 ? 0x8f : 0xbf;
                    needed = 3;
                    point = b & 0x7;
                } else {
                    out.append('\ufffd');
                }
                continue;
            }
            if (b < lower || b > upper) {
                needed = 0;
                seen = 0;
                lower = 0x80;
                upper = 0xbf;
                out.append('\ufffd');
                i--;
                continue;
            }
            lower = 0x80;
            upper = 0xbf;
            point = point << 6 | b & 0x3f;
            if (++seen == needed) {
                out.appendCodePoint(point);
                needed = 0;
                seen = 0;
            }
        }
        return needed == 0 ? out.toString() : out.append('\ufffd').toString();
    }

    /** Each line with its line feed. */
    static List<byte[]> lines(byte[] bytes) {
        List<byte[]> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                lines.add(Arrays.copyOfRange(bytes, start, i + 1));
                start = i + 1;
            }
        }
        if (start < bytes.length) {
            lines.add(Arrays.copyOfRange(bytes, start, bytes.length));
        }
        return lines;
    }

    static String digest(byte[] bytes) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Lines of all kinds: text with characters of every length, CRLF, rewrites, binary, giant ones, with or without an end. */
    static byte[] content(Random random, int about) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String[] characters = {"a", "é", "€", "\ud83d\ude00", "\r", " ", "\u2028", "\ufffd", "z"};
        while (out.size() < about) {
            int kind = random.nextInt(20);
            int length = kind == 19 ? random.nextInt(200_000) : random.nextInt(120);
            for (int i = 0; i < length; i++) {
                if (kind >= 16 && kind < 19) {
                    out.write(random.nextInt(256));
                } else {
                    out.writeBytes(characters[random.nextInt(characters.length)].getBytes(StandardCharsets.UTF_8));
                }
            }
            if (out.size() < about || random.nextBoolean()) {
                out.writeBytes((random.nextInt(3) == 0 ? "\r\n" : "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }
}
