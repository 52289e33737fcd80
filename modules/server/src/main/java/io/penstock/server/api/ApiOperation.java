package io.penstock.server.api;

/** Every operation that the document describes, by its id there. A test compares the two in both directions. */
public enum ApiOperation {
    LIST_TASKS("listTasks"),
    COUNT_TASKS("countTasks"),
    TASK_CHANGES("taskChanges"),
    SPAWN_TASK("spawnTask"),
    TASK_STATUS("taskStatus"),
    TASK_EVENTS("taskEvents"),
    ATTACH_TASK("attachTask"),
    TASK_OUTPUT("taskOutput"),
    WRITE_STDIN("writeStdin"),
    RESIZE_TERMINAL("resizeTerminal"),
    SEND_SIGNAL("sendSignal"),
    CANCEL_TASK("cancelTask"),
    REMOVE_TASK("removeTask"),
    PIN_TASK("pinTask"),
    UNPIN_TASK("unpinTask"),
    ANSWER_QUESTION("answerQuestion"),
    TASK_POLICY("taskPolicy"),
    ADD_WATCHER("addWatcher"),
    LIST_WATCHERS("listWatchers"),
    LIST_HITS("listHits"),
    TASK_USAGE("taskUsage"),
    TASK_SCREEN("taskScreen"),
    TASK_RECORDING("taskRecording"),
    OUTPUT_BYTES("outputBytes"),
    OUTPUT_BYTES_HEAD("outputBytesHead"),
    DELETE_OUTPUT("deleteOutput"),
    ARTIFACT_BYTES("artifactBytes"),
    ARTIFACT_BYTES_HEAD("artifactBytesHead"),
    LIST_SESSIONS("listSessions"),
    SESSION_STATUS("sessionStatus"),
    SESSION_EVENTS("sessionEvents"),
    END_SESSION("endSession"),
    READ_MAILBOX("readMailbox"),
    ACKNOWLEDGE_MAILBOX("acknowledgeMailbox"),
    ATTACH_MAILBOX("attachMailbox"),
    SET_WEBHOOK("setWebhook"),
    WEBHOOK_STATUS("webhookStatus"),
    REMOVE_WEBHOOK("removeWebhook"),
    LIST_DEAD_LETTERS("listDeadLetters"),
    RESEND_DEAD_LETTERS("resendDeadLetters"),
    LIST_TOOLS("listTools"),
    CALL_TOOL("callTool"),
    OPEN_SESSION("openSession"),
    CLOSE_SESSION("closeSession"),
    CLOSE_ALL_SESSIONS("closeAllSessions"),
    HEALTH("health"),
    READINESS("readiness"),
    METRICS("metrics"),
    RETENTION("retention"),
    API_DOCUMENT("apiDocument");

    private final String id;

    ApiOperation(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    static ApiOperation of(String id) {
        for (ApiOperation operation : values()) {
            if (operation.id.equals(id)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("The document has an operation \"" + id + "\" that no ApiOperation has");
    }
}
