package io.penstock.terminal.parser;

import io.penstock.terminal.grid.Work;
import java.nio.charset.StandardCharsets;

/**
 * Separates text, controls and sequences in bytes that may be split anywhere: the state machine of the VT500 over UTF-8. Bytes that
 * are not UTF-8 are dropped, as in xterm.js.
 */
public final class Parser {

    /** Receives the parsed text, controls and sequences. */
    public interface Actions {

        /** Characters from space to tilde. */
        void print(byte[] ascii, int from, int to);

        void print(int character);

        void control(int code);

        /** @param marks private marker and intermediate characters, the last one in the lowest byte */
        void csi(int marks, int end, Params params);

        void escape(int marks, int end);

        /** @param whole false if the text was cut for its length */
        void osc(String text, boolean whole);
    }

    private enum State {
        GROUND,
        ESCAPE,
        ESCAPE_MARKS,
        CSI_START,
        CSI_PARAMS,
        CSI_MARKS,
        CSI_IGNORED,
        OSC,
        /** DCS, SOS, PM and APC: their content does not change the screen. */
        STRING
    }

    private static final int ESC = 0x1b;
    private static final int BYTE_ORDER_MARK = 0xfeff;

    /**
     * Bytes read between two checks of the work done. A character or control costs a line at most, in insert mode or on a background.
     * A sequence may cost several screens, so the work is checked after each.
     */
    private static final int UNCHECKED_BYTES = 4096;

    private final Actions actions;
    private final Work work;
    private final Params params = new Params();
    private State state = State.GROUND;
    private int marks;
    private int utf8Wanted;
    private int utf8Read;
    private int utf8;
    private final PendingBytes pending = new PendingBytes();
    private int textFrom;
    private int oscFrom;

    public Parser(Actions actions, Work work) {
        this.actions = actions;
        this.work = work;
    }

    /** Stops when the allowed work is done; returns the index of the first byte that was not read. */
    public int read(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && !work.isSpent()) {
            at = emit(bytes, at, Math.min(to, at + UNCHECKED_BYTES));
        }
        work.add(at - from);
        return at;
    }

    private int emit(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            byte next = bytes[at];
            if (next < 0) {
                character(next);
                at++;
                continue;
            }
            if (utf8Wanted > 0) {
                dropCharacter();
            }
            if (state == State.GROUND && next >= 0x20 && next < 0x7f) {
                int end = at + 1;
                while (end < to && bytes[end] >= 0x20 && bytes[end] < 0x7f) {
                    end++;
                }
                actions.print(bytes, at, end);
                at = end;
                continue;
            }
            at++;
            if (state != State.GROUND && next >= 0x20) {
                pending.append(next);
                step(next);
                if (work.isSpent()) {
                    return at;
                }
                continue;
            }
            step(next);
        }
        return at;
    }

    /** Whether no character or sequence is incomplete. */
    public boolean isInText() {
        return state == State.GROUND && utf8Wanted == 0;
    }

    /** The bytes of an incomplete character or sequence, which have to be read again to continue from here. */
    public byte[] pending() {
        return isInText() ? new byte[0] : pending.bytes();
    }

    private void character(byte next) {
        int value = next & 0xff;
        if (utf8Wanted > 0) {
            if ((value & 0xc0) != 0x80) {
                dropCharacter();
                character(next);
                return;
            }
            pending.append(next);
            utf8 = utf8 << 6 | value & 0x3f;
            if (++utf8Read == utf8Wanted) {
                int whole = utf8;
                int length = utf8Wanted;
                if (isCharacter(whole, length)) {
                    utf8Wanted = 0;
                    step(whole);
                } else {
                    dropCharacter();
                }
            }
            return;
        }
        int length = (value & 0xe0) == 0xc0 ? 2 : (value & 0xf0) == 0xe0 ? 3 : (value & 0xf8) == 0xf0 ? 4 : 0;
        if (length == 0) {
            return;
        }
        if (state == State.GROUND) {
            pending.cut(0);
        }
        textFrom = pending.length();
        pending.append(next);
        utf8Wanted = length;
        utf8Read = 1;
        utf8 = value & (0xff >> length + 1);
    }

    private static boolean isCharacter(int value, int length) {
        return switch (length) {
            case 2 -> value >= 0x80;
            case 3 -> value >= 0x800 && (value < 0xd800 || value > 0xdfff) && value != BYTE_ORDER_MARK;
            default -> value >= 0x10000 && value <= 0x10ffff;
        };
    }

    /** Ignores bytes that are not a character. */
    private void dropCharacter() {
        utf8Wanted = 0;
        pending.cut(textFrom);
    }

    private void step(int code) {
        if (code == ESC) {
            endOfOsc();
            enter(State.ESCAPE);
            pending.append((byte) ESC);
            return;
        }
        if (code == 0x18 || code == 0x1a) {
            // An aborted OSC still has its effect.
            endOfOsc();
            state = State.GROUND;
            return;
        }
        if (code >= 0x80 && code < 0xa0) {
            c1(code);
            return;
        }
        switch (state) {
            case GROUND -> ground(code);
            case ESCAPE, ESCAPE_MARKS -> escape(code);
            case CSI_START, CSI_PARAMS, CSI_MARKS, CSI_IGNORED -> csi(code);
            case OSC -> osc(code);
            case STRING -> {}
        }
    }

    private void enter(State next) {
        state = next;
        marks = 0;
        pending.cut(0);
    }

    /** A C1 control: one character, whose two bytes of UTF-8 are pending. */
    private void c1(int code) {
        if (state == State.OSC && code == 0x9c) {
            pending.cut(textFrom);
            endOfOsc();
            return;
        }
        byte[] itself = new String(Character.toChars(code)).getBytes(StandardCharsets.UTF_8);
        State next = switch (code) {
            case 0x90, 0x98, 0x9e, 0x9f -> State.STRING;
            case 0x9b -> State.CSI_START;
            case 0x9d -> State.OSC;
            default -> State.GROUND;
        };
        enter(next);
        if (next == State.GROUND) {
            actions.control(code);
            return;
        }
        params.clear();
        for (byte each : itself) {
            pending.append(each);
        }
        oscFrom = pending.length();
    }

    private void ground(int code) {
        if (code < 0x20) {
            actions.control(code);
        } else if (code >= 0xa0) {
            actions.print(code);
        }
    }

    private void escape(int code) {
        if (code < 0x20) {
            actions.control(code);
        } else if (code < 0x30) {
            marks = marks << 8 | code;
            state = State.ESCAPE_MARKS;
        } else if (code >= 0x7f) {
            if (code != 0x7f) {
                state = State.GROUND;
            }
        } else if (state == State.ESCAPE && code == '[') {
            state = State.CSI_START;
            params.clear();
        } else if (state == State.ESCAPE && code == ']') {
            state = State.OSC;
            oscFrom = pending.length();
        } else if (state == State.ESCAPE && (code == 'P' || code == 'X' || code == '^' || code == '_')) {
            state = State.STRING;
        } else {
            state = State.GROUND;
            actions.escape(marks, code);
        }
    }

    private void csi(int code) {
        if (code < 0x20) {
            actions.control(code);
        } else if (code == 0x7f) {
            return;
        } else if (code > 0x7f) {
            state = State.GROUND;
        } else if (code >= 0x40) {
            boolean told = state != State.CSI_IGNORED;
            state = State.GROUND;
            if (told) {
                actions.csi(marks, code, params);
            }
        } else if (state != State.CSI_IGNORED) {
            parameter(code);
        }
    }

    private void parameter(int code) {
        if (code < 0x30) {
            marks = marks << 8 | code;
            state = State.CSI_MARKS;
        } else if (state == State.CSI_MARKS) {
            state = State.CSI_IGNORED;
        } else if (code >= 0x3c) {
            if (state == State.CSI_START) {
                marks = code;
                state = State.CSI_PARAMS;
            } else {
                state = State.CSI_IGNORED;
            }
        } else {
            state = State.CSI_PARAMS;
            if (code <= '9') {
                params.digit(code - '0');
            } else {
                params.next(code == ':');
            }
        }
    }

    private void osc(int code) {
        if (code == 0x07) {
            endOfOsc();
        }
    }

    private void endOfOsc() {
        if (state == State.OSC) {
            state = State.GROUND;
            // The pending bytes are its text, without the terminator.
            actions.osc(pending.text(oscFrom), !pending.isFull());
        }
    }
}
