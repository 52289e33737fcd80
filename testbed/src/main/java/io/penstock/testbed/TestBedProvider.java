package io.penstock.testbed;

import io.vertx.junit5.ParameterClosingConsumer;
import io.vertx.junit5.VertxExtensionParameterProvider;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;

/** Makes test beds for {@link io.vertx.junit5.VertxExtension}, which finds it as a service. */
public final class TestBedProvider implements VertxExtensionParameterProvider<TestBed> {

    @Override
    public Class<TestBed> type() {
        return TestBed.class;
    }

    @Override
    public String key() {
        return TestBed.class.getName();
    }

    @Override
    public TestBed newInstance(ExtensionContext context, ParameterContext parameter) {
        return new TestBed();
    }

    @Override
    public ParameterClosingConsumer<TestBed> parameterClosingConsumer() {
        return TestBed::close;
    }
}
