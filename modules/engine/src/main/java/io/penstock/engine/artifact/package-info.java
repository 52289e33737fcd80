/** Stored bytes: each artifact has its id from the start, grows in one file, is read while it grows, and is sealed by its digest. */
@NullMarked
package io.penstock.engine.artifact;

import org.jspecify.annotations.NullMarked;
