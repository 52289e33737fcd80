package io.penstock.engine.log.drain;

import io.penstock.frames.ByteReader;
import io.penstock.frames.ByteWriter;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.StoredForm;
import io.penstock.frames.StreamId;
import io.penstock.frames.StreamKind;

/** The contents of journal records. As in {@link StoredForm}, fields and kinds are only ever appended. */
public sealed interface LogRecord {

    /** A stream was begun and has this number from now on. */
    record Begun(long streamNo, StreamId stream) implements LogRecord {}

    /** A frame with its body in stored form. */
    record Framed(long streamNo, long seq, long timestampMs, int type, byte[] body) implements LogRecord {}

    /**
     * An idempotency key was claimed, answered, or released.
     *
     * @param fingerprint of the request; empty if the key was released
     * @param answer empty while the operation is running
     */
    record Keyed(int day, String principal, String key, byte[] fingerprint, byte[] answer, boolean answered, long atMs)
            implements LogRecord {}

    int BEGUN = 1;
    int FRAMED = 2;
    int KEYED = 3;

    static void writeBegun(ByteWriter out, long streamNo, StreamId stream) {
        out.clear();
        out.writeByte(BEGUN);
        out.writeNumber(streamNo);
        out.writeByte(stream.kind().code());
        out.writeText(stream.id());
    }

    static void writeFramed(ByteWriter out, long streamNo, Frame frame) {
        out.clear();
        out.writeByte(FRAMED);
        out.writeNumber(streamNo);
        out.writeNumber(frame.seq());
        out.writeNumber(frame.timestampMs());
        out.writeByte(frame.body().type().code());
        StoredForm.write(frame.body(), out);
    }

    static void writeKeyed(ByteWriter out, Keyed record) {
        out.clear();
        out.writeByte(KEYED);
        out.writeNumber(record.day());
        out.writeText(record.principal());
        out.writeText(record.key());
        out.writeBytes(record.fingerprint());
        out.writeByte(record.answered() ? 1 : 0);
        out.writeBytes(record.answer());
        out.writeNumber(record.atMs());
    }

    static LogRecord read(byte[] bytes, int length) {
        var in = new ByteReader(bytes, 0, length);
        int kind = in.readByte();
        return switch (kind) {
            case BEGUN -> new Begun(in.readNumber(), new StreamId(StreamKind.ofCode(in.readByte()), in.readText()));
            case FRAMED -> new Framed(in.readNumber(), in.readNumber(), in.readNumber(), in.readByte(), in.readRest());
            case KEYED -> {
                int day = in.readSmallNumber();
                String principal = in.readText();
                String key = in.readText();
                byte[] fingerprint = in.readBytes();
                boolean answered = in.readByte() == 1;
                yield new Keyed(day, principal, key, fingerprint, in.readBytes(), answered, in.readNumber());
            }
            default ->
                throw new Failure(
                        FailureCode.MALFORMED_FRAME,
                        "A journal record has the unknown kind " + kind + "; a newer Penstock wrote it");
        };
    }
}
