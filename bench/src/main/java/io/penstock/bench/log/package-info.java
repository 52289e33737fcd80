/** What the frame log gives on this machine, beside what Postgres itself gives in the same run. */
@NullMarked
package io.penstock.bench.log;

import org.jspecify.annotations.NullMarked;
