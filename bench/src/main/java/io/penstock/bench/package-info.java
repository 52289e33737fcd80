/** What is measured and tortured, each by its name: {@code ./penstock bench} and {@code ./penstock soak}. */
@NullMarked
package io.penstock.bench;

import org.jspecify.annotations.NullMarked;
