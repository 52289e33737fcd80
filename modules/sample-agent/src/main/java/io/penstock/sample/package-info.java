/** An agent program that does as it is told, line by line, over the Agent Client Protocol: for demonstrations and tests. */
@NullMarked
package io.penstock.sample;

import org.jspecify.annotations.NullMarked;
