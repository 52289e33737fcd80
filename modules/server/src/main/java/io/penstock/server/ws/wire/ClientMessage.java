package io.penstock.server.ws.wire;

import io.penstock.engine.pump.TaskCommand;
import io.penstock.frames.Failure;
import io.penstock.frames.Limits;
import io.penstock.server.request.CommandReader;
import io.penstock.server.request.RequestFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message from a client. */
public sealed interface ClientMessage {

    /** A message that is answered, and carried out once for each number that the client gives it. */
    sealed interface Operation extends ClientMessage {
        long op();
    }

    /** A command for the task. */
    record Command(long op, TaskCommand command) implements Operation {
        public Command {
            if (op < 1 || op > Limits.WHOLE_NUMBER) {
                throw RequestFields.wrong(
                        "op must be a whole number from 1 to " + Limits.WHOLE_NUMBER + ", but is " + op);
            }
        }
    }

    record ChooseSize(long op, SizePolicy policy) implements Operation {}

    /** The client acknowledges all frames below {@code nextSeq}. */
    record Parsed(long nextSeq) implements ClientMessage {
        public Parsed {
            if (nextSeq < 0 || nextSeq > Limits.WHOLE_NUMBER) {
                throw RequestFields.wrong(
                        "next_seq must be a whole number from 0 to " + Limits.WHOLE_NUMBER + ", but is " + nextSeq);
            }
        }
    }

    /** The client's view is not visible, so it needs no output. */
    record Hidden() implements ClientMessage {}

    /** The client's view is visible again. */
    record Shown() implements ClientMessage {}

    /** Reads a message in JSON. */
    static ClientMessage read(byte[] utf8, CommandReader commands) {
        RequestFields fields = RequestFields.parse(utf8, "The message");
        try {
            return read(fields, commands);
        } catch (Failure e) {
            throw new BadClientMessage(opOrNull(fields), e);
        }
    }

    /** The number of a message that is malformed otherwise, so that the client knows which one is refused. */
    private static @Nullable Long opOrNull(RequestFields fields) {
        try {
            return op(fields);
        } catch (Failure none) {
            return null;
        }
    }

    private static ClientMessage read(RequestFields fields, CommandReader commands) {
        String type = fields.text("type", Limits.TEXT_CHARS);
        return switch (type) {
            case "stdin", "resize", "signal", "cancel" -> {
                TaskCommand command = commands.read(type, fields);
                yield new Command(op(fields), command);
            }
            case "size_policy" -> {
                fields.only(List.of("type", "op", "policy"), "");
                yield new ChooseSize(op(fields), SizePolicy.read(fields.text("policy", Limits.TEXT_CHARS)));
            }
            case "parsed" -> {
                fields.only(List.of("type", "next_seq"), "");
                yield new Parsed(fields.number("next_seq", 0, Limits.WHOLE_NUMBER));
            }
            case "hidden" -> {
                fields.only(List.of("type"), "");
                yield new Hidden();
            }
            case "shown" -> {
                fields.only(List.of("type"), "");
                yield new Shown();
            }
            default ->
                throw RequestFields.wrong("There is no type \"" + RequestFields.shown(type)
                        + "\"; known are stdin, resize, size_policy, signal, cancel, parsed, hidden, shown");
        };
    }

    private static long op(RequestFields fields) {
        return fields.number("op", 1, Limits.WHOLE_NUMBER);
    }
}
