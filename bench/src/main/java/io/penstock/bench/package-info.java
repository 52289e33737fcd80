/** What it costs: measurements by JMH of what is done per frame. */
@NullMarked
package io.penstock.bench;

import org.jspecify.annotations.NullMarked;
