/** The journal against real files, real processes and a real full disk. */
@NullMarked
package io.penstock.engine.log.journal;

import org.jspecify.annotations.NullMarked;
