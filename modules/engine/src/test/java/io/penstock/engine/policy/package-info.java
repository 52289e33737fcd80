/** Tests of the rules. */
@NullMarked
package io.penstock.engine.policy;

import org.jspecify.annotations.NullMarked;
