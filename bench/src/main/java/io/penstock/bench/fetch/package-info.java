/** Outputs fetched over HTTP, compared to other servers: ranges of a large one, and one that grows. */
@NullMarked
package io.penstock.bench.fetch;

import org.jspecify.annotations.NullMarked;
