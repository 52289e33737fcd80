package io.penstock.sample;

/** A request that is answered by an error of JSON-RPC, or was. */
final class Refused extends Exception {

    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL_ERROR = -32603;

    /** Of the Agent Client Protocol. */
    static final int RESOURCE_NOT_FOUND = -32002;

    private static final long serialVersionUID = 1L;

    private final int code;

    Refused(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }

    Refused(int code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
