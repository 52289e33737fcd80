import com.diffplug.gradle.spotless.SpotlessExtension

plugins {
    alias(libs.plugins.spotless) apply false
}

// What is checked in every module, word for word as in pom.xml.
val checks = listOf(
    "-Xlint:all,-processing,-serial,-classfile",
    "-Werror",
    "-XDcompilePolicy=simple",
    "--should-stop=ifError=FLOW",
    "-XDaddTypeAnnotationsToSymbol=true",
    "-Xplugin:ErrorProne -XepDisableAllWarnings -Xep:NullAway:ERROR -XepOpt:NullAway:OnlyNullMarked=true -XepOpt:NullAway:JSpecifyMode=true",
)

// Error Prone works inside the compiler and needs these of its packages.
val compilerOptions = listOf(
    "--add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED",
    "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
    "--add-exports=jdk.compiler/com.sun.tools.javac.main=ALL-UNNAMED",
    "--add-exports=jdk.compiler/com.sun.tools.javac.model=ALL-UNNAMED",
    "--add-exports=jdk.compiler/com.sun.tools.javac.parser=ALL-UNNAMED",
    "--add-exports=jdk.compiler/com.sun.tools.javac.processing=ALL-UNNAMED",
    "--add-exports=jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED",
    "--add-exports=jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED",
    "--add-opens=jdk.compiler/com.sun.tools.javac.code=ALL-UNNAMED",
    "--add-opens=jdk.compiler/com.sun.tools.javac.comp=ALL-UNNAMED",
)

val jvmOptions = listOf("--enable-native-access=ALL-UNNAMED")

allprojects {
    group = "io.penstock"
    version = "0.1.0-SNAPSHOT"
}

subprojects {
    apply(plugin = "java-library")
    apply(plugin = "com.diffplug.spotless")

    dependencies {
        "api"(platform(rootProject.libs.vertx.dependencies))
        "testImplementation"(platform(rootProject.libs.junit.bom))
        "api"(rootProject.libs.jspecify)
        "testImplementation"(rootProject.libs.junit.jupiter)
        "testRuntimeOnly"(rootProject.libs.junit.platform.launcher)
        "annotationProcessor"(rootProject.libs.error.prone.core)
        "annotationProcessor"(rootProject.libs.nullaway)
    }

    configurations.named("testAnnotationProcessor") {
        extendsFrom(configurations.getByName("annotationProcessor"))
    }

    tasks.withType<JavaCompile>().configureEach {
        options.release = 25
        options.encoding = "UTF-8"
        options.compilerArgs.addAll(checks + "-parameters")
        options.isFork = true
        options.forkOptions.jvmArgs = compilerOptions
    }

    tasks.withType<Test>().configureEach {
        useJUnitPlatform()
        jvmArgs(jvmOptions)
        // The account 'nobody', under which Postgres runs for root, must reach the files of tests.
        systemProperty("java.io.tmpdir", "/tmp")
    }

    configure<SpotlessExtension> {
        java {
            target("src/*/java/**/*.java")
            palantirJavaFormat(rootProject.libs.versions.palantir.java.format.get())
            removeUnusedImports()
        }
    }
}

project(":penstock-frames") {
    dependencies {
        "api"(rootProject.libs.jackson.databind)
    }
}

project(":penstock-terminal") {
    dependencies {
        "testImplementation"(rootProject.libs.vertx.core)
    }
}

project(":penstock-engine") {
    dependencies {
        "api"(project(":penstock-frames"))
        "api"(project(":penstock-terminal"))
        "api"(rootProject.libs.vertx.core)
        "api"(rootProject.libs.vertx.pg.client)
        "api"(rootProject.libs.commons.compress)
        "api"(rootProject.libs.xz)
        "api"(rootProject.libs.netty.epoll)
        "runtimeOnly"(variantOf(rootProject.libs.netty.epoll.natives) { classifier("linux-x86_64") })
        "runtimeOnly"(variantOf(rootProject.libs.netty.epoll.natives) { classifier("linux-aarch_64") })
        "api"(rootProject.libs.pty4j)
        "api"(rootProject.libs.cel)
        "api"(rootProject.libs.protobuf.java)
        "api"(rootProject.libs.guava)
        "api"(rootProject.libs.re2j)
        "api"(rootProject.libs.snakeyaml)
        "api"(rootProject.libs.slf4j.api)
        "runtimeOnly"(rootProject.libs.embedded.postgres.linux.amd64)
        "runtimeOnly"(rootProject.libs.embedded.postgres.linux.arm64v8)
    }
}

project(":penstock-server") {
    apply(plugin = "application")

    dependencies {
        "api"(project(":penstock-engine"))
        "runtimeOnly"(project(":penstock-web-client"))
        "api"(rootProject.libs.vertx.web)
        "api"(rootProject.libs.micrometer.prometheus)
        "api"(rootProject.libs.picocli)
        "runtimeOnly"(rootProject.libs.slf4j.simple)
        "testImplementation"(rootProject.libs.archunit.junit5)
        "testImplementation"(rootProject.libs.vertx.openapi)
        "testImplementation"(rootProject.libs.vertx.json.schema)
        "testImplementation"(rootProject.libs.error.prone.core)
        "testImplementation"(rootProject.libs.nullaway)
    }

    configure<JavaApplication> {
        mainClass = "io.penstock.server.Main"
        applicationDefaultJvmArgs = jvmOptions
    }
}

project(":penstock-web-client") {
    val pages = layout.buildDirectory.dir("pages")

    val installPackages = tasks.register<Exec>("installPackages") {
        commandLine("node", "install-when-changed.mjs")
    }

    val buildPages = tasks.register<Exec>("buildPages") {
        dependsOn(installPackages)
        inputs.dir("src")
        inputs.files("index.html", "docs.html", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.tools.json", "vite.config.ts")
        outputs.dir(pages)
        commandLine("npm", "run", "build", "--", "--outDir", pages.get().dir("web").asFile.path)
    }

    val testPages = tasks.register<Exec>("testPages") {
        dependsOn(installPackages)
        commandLine("npm", "test")
    }

    configure<SourceSetContainer> {
        named("main") {
            resources.srcDir(files(pages).builtBy(buildPages))
        }
    }

    tasks.named("check") {
        dependsOn(testPages)
    }
}

project(":penstock-bench") {
    apply(plugin = "application")

    dependencies {
        "api"(project(":penstock-server"))
        "api"(rootProject.libs.jmh.core)
        "api"(rootProject.libs.hdrhistogram)
        "runtimeOnly"(rootProject.libs.slf4j.simple)
        "annotationProcessor"(rootProject.libs.jmh.generator.annprocess)
    }

    configure<JavaApplication> {
        mainClass = "io.penstock.bench.Main"
        applicationDefaultJvmArgs = jvmOptions
    }
}
