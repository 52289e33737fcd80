package io.penstock.frames;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The agent program of an agent task.
 *
 * @param profile the configured name of the program
 * @param model as the caller named it; null for the program's own choice
 * @param thinking the level of thinking; null for the program's own choice
 * @param afterTurn what happens to the program when its turn has settled
 */
public record AgentSpec(
        String profile,
        Protocol protocol,
        @Nullable String model,
        @Nullable String thinking,
        AfterTurn afterTurn) {

    /** The language that the program speaks on its pipes. */
    public enum Protocol {
        /** Agent Client Protocol, version 1. */
        ACP,
        /** The RPC mode of pi. */
        PI;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    /** What follows a turn. */
    public enum AfterTurn {
        /** The program ends, and with it the run. Another turn is another run, which loads the conversation. */
        END,
        /** The program waits for its next turn. */
        STAY;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    public AgentSpec {
        profile = Checks.name(profile, "profile");
        model = model == null ? null : Checks.name(model, "model");
        thinking = thinking == null ? null : Checks.name(thinking, "thinking");
    }

    void writeJson(JsonWriter json) {
        json.text("profile", profile);
        json.text("protocol", protocol.wireName());
        json.textOrNull("model", model);
        json.textOrNull("thinking", thinking);
        json.text("after_turn", afterTurn.wireName());
    }

    static AgentSpec readJson(JsonFields fields) {
        return new AgentSpec(
                fields.text("profile"),
                fields.oneOf("protocol", Protocol.class),
                fields.textOrNull("model"),
                fields.textOrNull("thinking"),
                fields.oneOf("after_turn", AfterTurn.class));
    }

    void writeStored(ByteWriter out) {
        out.writeText(profile);
        out.writeConstant(protocol);
        out.writeTextOrNull(model);
        out.writeTextOrNull(thinking);
        out.writeConstant(afterTurn);
    }

    static AgentSpec readStored(ByteReader in) {
        return new AgentSpec(
                in.readText(),
                in.readConstant(Protocol.class),
                in.readTextOrNull(),
                in.readTextOrNull(),
                in.readConstant(AfterTurn.class));
    }
}
