/** What must be true of the repository itself: its two builds, its walls, its checks. It stands in the server because that sees all modules. */
@NullMarked
package io.penstock.checks;

import org.jspecify.annotations.NullMarked;
