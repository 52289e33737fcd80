package io.penstock.server.guard;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host and port from a Host or Origin header.
 *
 * @param host in lower case, an IPv6 address without its brackets
 * @param port -1 if none is given
 */
record HostName(String host, int port) {

    private static final Pattern FORM =
            Pattern.compile("(?:\\[(?<v6>[0-9A-Fa-f:.]+)]|(?<name>[A-Za-z0-9._-]+))(?::(?<port>[0-9]{1,5}))?");

    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    static @Nullable HostName parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        String v6 = matcher.group("v6");
        String name = v6 == null ? matcher.group("name") : v6;
        String port = matcher.group("port");
        return new HostName(String.valueOf(name).toLowerCase(Locale.ROOT), port == null ? -1 : Integer.parseInt(port));
    }

    /** Whether it is an address rather than a name, so that no name server was involved. */
    boolean isAddress() {
        return host.contains(":") || IPV4.matcher(host).matches();
    }

    HostName withPort(int usual) {
        return port < 0 ? new HostName(host, usual) : this;
    }
}
