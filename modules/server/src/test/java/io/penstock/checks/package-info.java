/** Checks of the repository itself: its two builds, its walls, its documents. They are in the server because it sees all modules. */
@NullMarked
package io.penstock.checks;

import org.jspecify.annotations.NullMarked;
