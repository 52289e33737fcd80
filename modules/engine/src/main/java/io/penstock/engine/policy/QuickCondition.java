package io.penstock.engine.policy;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The part of a condition that can be answered without CEL's evaluator, which takes some hundred nanoseconds for each comparison:
 * texts compared with constants, and what and, or and not make of them. Like CEL it lets one side of an and or an or decide where
 * the other has no answer, so it never says other than CEL would; a test holds it to that.
 */
sealed interface QuickCondition {

    /** UNKNOWN is for CEL to find out. */
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

    /** @param left gives null, or something else than a text, where CEL has to say what that means */
    record Compared(Function<PolicyQuestion, @Nullable Object> left, BiPredicate<String, String> how, String right)
            implements QuickCondition {
        @Override
        public Answer answer(PolicyQuestion question) {
            return left.apply(question) instanceof String text ? Answer.of(how.test(text, right)) : Answer.UNKNOWN;
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
            case "_==_" -> compared(args.get(0), String::equals, args.get(1));
            case "_!=_" -> new Not(compared(args.get(0), String::equals, args.get(1)));
            case "startsWith" -> compared(target, String::startsWith, args.get(0));
            case "endsWith" -> compared(target, String::endsWith, args.get(0));
            case "contains" -> compared(target, String::contains, args.get(0));
            default -> SLOW;
        };
    }

    private static QuickCondition compared(@Nullable CelExpr left, BiPredicate<String, String> how, CelExpr right) {
        Function<PolicyQuestion, @Nullable Object> value = left == null ? null : value(left);
        boolean constant = right.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && right.constant().getKind() == CelConstant.Kind.STRING_VALUE;
        return value == null || !constant
                ? SLOW
                : new Compared(value, how, right.constant().stringValue());
    }

    /** A variable, or a field of the arguments; null for what is neither. */
    private static @Nullable Function<PolicyQuestion, @Nullable Object> value(CelExpr expression) {
        if (expression.getKind() == CelExpr.ExprKind.Kind.IDENT) {
            String name = expression.ident().name();
            return question -> Condition.value(question, name);
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
