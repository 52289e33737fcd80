/** What runs tasks and records them, put together. It knows nothing of HTTP. */
@NullMarked
package io.penstock.engine;

import org.jspecify.annotations.NullMarked;
