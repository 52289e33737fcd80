package io.penstock.server.request;

import io.penstock.frames.Limits;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands in a request's query, each name once. */
public record QueryFields(RoutingContext request) {

    public @Nullable String textOrNull(String name) {
        List<String> values = request.queryParam(name);
        if (values.size() > 1) {
            throw JsonFields.wrong(name + " is given " + values.size() + " times; give it once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    public long number(String name, long least, long most, long usual) {
        String text = textOrNull(name);
        return text == null ? usual : number(name, text, least, most);
    }

    /** @param name for the complaint: what the text is, if it is no such number */
    public static long number(String name, String text, long least, long most) {
        long number = text.matches("[0-9]{1,16}") ? Long.parseLong(text) : -1;
        if (number < least || number > most) {
            throw JsonFields.wrong(name + " must be a whole number from " + least + " to " + most + ", but is \""
                    + JsonFields.shown(text) + "\"");
        }
        return number;
    }

    /** Where to go on: after the event that was seen last, else where the query says, else at the beginning. */
    public long fromSeq() {
        String last = request.request().getHeader("last-event-id");
        return last == null || last.isEmpty()
                ? number("from_seq", 0, Limits.WHOLE_NUMBER, 0)
                : number("Last-Event-ID", last, 0, Limits.WHOLE_NUMBER - 1) + 1;
    }
}
