package io.penstock.terminal.grid;

import java.util.Arrays;

/** The four designated character sets, and the one in use, which may be a restored set that is not one of the four. */
public final class Charsets {

    private final char[] designated = {Charset.ASCII, Charset.ASCII, Charset.ASCII, Charset.ASCII};
    private int level;
    private char inUse = Charset.ASCII;

    public char inUse() {
        return inUse;
    }

    public int level() {
        return level;
    }

    public String designated() {
        return new String(designated);
    }

    /** Ignores unknown names. */
    public void designate(int which, int name) {
        if (Charset.isKnown(name)) {
            set(which, Charset.of(name));
        }
    }

    private void set(int which, char charset) {
        designated[which] = charset;
        if (which == level) {
            inUse = charset;
        }
    }

    public void use(int which) {
        level = which;
        inUse = designated[which];
    }

    /** After a switch of screens: a set in use that is neither designated nor saved there could not be written as sequences. */
    public void switchScreen(char saved) {
        if (inUse != saved) {
            inUse = designated[level];
        }
    }

    public void restore(char charset) {
        inUse = charset;
    }

    /** Uses the first set and makes it ASCII. */
    public void selectAscii() {
        use(0);
        set(0, Charset.ASCII);
    }

    /** Makes all sets ASCII. */
    public void designateAscii() {
        Arrays.fill(designated, Charset.ASCII);
        inUse = Charset.ASCII;
    }

    public void reset() {
        designateAscii();
        level = 0;
    }
}
