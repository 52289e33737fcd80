package io.penstock.terminal;

/** Every limit of the terminal emulator, with its unit in its name and its reason next to it. */
public final class TerminalLimits {

    /** Cells of the scrollback: a thousand lines of up to 524 columns, and fewer of wider lines. */
    public static final int HISTORY_CELLS = 512 * 1024;

    /**
     * Bytes of the scrollback as a value or as escape sequences; the oldest lines are dropped beyond it. Enough for a thousand lines of
     * two hundred columns where each cell has colours of its own, as in pictures.
     */
    public static final int HISTORY_BYTES = 16 * 1024 * 1024;

    /** Distinct hyperlinks on the screen and in the scrollback: eight per line. Text of further links is plain. */
    public static final int LINKS = 8_192;

    /** Characters of one hyperlink; most browsers accept no more. 16 MiB for all of them. Text of a longer link is plain. */
    public static final int LINK_CHARS = 2_048;

    /**
     * Characters of all hyperlinks in one snapshot, each counted once per run of equal cells: forty links of a hundred characters per
     * line. Beyond it the oldest lines lose their links.
     */
    public static final int LINK_TEXT_CHARS = 4 * 1024 * 1024;

    private TerminalLimits() {}
}
