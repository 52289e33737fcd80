/** What tests of all modules use: the parts that a test opens, closed after it, and waiting for answers. */
@NullMarked
package io.penstock.testbed;

import org.jspecify.annotations.NullMarked;
