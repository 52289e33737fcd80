/** Lanes and quotas, by their rules. */
@NullMarked
package io.penstock.engine.session;

import org.jspecify.annotations.NullMarked;
