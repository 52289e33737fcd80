package io.penstock.server.request;

import io.penstock.engine.view.InlineText;
import io.penstock.frames.Limits;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fields of a request's query, each given at most once. */
public record QueryFields(RoutingContext request) implements Parameters {

    @Override
    public @Nullable String textOrNull(String name) {
        List<String> values = request.queryParam(name);
        if (values.size() > 1) {
            throw RequestFields.wrong(name + " is given " + values.size() + " times; give it once");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    @Override
    public long number(String name, long least, long most, long usual) {
        String text = textOrNull(name);
        return text == null ? usual : number(name, text, least, most);
    }

    /** @param name the field's name for the error message */
    public static long number(String name, String text, long least, long most) {
        long number = text.matches("[0-9]{1,16}") ? Long.parseLong(text) : -1;
        if (number < least || number > most) {
            throw RequestFields.wrong(name + " must be a whole number from " + least + " to " + most + ", but is \""
                    + RequestFields.shown(text) + "\"");
        }
        return number;
    }

    @Override
    public boolean flagOrFalse(String name) {
        String word = Objects.requireNonNullElse(textOrNull(name), "false");
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw RequestFields.wrong(
                        name + " must be true or false, but is \"" + RequestFields.shown(word) + "\"");
        };
    }

    /** How much of the output is included as text in frames. */
    public InlineText inlineText() {
        String word = Objects.requireNonNullElse(textOrNull("text"), "preview");
        return switch (word) {
            case "preview" -> InlineText.PREVIEW;
            case "full" -> InlineText.FULL;
            case "none" -> InlineText.NONE;
            default ->
                throw RequestFields.wrong(
                        "text must be preview, full or none, but is \"" + RequestFields.shown(word) + "\"");
        };
    }

    /** Where to continue: after the last event seen, else where the query says, else at the beginning. */
    public long fromSeq() {
        String last = request.request().getHeader("last-event-id");
        return last == null || last.isEmpty()
                ? number("from_seq", 0, Limits.WHOLE_NUMBER, 0)
                : number("Last-Event-ID", last, 0, Limits.WHOLE_NUMBER - 1) + 1;
    }
}
