package io.penstock.server.webhook;

import io.penstock.engine.session.MailboxItem;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A mailbox item as a CloudEvent 1.0 in structured mode. */
record CloudEvent(String id, byte[] body) {

    static final String CONTENT_TYPE = "application/cloudevents+json; charset=utf-8";

    /** @param json the item with its snippet */
    static CloudEvent of(MailboxItem item, JsonObject json) {
        var event = new JsonObject()
                .put("specversion", "1.0")
                .put("id", item.key())
                .put("source", "/sessions/" + item.frame().stream().id())
                .put("type", "io.penstock." + item.frame().typeName())
                .put("subject", item.taskId())
                .put("time", Instant.ofEpochMilli(item.frame().timestampMs()).toString())
                .put("datacontenttype", "application/json")
                .put("data", json);
        return new CloudEvent(item.key(), event.encode().getBytes(StandardCharsets.UTF_8));
    }
}
