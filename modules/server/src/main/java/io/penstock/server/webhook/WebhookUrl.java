package io.penstock.server.webhook;

import io.penstock.server.request.RequestFields;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;

/**
 * The URL of a receiver. Its path and query may be secret, so it is shown as {@link #target} only.
 *
 * @param host in lower case, without the brackets of an IPv6 address and without a dot at its end
 */
record WebhookUrl(String scheme, String host, int port, String pathAndQuery) {

    static WebhookUrl parse(String text) {
        if (text.length() > WebhookLimits.URL_CHARS) {
            throw wrong("has at most " + WebhookLimits.URL_CHARS + " characters, this one has " + text.length());
        }
        URI uri;
        try {
            uri = new URI(text).parseServerAuthority();
        } catch (URISyntaxException e) {
            // The URL may hold a secret, so the message does not repeat it.
            throw wrong("is no URL: " + e.getReason() + " at character " + e.getIndex());
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw wrong("begins with https:// or http://, not with \"" + RequestFields.shown(scheme) + "\"");
        }
        if (uri.getRawUserInfo() != null) {
            throw wrong("has no user and password before its host; the receiver checks the signature");
        }
        if (uri.getRawFragment() != null) {
            throw wrong("has no part behind #, which is never sent");
        }
        String host = uri.getHost();
        if (host == null || host.isEmpty() || !text.chars().allMatch(c -> c > ' ' && c < 0x7f) || host.contains("%")) {
            throw wrong("has a host of ASCII characters, such as https://hooks.example.com/penstock");
        }
        host = host.toLowerCase(Locale.ROOT);
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.endsWith(".")) {
            host = host.substring(0, host.length() - 1);
        }
        int port = uri.getPort() == -1 ? (scheme.equals("https") ? 443 : 80) : uri.getPort();
        if (port < 1 || port > 65_535) {
            throw wrong("has a port from 1 to 65535, not " + port);
        }
        String path = Objects.requireNonNullElse(uri.getRawPath(), "");
        String query = uri.getRawQuery();
        return new WebhookUrl(scheme, host, port, (path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query));
    }

    private static RuntimeException wrong(String why) {
        return RequestFields.wrong("url " + why);
    }

    boolean isSecure() {
        return scheme.equals("https");
    }

    /** What may be shown of it. */
    String target() {
        return scheme + "://" + hostInUrl() + ":" + port;
    }

    String text() {
        return target() + pathAndQuery;
    }

    /** As in the Host header: the port only if it is not the usual one. */
    private String hostInUrl() {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    @Override
    public String toString() {
        return target();
    }
}
