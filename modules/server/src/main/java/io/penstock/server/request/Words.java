package io.penstock.server.request;

import io.penstock.frames.Failure;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Words that stand for the constants of an enum. */
public final class Words {

    private Words() {}

    /** The constant that has this word; the error lists the words that are possible. */
    public static <E extends Enum<E>> E parse(Class<E> type, Function<E, String> wireName, String field, String word) {
        List<E> constants = Arrays.asList(type.getEnumConstants());
        return constants.stream()
                .filter(constant -> wireName.apply(constant).equals(word))
                .findFirst()
                .orElseThrow(
                        () -> unknown(field, constants.stream().map(wireName).toList(), word));
    }

    /** The failure of a word that is not one of the possible ones. */
    public static Failure unknown(String field, List<String> words, String word) {
        return RequestFields.wrong(
                field + " must be " + list(words) + ", but is \"" + RequestFields.shown(word) + "\"");
    }

    /** As a sentence lists them. */
    public static String list(List<String> words) {
        int last = words.size() - 1;
        return last == 0 ? words.getFirst() : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }
}
