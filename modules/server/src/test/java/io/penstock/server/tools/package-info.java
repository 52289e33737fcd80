/** Tests of {@code io.penstock.server.tools}. */
@NullMarked
package io.penstock.server.tools;

import org.jspecify.annotations.NullMarked;
