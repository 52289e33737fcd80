/** The web client in a real Chromium. */
@NullMarked
package io.penstock.server.browser;

import org.jspecify.annotations.NullMarked;
