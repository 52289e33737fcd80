package io.penstock.engine.screen.terminal;

import java.util.Arrays;

/** Which characters are meant: four sets that programs designate, and the one in use, which may have been restored without being one of them. */
final class Charsets {

    private final char[] designated = {Charset.ASCII, Charset.ASCII, Charset.ASCII, Charset.ASCII};
    private int level;
    private char inUse = Charset.ASCII;

    char inUse() {
        return inUse;
    }

    int level() {
        return level;
    }

    String designated() {
        return new String(designated);
    }

    /** Names that are none leave all as it is. */
    void designate(int which, int name) {
        if (Charset.isOne(name)) {
            set(which, Charset.of(name));
        }
    }

    private void set(int which, char charset) {
        designated[which] = charset;
        if (which == level) {
            inUse = charset;
        }
    }

    void use(int which) {
        level = which;
        inUse = designated[which];
    }

    /** On the other screen; what is in use and neither designated nor saved there could not be written down. */
    void keep(char saved) {
        if (inUse != saved) {
            inUse = designated[level];
        }
    }

    void restore(char charset) {
        inUse = charset;
    }

    /** The first one, and that is ASCII. */
    void usual() {
        use(0);
        set(0, Charset.ASCII);
    }

    /** All of them are ASCII. */
    void plain() {
        Arrays.fill(designated, Charset.ASCII);
        inUse = Charset.ASCII;
    }

    void reset() {
        plain();
        level = 0;
    }
}
