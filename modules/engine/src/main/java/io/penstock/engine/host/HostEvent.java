package io.penstock.engine.host;

import io.vertx.core.json.JsonObject;

/** An event as all hosts get it. */
public record HostEvent(String event, long atMs, String taskName, JsonObject payload) {}
