package io.penstock.terminal.grid;

/** The character sets that a program can use in place of ASCII: mostly lines and corners instead of small letters. */
public final class Charset {

    public static final char ASCII = 'B';
    static final char LINES = '0';
    static final char BRITISH = 'A';

    /** The characters of the drawing set, from the grave accent on. */
    private static final String DRAWN = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·";

    /** The sets that xterm.js knows; programs use only the ASCII part of most. */
    private static final String NAMES = "0AB4C5RQKYE6ZH7=";

    private Charset() {}

    static boolean isKnown(int name) {
        return NAMES.indexOf(name) >= 0;
    }

    /** Sets whose used part equals ASCII count as ASCII. */
    static char of(int name) {
        return name == LINES || name == BRITISH ? (char) name : ASCII;
    }

    public static int shown(char charset, int character) {
        if (charset == LINES && character >= '`' && character <= '~') {
            return DRAWN.charAt(character - '`');
        }
        return charset == BRITISH && character == '#' ? '£' : character;
    }
}
