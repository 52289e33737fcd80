@NullMarked
package io.penstock.server.webhook;

import org.jspecify.annotations.NullMarked;
