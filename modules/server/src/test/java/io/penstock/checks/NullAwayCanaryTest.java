package io.penstock.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * NullAway and Error Prone can be off without a message: a renamed option, a plugin that does not load, a mode that is ignored. So a
 * compiler of its own, with the arguments that pom.xml gives to every module, must refuse wrong sources and accept right ones.
 */
@Tag("long")
class NullAwayCanaryTest {
    private static final String SOUND = source("String at(String key) { return key; }");
    private static final String RETURNS_NULL = source("String at(String key) { return null; }");
    private static final String LOSES_A_NULLABLE_ELEMENT =
            source("List<String> at(List<@Nullable String> keys) { return keys; }");

    private static String source(String method) {
        return """
                package canary;
                import java.util.List;
                import org.jspecify.annotations.NullMarked;
                import org.jspecify.annotations.Nullable;
                @NullMarked
                class Canary {
                    @Nullable List<String> none;
                    %s
                }
                """.formatted(method);
    }

    @TempDir
    Path folder = Path.of("");

    @Test
    void whatIsSoundCompiles() throws Exception {
        var compiled = compile(SOUND, Poms.compilerArguments(Checkout.ROOT));
        assertEquals(0, compiled.exitCode(), compiled.output());
    }

    @Test
    void aNullThatIsReturnedIsRefused() throws Exception {
        var compiled = compile(RETURNS_NULL, Poms.compilerArguments(Checkout.ROOT));
        assertNotEquals(0, compiled.exitCode());
        assertTrue(compiled.output().contains("error: [NullAway] returning @Nullable"), compiled.output());
    }

    @Test
    void aNullableTypeArgumentThatIsLostIsRefused() throws Exception {
        var compiled = compile(LOSES_A_NULLABLE_ELEMENT, Poms.compilerArguments(Checkout.ROOT));
        assertNotEquals(0, compiled.exitCode(), "JSpecify mode is off");
        assertTrue(compiled.output().contains("error: [NullAway] "), compiled.output());
    }

    @Test
    void anUnusedVariableIsRefused() throws Exception {
        var compiled = compile(
                source("String at(String key) { int length = key.length(); return key; }"),
                Poms.compilerArguments(Checkout.ROOT));
        assertNotEquals(0, compiled.exitCode());
        assertTrue(compiled.output().contains("error: [UnusedVariable] "), compiled.output());
    }

    @Test
    void aDiscardedFutureIsRefused() throws Exception {
        var compiled = compile(
                source("void at(java.util.concurrent.ExecutorService all) { all.submit(() -> {}); }"),
                Poms.compilerArguments(Checkout.ROOT));
        assertNotEquals(0, compiled.exitCode());
        assertTrue(compiled.output().contains("error: [FutureReturnValueIgnored] "), compiled.output());
    }

    /** The canary itself must be able to die: without the check, the same source compiles. */
    @Test
    void withoutNullAwayTheWrongOneCompiles() throws Exception {
        List<String> arguments = Poms.compilerArguments(Checkout.ROOT).stream()
                .map(argument -> argument.replace("-Xep:NullAway:ERROR", "-Xep:NullAway:OFF"))
                .toList();
        assertEquals(0, compile(RETURNS_NULL, arguments).exitCode());
    }

    /** Else the arguments that are tested here would not be those that the modules are compiled with. */
    @Test
    void noModuleHasCompilerArgumentsOfItsOwn() {
        for (Path pom : Checkout.writtenFiles().stream()
                .filter(file -> file.endsWith("pom.xml") && !file.equals(Checkout.ROOT.resolve("pom.xml")))
                .toList()) {
            String text = Checkout.read(pom);
            for (String forbidden :
                    List.of("compilerArg", "maven.compiler", "<annotationProcessorPaths>", "<proc>", "<fork>")) {
                assertFalse(
                        text.contains(forbidden),
                        () -> pom + " has " + forbidden + ", which belongs in the pom.xml at the top.");
            }
        }
    }

    private Snippets.Compilation compile(String source, List<String> pomArguments)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(pomArguments);
        String libraries = System.getProperty("java.class.path", "");
        arguments.addAll(List.of("-processorpath", libraries, "-classpath", libraries));
        return Snippets.compileApart(folder, arguments, List.of(source));
    }
}
