/** Frames, which record events, and the state that is their fold. No Vert.x, no clock, no randomness. */
@NullMarked
package io.penstock.frames;

import org.jspecify.annotations.NullMarked;
