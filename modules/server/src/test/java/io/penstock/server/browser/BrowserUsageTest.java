package io.penstock.server.browser;

/** The facts about what tasks use, beside a server that measures it. */
class BrowserUsageTest extends BrowserTestBed {

    @Override
    String chosen() {
        return "--folder=measured";
    }

    @Override
    String taskUsage() {
        return "on";
    }
}
