/** The tasks of hosts, without a transport. */
@NullMarked
package io.penstock.engine.host;

import org.jspecify.annotations.NullMarked;
