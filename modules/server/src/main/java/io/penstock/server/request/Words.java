package io.penstock.server.request;

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
                .orElseThrow(() -> RequestFields.wrong(field + " must be "
                        + list(constants.stream().map(wireName).toList()) + ", but is \"" + RequestFields.shown(word)
                        + "\""));
    }

    private static String list(List<String> words) {
        int last = words.size() - 1;
        return last == 0 ? words.getFirst() : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }
}
