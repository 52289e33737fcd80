/** Tests of lanes and quotas. */
@NullMarked
package io.penstock.engine.session;

import org.jspecify.annotations.NullMarked;
