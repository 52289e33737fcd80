/** The tools that models and programs call by name, whatever the edge: their schemas, the check of their parameters, and what they do. */
@NullMarked
package io.penstock.server.tools;

import org.jspecify.annotations.NullMarked;
