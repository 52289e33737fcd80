package io.penstock.terminal;

/** Sets and resets the private modes: {@code CSI ? n h} and {@code CSI ? n l}. */
final class PrivateModes {

    private PrivateModes() {}

    static void set(Emulator terminal, int number, boolean on) {
        Mode mode = Mode.of(number, true);
        if (mode != null) {
            terminal.modes.set(mode, on);
            if (mode == Mode.ORIGIN) {
                terminal.moveTo(0, 0);
            }
            return;
        }
        switch (number) {
            case 2 -> {
                if (on) {
                    terminal.charsets.designateAscii();
                }
            }
            case 9, 1000, 1002, 1003 -> terminal.modes.mouse(on ? Mouse.of(number) : Mouse.NONE);
            case 1006, 1016 -> terminal.modes.mouseEncoding(on ? number : 0);
            case 47, 1047 -> screen(terminal, on);
            case 1048 -> cursor(terminal, on);
            case 1049 -> {
                if (on) {
                    terminal.saveCursor();
                    terminal.showAlternate();
                } else {
                    terminal.showMain();
                    terminal.restoreCursor();
                }
            }
            default -> {}
        }
    }

    private static void screen(Emulator terminal, boolean alternate) {
        if (alternate) {
            terminal.showAlternate();
        } else {
            terminal.showMain();
        }
    }

    private static void cursor(Emulator terminal, boolean save) {
        if (save) {
            terminal.saveCursor();
        } else {
            terminal.restoreCursor();
        }
    }
}
