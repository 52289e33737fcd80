/** What runs tasks and records them: the verticles and what they own. It knows nothing of HTTP. */
@NullMarked
package io.penstock.engine;

import org.jspecify.annotations.NullMarked;
