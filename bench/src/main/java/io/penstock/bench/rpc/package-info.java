/** Measures and tortures the port for hosts of agent tasks. */
@NullMarked
package io.penstock.bench.rpc;

import org.jspecify.annotations.NullMarked;
