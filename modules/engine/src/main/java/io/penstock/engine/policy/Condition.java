package io.penstock.engine.policy;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.penstock.engine.watch.PatternCheck;
import io.penstock.frames.Limits;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A rule's condition: a CEL expression. Thread-safe. */
final class Condition {

    private static final CelOptions OPTIONS = CelOptions.current()
            .maxExpressionCodePointSize(Limits.POLICY_CONDITION_CHARS)
            .comprehensionMaxIterations(Limits.POLICY_CONDITION_STEPS)
            .build();

    private static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("operation", SimpleType.STRING)
            .addVar("principal", SimpleType.STRING)
            .addVar("tool", SimpleType.STRING)
            .addVar("args", MapType.create(SimpleType.STRING, SimpleType.DYN))
            .addVar("cwd", SimpleType.STRING)
            .addVar("env_names", ListType.create(SimpleType.STRING))
            .addVar("mode", SimpleType.STRING)
            .addVar("session", SimpleType.STRING)
            .addVar("depth", SimpleType.INT)
            .setResultType(SimpleType.BOOL)
            .build();

    private static final CelRuntime RUNTIME =
            CelRuntimeFactory.standardCelRuntimeBuilder().setOptions(OPTIONS).build();

    private final QuickCondition quick;
    private final CelRuntime.Program program;

    private Condition(QuickCondition quick, CelRuntime.Program program) {
        this.quick = quick;
        this.program = program;
    }

    /** Throws {@link IllegalArgumentException} with a message that names the error in the expression. */
    static Condition compile(String expression) {
        try {
            CelAbstractSyntaxTree tree = COMPILER.compile(expression).getAst();
            checkPatterns(tree);
            return new Condition(QuickCondition.of(tree.getExpr()), RUNTIME.createProgram(tree));
        } catch (CelValidationException e) {
            String first = e.getErrors().isEmpty()
                    ? String.valueOf(e.getMessage())
                    : e.getErrors().getFirst().getMessage();
            throw new IllegalArgumentException(first, e);
        } catch (CelEvaluationException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    /** A caller's text as a pattern could keep the thread that asks for as long as the caller likes. */
    private static void checkPatterns(CelAbstractSyntaxTree tree) {
        CelNavigableAst.fromAst(tree)
                .getRoot()
                .allNodes()
                .map(CelNavigableExpr::expr)
                .filter(expr -> expr.getKind() == CelExpr.ExprKind.Kind.CALL)
                .map(CelExpr::call)
                .filter(call -> call.function().equals("matches"))
                .forEach(call -> checkPattern(call.args().getLast()));
    }

    private static void checkPattern(CelExpr pattern) {
        if (pattern.getKind() != CelExpr.ExprKind.Kind.CONSTANT
                || pattern.constant().getKind() != CelConstant.Kind.STRING_VALUE) {
            throw new IllegalArgumentException("the pattern of matches must be written out, as a text in quotes");
        }
        String text = pattern.constant().stringValue();
        PatternCheck.refusal(text, Limits.POLICY_PATTERN_STEPS).ifPresent(reason -> {
            throw new IllegalArgumentException("\"" + text + "\" cannot be used as a pattern: " + reason);
        });
    }

    /** Throws {@link ConditionFailed}. */
    boolean holds(PolicyQuestion question) {
        return switch (quick.answer(question)) {
            case YES -> true;
            case NO -> false;
            case UNKNOWN -> evaluate(question);
        };
    }

    /** Evaluates the condition with CEL itself, however long that takes. */
    boolean evaluate(PolicyQuestion question) {
        Object answer;
        try {
            answer = program.eval(name -> value(question, name));
        } catch (CelEvaluationException e) {
            throw new ConditionFailed(String.valueOf(e.getMessage()), e);
        }
        if (answer instanceof Boolean holds) {
            return holds;
        }
        throw new ConditionFailed("it is neither true nor false, but " + answer, new IllegalStateException());
    }

    /** The variable of this name; for a task without a session, that is empty. Null for other names. */
    static @Nullable Function<PolicyQuestion, @Nullable Object> variable(String name) {
        return switch (name) {
            case "operation" -> question -> question.operation().wireName();
            case "principal" -> question -> question.principal().toString();
            case "tool" -> PolicyQuestion::tool;
            case "args" -> PolicyQuestion::args;
            case "cwd" -> PolicyQuestion::cwd;
            case "env_names" -> question -> question.environment().names();
            case "mode" -> question -> question.mode().wireName();
            case "session" -> question -> Objects.requireNonNullElse(question.session(), "");
            case "depth" -> question -> (long) question.depth();
            default -> null;
        };
    }

    private static Optional<Object> value(PolicyQuestion question, String name) {
        Function<PolicyQuestion, @Nullable Object> variable = variable(name);
        return variable == null ? Optional.empty() : Optional.ofNullable(variable.apply(question));
    }
}
