/** Speaks the protocols of agent programs; knows neither tasks nor processes. */
@NullMarked
package io.penstock.engine.agent;

import org.jspecify.annotations.NullMarked;
