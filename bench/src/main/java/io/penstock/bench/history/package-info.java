/** A ledger with a long history: what it costs, whether it slows anything down, and how it is removed. */
@NullMarked
package io.penstock.bench.history;

import org.jspecify.annotations.NullMarked;
