package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Frame;
import io.penstock.frames.RefusedSpawn;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.IdempotencyKeys;
import io.penstock.server.request.Once;
import io.vertx.core.json.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The verdicts of policy about a task, and the answers to its questions. */
final class PolicyRoutes {

    private PolicyRoutes() {}

    /** @param answerer recorded as the author of answers */
    static void bind(ApiRoutes routes, TaskApi tasks, IdempotencyKeys keys, Actor answerer, AnswerBudget budget) {
        var once = new Once(keys, answerer);
        var verdicts = new FoundFramesAnswer(
                budget, "verdicts", HttpLimits.VERDICTS_BYTES, tasks::verdicts, PolicyRoutes::json);
        routes.bind(
                        ApiOperation.ANSWER_QUESTION,
                        request -> TaskRoutes.command(request, "answer", once, tasks, answerer, budget))
                .bind(ApiOperation.TASK_POLICY, verdicts::send);
    }

    private static JsonObject json(Frame frame) {
        JsonObject said = new JsonObject().put("seq", frame.seq()).put("timestamp_ms", frame.timestampMs());
        return frame.body() instanceof TaskPolicyVerdict verdict
                ? said.put("operation", verdict.operation())
                        .put("verdict", verdict.verdict().wireName())
                        .put("rule", verdict.rule())
                        .put("reason", verdict.reason())
                        .put("asked_by", verdict.askedBy().toString())
                        .put("answered_by", text(verdict.answeredBy()))
                        .put("budgets", budgets(verdict.budgets()))
                        .put("explanation", explanation(verdict))
                : refused(said, (ToolTaskStatus) frame.body());
    }

    /** A spawn that was denied at once has no verdict frame, only its status. */
    private static JsonObject refused(JsonObject said, ToolTaskStatus status) {
        String sentence = Objects.requireNonNullElse(status.error(), "");
        RefusedSpawn asked = status.refused();
        return said.put("operation", "spawn")
                .put("verdict", "deny")
                .put("rule", asked == null ? null : asked.rule())
                .put("reason", sentence)
                .put("asked_by", asked == null ? null : asked.actor().toString())
                .put("answered_by", null)
                .put("budgets", null)
                .put("explanation", sentence);
    }

    private static @Nullable String text(@Nullable Actor actor) {
        return actor == null ? null : actor.toString();
    }

    private static @Nullable JsonObject budgets(Budgets budgets) {
        return budgets.equals(Budgets.NONE)
                ? null
                : new JsonObject()
                        .put("time_ms", budgets.timeMs())
                        .put("output_bytes", budgets.outputBytes())
                        .put("events", budgets.events());
    }

    private static String explanation(TaskPolicyVerdict verdict) {
        String did = switch (verdict.verdict()) {
            case ALLOW -> "allows ";
            case DENY -> "denies ";
            case ASK -> "asks about ";
        };
        String why = verdict.reason() == null ? "" : ": " + verdict.reason();
        Actor answeredBy = verdict.answeredBy();
        String rule = "The rule \"" + verdict.rule() + "\" ";
        return answeredBy == null
                ? rule + did + verdict.operation() + " by " + verdict.askedBy() + why
                : rule + "asked about " + verdict.operation() + " by " + verdict.askedBy() + "; " + answeredBy + " "
                        + did.strip() + " it" + why;
    }
}
