package io.penstock.server.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookPartsTest {

    @Test
    void waitsDoubleUpToTheLongestAndVaryByHalf() {
        var times = new WebhookTimes(16, 1_000, 300_000, 15_000);
        assertEquals(500, times.retryMs(1, 0));
        assertEquals(1_000, times.retryMs(1, 1));
        assertEquals(4_000, times.retryMs(3, 1));
        assertEquals(150_000, times.retryMs(10, 0));
        assertEquals(300_000, times.retryMs(1_000, 1));
    }

    @Test
    void urlIsShownWithoutPathAndQuery() {
        WebhookUrl url = WebhookUrl.parse("https://Hooks.Example.COM./a/b?c=d");
        assertEquals("https://hooks.example.com:443", url.target());
        assertEquals("/a/b?c=d", url.pathAndQuery());
        assertEquals(url, WebhookUrl.parse(url.text()));
        assertEquals("http://[::1]:8080", WebhookUrl.parse("http://[::1]:8080").target());
        assertEquals("::1", WebhookUrl.parse("http://[::1]:8080").host());
        assertEquals("/", WebhookUrl.parse("http://a").pathAndQuery());
    }

    @Test
    void retryAfterIsSecondsOrADateWithinAnHour() {
        assertEquals(0, WebhookClient.retryAfterMs(null));
        assertEquals(2_000, WebhookClient.retryAfterMs("2"));
        assertEquals(3_600_000, WebhookClient.retryAfterMs("999999999"));
        assertEquals(0, WebhookClient.retryAfterMs("-1"));
        assertEquals(0, WebhookClient.retryAfterMs("soon"));
        assertEquals(0, WebhookClient.retryAfterMs("Wed, 21 Oct 2015 07:28:00 GMT"));
        String later = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusMinutes(10));
        long ms = WebhookClient.retryAfterMs(later);
        assertTrue(ms > 500_000 && ms <= 600_000, later);
    }

    @Test
    void derivedSecretIsTheSameEachTimeAndOfOneSession(@TempDir Path data) throws Exception {
        var files = new WebhookFiles(data);
        String secret = files.derivedSecret("s").text();
        assertEquals(secret, new WebhookFiles(data).derivedSecret("s").text());
        assertNotEquals(secret, files.derivedSecret("t").text());
        assertEquals(secret, WebhookSecret.parse(secret).text());
    }

    /** The example of the specification of Standard Webhooks. */
    @Test
    void signatureIsThatOfTheSpecification() {
        var secret = WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        assertEquals(
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                secret.signature(
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1_614_265_330L,
                        "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void deliveriesBeyondTheSlotsWaitInOrder() {
        var slots = new DeliverySlots(2);
        List<Integer> entered = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            slots.enter(() -> entered.add(number));
        }
        assertEquals(List.of(0, 1), entered);
        slots.leave();
        slots.leave();
        assertEquals(List.of(0, 1, 2, 3), entered);
        slots.leave();
        slots.enter(() -> entered.add(4));
        assertEquals(List.of(0, 1, 2, 3, 4), entered);
    }
}
