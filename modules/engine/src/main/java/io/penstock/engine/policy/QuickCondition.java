package io.penstock.engine.policy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of a condition that can be evaluated without CEL's evaluator, which takes some hundred nanoseconds per comparison: strings
 * compared with constants and patterns, combined with and, or and not. As in CEL, one side of an "and" or an "or" may decide although the
 * other has no answer. It never contradicts CEL; a test checks that.
 */
sealed interface QuickCondition {

    /** UNKNOWN leaves the answer to CEL. */
    enum Answer {
        YES,
        NO,
        UNKNOWN;

        static Answer of(boolean holds) {
            return holds ? YES : NO;
        }
    }

    Answer answer(PolicyQuestion question);

    record Both(QuickCondition one, QuickCondition other) implements QuickCondition {
        @Override
        public Answer answer(PolicyQuestion question) {
            Answer first = one.answer(question);
            if (first == Answer.NO) {
                return Answer.NO;
            }
            Answer second = other.answer(question);
            return second == Answer.NO || first == Answer.YES ? second : Answer.UNKNOWN;
        }
    }

    record Either(QuickCondition one, QuickCondition other) implements QuickCondition {
        @Override
        public Answer answer(PolicyQuestion question) {
            Answer first = one.answer(question);
            if (first == Answer.YES) {
                return Answer.YES;
            }
            Answer second = other.answer(question);
            return second == Answer.YES || first == Answer.NO ? second : Answer.UNKNOWN;
        }
    }

    record Not(QuickCondition denied) implements QuickCondition {
        @Override
        public Answer answer(PolicyQuestion question) {
            return switch (denied.answer(question)) {
                case YES -> Answer.NO;
                case NO -> Answer.YES;
                case UNKNOWN -> Answer.UNKNOWN;
            };
        }
    }

    /** @param of returns the value to test; CEL decides if that is not a string */
    record Tested(Function<PolicyQuestion, @Nullable Object> of, Predicate<String> test) implements QuickCondition {
        @Override
        public Answer answer(PolicyQuestion question) {
            return of.apply(question) instanceof String text ? Answer.of(test.test(text)) : Answer.UNKNOWN;
        }
    }

    record Slow() implements QuickCondition {
        @Override
        public Answer answer(PolicyQuestion question) {
            return Answer.UNKNOWN;
        }
    }

    QuickCondition SLOW = new Slow();

    static QuickCondition of(CelExpr expression) {
        if (expression.getKind() != CelExpr.ExprKind.Kind.CALL) {
            return SLOW;
        }
        CelCall call = expression.call();
        List<CelExpr> args = call.args();
        CelExpr target = call.target().orElse(null);
        return switch (call.function()) {
            case "_&&_" -> new Both(of(args.get(0)), of(args.get(1)));
            case "_||_" -> new Either(of(args.get(0)), of(args.get(1)));
            case "!_" -> new Not(of(args.get(0)));
            case "_==_" -> tested(args.get(0), args.get(1), constant -> constant::equals);
            case "_!=_" -> new Not(tested(args.get(0), args.get(1), constant -> constant::equals));
            case "startsWith" -> tested(target, args.get(0), constant -> text -> text.startsWith(constant));
            case "endsWith" -> tested(target, args.get(0), constant -> text -> text.endsWith(constant));
            case "contains" -> tested(target, args.get(0), constant -> text -> text.contains(constant));
            case "matches" -> tested(target, args.get(0), QuickCondition::matching);
            default -> SLOW;
        };
    }

    private static QuickCondition tested(
            @Nullable CelExpr of, CelExpr constant, Function<String, Predicate<String>> test) {
        Function<PolicyQuestion, @Nullable Object> value = of == null ? null : value(of);
        boolean known = constant.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && constant.constant().getKind() == CelConstant.Kind.STRING_VALUE;
        return value == null || !known
                ? SLOW
                : new Tested(value, test.apply(constant.constant().stringValue()));
    }

    /** Compiles the pattern once; CEL would compile it for every question. */
    private static Predicate<String> matching(String pattern) {
        Pattern compiled;
        try {
            compiled = Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("\"" + pattern + "\" is not a valid pattern: " + e.getDescription(), e);
        }
        return text -> compiled.matcher(text).find();
    }

    /** A variable, or a field of the arguments; null for any other expression. */
    private static @Nullable Function<PolicyQuestion, @Nullable Object> value(CelExpr expression) {
        if (expression.getKind() == CelExpr.ExprKind.Kind.IDENT) {
            return Condition.variable(expression.ident().name());
        }
        if (expression.getKind() == CelExpr.ExprKind.Kind.SELECT
                && !expression.select().testOnly()) {
            CelExpr of = expression.select().operand();
            String field = expression.select().field();
            return of.getKind() == CelExpr.ExprKind.Kind.IDENT
                            && of.ident().name().equals("args")
                    ? question -> question.args().get(field)
                    : null;
        }
        return null;
    }
}
