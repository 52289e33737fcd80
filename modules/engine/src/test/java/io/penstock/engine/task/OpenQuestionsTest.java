package io.penstock.engine.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("BOUNDED")
class OpenQuestionsTest {

    private final OpenQuestions questions = new OpenQuestions();

    private static TaskRequest request(int chars) {
        TaskRequest empty =
                TaskRequest.builder("exec", List.of(""), Actor.SERVER).build();
        return TaskRequest.builder("exec", List.of("x".repeat((int) (chars - empty.chars()))), Actor.SERVER)
                .build();
    }

    private void assertRefused(String taskId, TaskRequest request) {
        assertEquals(
                FailureCode.QUOTA_EXCEEDED,
                assertThrows(Failure.class, () -> questions.reserve(taskId, request))
                        .code());
    }

    @Test
    void theirNumberHasALimit() {
        for (int i = 0; i < Limits.OPEN_QUESTIONS; i++) {
            questions.reserve("task-" + i, request(10));
        }
        assertRefused("more", request(10));
        questions.release("task-0");
        questions.release("task-0");
        questions.reserve("more", request(10));
        assertRefused("and more", request(10));
    }

    @Test
    void theirCharactersHaveALimit() {
        int half = (int) (Limits.OPEN_QUESTION_CHARS / 2);
        questions.reserve("one", request(half));
        assertRefused("large", request(half + 1));
        questions.reserve("other", request(half));
        assertRefused("more", request(10));
        questions.release("one");
        questions.reserve("more", request(10));
    }
}
