@NullMarked
package io.penstock.engine.sink;

import org.jspecify.annotations.NullMarked;
