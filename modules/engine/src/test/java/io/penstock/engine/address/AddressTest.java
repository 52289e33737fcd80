package io.penstock.engine.address;

import static io.penstock.testbed.Await.await;
import static io.penstock.testbed.Await.finished;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests reach the verticle at their address by reference, and their answers come back. */
class AddressTest {

    private static final String HERE = "test.here";

    private final Vertx vertx = Vertx.vertx();
    private final Address<Ask> address = address(HERE);

    /** Answered with itself. */
    private record Ask(Object what) implements Request<Ask, Ask> {}

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private Address<Ask> address(String name) {
        return new Address<>(
                vertx.eventBus(), name, () -> new Failure(FailureCode.TASK_NOT_READY, "nobody is at " + name));
    }

    private String deploy(String name, Service<Ask> service) {
        return await(vertx.deployVerticle(new VerticleBase() {
            @Override
            public Future<?> start() {
                return Service.serve(vertx.eventBus(), name, service);
            }
        }));
    }

    @Test
    void requestAndAnswerAreHandedOverByReference() {
        deploy(HERE, Future::succeededFuture);
        var ask = new Ask("something");
        assertSame(ask, await(address.request(ask)));
    }

    @Test
    void answerComesOnTheContextOfItsCaller() {
        Promise<Context> served = Promise.promise();
        deploy(HERE, ask -> {
            served.tryComplete(Vertx.currentContext());
            return Future.succeededFuture(ask);
        });
        Context caller = vertx.getOrCreateContext();
        Promise<Context> answered = Promise.promise();
        caller.runOnContext(
                go -> address.request(new Ask("")).onComplete(done -> answered.complete(Vertx.currentContext())));
        assertSame(caller, await(answered.future()));
        assertNotSame(caller, await(served.future()));
    }

    @Test
    void answerAtOnceComesOnTheThreadThatAnswers() {
        Promise<Thread> served = Promise.promise();
        deploy(HERE, ask -> {
            served.tryComplete(Thread.currentThread());
            return vertx.timer(1).map(ask);
        });
        Promise<Thread> answered = Promise.promise();
        vertx.getOrCreateContext()
                .runOnContext(go -> address.requestAtOnce(new Ask(""))
                        .onComplete(done -> answered.complete(Thread.currentThread())));
        assertSame(await(served.future()), await(answered.future()));
    }

    @Test
    void requestThatNobodyServesFails() {
        Failure never = assertThrows(Failure.class, () -> finished(address.request(new Ask(""))));
        assertEquals("nobody is at test.here", never.getMessage());
        String deployment = deploy(HERE, Future::succeededFuture);
        finished(address.request(new Ask("")));
        finished(vertx.undeploy(deployment));
        assertThrows(Failure.class, () -> finished(address.request(new Ask(""))));
    }

    @Test
    void eachRequestToAServiceThatEndsIsAnsweredOrRefused() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            String here = HERE + round;
            String deployment = deploy(here, Future::succeededFuture);
            Address<Ask> ends = address(here);
            var answers = new ArrayList<Future<?>>();
            var isOver = new AtomicBoolean();
            Thread asks = Thread.ofPlatform().start(() -> {
                while (!isOver.get()) {
                    answers.add(ends.request(new Ask("")).otherwise(new Ask("refused")));
                }
            });
            finished(vertx.undeploy(deployment));
            isOver.set(true);
            asks.join();
            finished(Future.all(answers));
        }
    }

    @Test
    void exceptionOfTheServiceIsTheFailureOfTheRequest() {
        deploy(HERE, ask -> {
            throw (RuntimeException) ask.what();
        });
        var refused = new Failure(FailureCode.QUOTA_EXCEEDED, "too much");
        assertSame(refused, assertThrows(Failure.class, () -> finished(address.request(new Ask(refused)))));
        Failure wrong = assertThrows(
                Failure.class, () -> finished(address.request(new Ask(new IllegalArgumentException("not this")))));
        assertEquals(FailureCode.INVALID_REQUEST, wrong.code());
        assertEquals("not this", wrong.getMessage());
        var broken = new IllegalStateException("broken");
        assertSame(broken, assertThrows(IllegalStateException.class, () -> finished(address.request(new Ask(broken)))));
    }

    /** As a gateway to another node would. */
    @Test
    void serviceBehindAnotherAddressServesTheSameCallers() {
        deploy("test.there", Future::succeededFuture);
        Address<Ask> there = address("test.there");
        deploy(HERE, there::request);
        var ask = new Ask("through");
        assertSame(ask, await(address.request(ask)));
    }
}
