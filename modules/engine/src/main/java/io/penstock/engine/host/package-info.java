/** The tasks of hosts (contract taskd): their names, the selection, the order of requests and events. Knows no transport. */
@NullMarked
package io.penstock.engine.host;

import org.jspecify.annotations.NullMarked;
