/** The tool-tasks contract, as clients that others wrote use it. */
@NullMarked
package io.penstock.server.contract;

import org.jspecify.annotations.NullMarked;
