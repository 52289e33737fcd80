package io.penstock.server.request;

import org.jspecify.annotations.Nullable;

/** The parameters of a request by name: the members of a JSON object, or the fields of a query. */
public interface Parameters {

    @Nullable
    String textOrNull(String name);

    long number(String name, long least, long most, long usual);

    /** True or false; false if it is not given. */
    boolean flagOrFalse(String name);
}
