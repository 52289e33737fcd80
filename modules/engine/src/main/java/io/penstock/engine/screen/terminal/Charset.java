package io.penstock.engine.screen.terminal;

/** What a program may choose to be meant by the ASCII characters: mostly lines and corners instead of small letters. */
final class Charset {

    static final char ASCII = 'B';
    static final char LINES = '0';
    static final char BRITISH = 'A';

    /** From the grave accent on. */
    private static final String DRAWN = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·";

    /** Those that xterm.js knows; of most, only what looks like ASCII is in use. */
    private static final String NAMES = "0AB4C5RQKYE6ZH7=";

    private Charset() {}

    static boolean isOne(int name) {
        return NAMES.indexOf(name) >= 0;
    }

    /** Those that differ from none that is in use count as ASCII. */
    static char of(int name) {
        return name == LINES || name == BRITISH ? (char) name : ASCII;
    }

    static int shown(char charset, int character) {
        if (charset == LINES && character >= '`' && character <= '~') {
            return DRAWN.charAt(character - '`');
        }
        return charset == BRITISH && character == '#' ? '£' : character;
    }
}
