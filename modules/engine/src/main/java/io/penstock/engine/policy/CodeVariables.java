package io.penstock.engine.policy;

import java.util.List;
import java.util.Set;

/**
 * Environment variables whose value names code that the loader, a shell or a common program runs, or a place where such code is
 * searched. The list warns authors of rules. It cannot be complete, so a rule accepts only the variables that it lists.
 */
final class CodeVariables {

    private static final Set<String> NAMES = Set.of(
            "PATH",
            "HOME",
            "SHELL",
            "ENV",
            "BASH_ENV",
            "SHELLOPTS",
            "BASHOPTS",
            "PS4",
            "PROMPT_COMMAND",
            "GCONV_PATH",
            "EDITOR",
            "VISUAL",
            "PAGER",
            "BROWSER",
            "LESSOPEN",
            "LESSCLOSE",
            "MANPAGER",
            "MAKEFLAGS",
            "MAKEFILES",
            "NODE_OPTIONS",
            "NODE_PATH",
            "PYTHONPATH",
            "PYTHONHOME",
            "PYTHONSTARTUP",
            "PERL5LIB",
            "PERL5OPT",
            "PERL5DB",
            "RUBYLIB",
            "RUBYOPT",
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
            "CLASSPATH",
            "MAVEN_OPTS",
            "GRADLE_OPTS",
            "RUSTC_WRAPPER",
            "CC",
            "CXX");

    private static final List<String> PREFIXES =
            List.of("LD_", "DYLD_", "BASH_FUNC_", "GIT_", "SSH_", "NPM_CONFIG_", "npm_config_", "CARGO_", "XDG_");

    /** Variables with these prefixes whose values only end up in commits. */
    private static final Set<String> HARMLESS = Set.of(
            "GIT_AUTHOR_NAME",
            "GIT_AUTHOR_EMAIL",
            "GIT_AUTHOR_DATE",
            "GIT_COMMITTER_NAME",
            "GIT_COMMITTER_EMAIL",
            "GIT_COMMITTER_DATE");

    private CodeVariables() {}

    static boolean has(String name) {
        return NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith) && !HARMLESS.contains(name);
    }
}
