/** Which operations are allowed, by which rule, and within which budgets. Knows neither tasks nor programs. */
@NullMarked
package io.penstock.engine.policy;

import org.jspecify.annotations.NullMarked;
