package io.penstock.engine.session;

import io.penstock.frames.SessionProgress;

/**
 * A session at one moment.
 *
 * @param ended whether it was ended and not used since
 * @param nextSeq the seq of its next frame
 */
public record SessionState(String sessionId, boolean ended, SessionProgress progress, long nextSeq) {}
