/** The engine, put together: it runs tasks and records them. It knows nothing of HTTP. */
@NullMarked
package io.penstock.engine;

import org.jspecify.annotations.NullMarked;
