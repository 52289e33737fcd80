/** What requests and messages say, whichever edge they come to: their fields, each complaint with a sentence that teaches. */
@NullMarked
package io.penstock.server.request;

import org.jspecify.annotations.NullMarked;
