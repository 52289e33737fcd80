/** Lines, line feeds and characters in stored bytes, and the gaps between stored bytes. */
@NullMarked
package io.penstock.engine.artifact.text;

import org.jspecify.annotations.NullMarked;
