package io.penstock.server.browser;

/** The second half of the facts about the web client; {@link BrowserTest} has the first. */
class BrowserSecondHalfTest extends BrowserTestBed {

    @Override
    String chosen() {
        return "--share=2/2";
    }
}
