/** Sends the items of mailboxes to the webhooks of their sessions, as CloudEvents over HTTP. */
@NullMarked
package io.penstock.server.webhook;

import org.jspecify.annotations.NullMarked;
