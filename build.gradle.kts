import com.diffplug.gradle.spotless.SpotlessExtension
import javax.xml.parsers.DocumentBuilderFactory
import org.w3c.dom.Element

plugins {
    id("com.diffplug.spotless") version "8.10.0" apply false
}

// The poms are the source of dependencies, versions and compiler arguments; this build reads them and states none itself.

fun pom(folder: File): Element =
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(folder.resolve("pom.xml")).documentElement

fun Element.children(): List<Element> = (0 until childNodes.length).map(childNodes::item).filterIsInstance<Element>()

/** The elements at the end of a path of names. */
fun Element.at(vararg path: String): List<Element> =
    path.fold(listOf(this)) { parents, name -> parents.flatMap { it.children() }.filter { it.tagName == name } }

fun Element.text(name: String): String = at(name).firstOrNull()?.textContent?.trim() ?: ""

val top = pom(rootDir)
val values: Map<String, String> = top.at("properties").flatMap { it.children() }
    .associate { it.tagName to it.textContent.trim() } + ("project.version" to top.text("version"))

fun resolved(text: String): String = Regex("""\$\{([^}]+)}""").replace(text) { values.getValue(it.groupValues[1]) }

fun Element.isOurs(): Boolean = text("groupId") == top.text("groupId")
fun Element.isPlatform(): Boolean = text("scope") == "import"
fun Element.coordinates(): String = listOf("groupId", "artifactId", "version", "classifier")
    .joinToString(":") { resolved(text(it)) }.trimEnd(':')

val managed = top.at("dependencyManagement", "dependencies", "dependency").filter { !it.isOurs() }
val firstPlatform = managed.first { it.isPlatform() }
val compiler = top.at("build", "pluginManagement", "plugins", "plugin")
    .single { it.text("artifactId") == "maven-compiler-plugin" }
val arguments = compiler.at("configuration", "compilerArgs", "arg").map { it.textContent.trim() }
val configurationOf =
    mapOf("" to "api", "compile" to "api", "runtime" to "runtimeOnly", "test" to "testImplementation", "provided" to "compileOnly")
val jvmOptions = listOf("--enable-native-access=ALL-UNNAMED")
val mainClasses = mapOf("penstock-server" to "io.penstock.server.Main", "penstock-bench" to "io.penstock.bench.Main")

allprojects {
    group = top.text("groupId")
    version = top.text("version")
}

subprojects {
    apply(plugin = "java-library")
    apply(plugin = "com.diffplug.spotless")

    val module = pom(projectDir)

    for (dependency in top.at("dependencies", "dependency") + module.at("dependencies", "dependency")) {
        dependencies.add(
            configurationOf.getValue(dependency.text("scope")),
            if (dependency.isOurs()) project(":" + dependency.text("artifactId")) else dependency.coordinates(),
        )
    }
    // As in Maven, the versions of the top pom hold for transitive dependencies too, and the first imported pom wins.
    for (library in managed) {
        if (library == firstPlatform) {
            dependencies.add("api", dependencies.enforcedPlatform(library.coordinates()))
        } else if (library.isPlatform()) {
            dependencies.add("api", dependencies.platform(library.coordinates()))
        } else {
            dependencies.constraints.add("api", library.text("groupId") + ":" + library.text("artifactId")) {
                version { strictly(resolved(library.text("version"))) }
            }
        }
    }
    // Gradle wants the launcher stated; surefire brings its own.
    dependencies.add("testRuntimeOnly", "org.junit.platform:junit-platform-launcher")

    val compilers = module.at("build", "plugins", "plugin") + compiler
    for (processor in compilers.flatMap { it.at("configuration", "annotationProcessorPaths", "path") }) {
        dependencies.add("annotationProcessor", processor.coordinates())
    }
    configurations.named("testAnnotationProcessor") {
        extendsFrom(configurations.getByName("annotationProcessor"))
    }

    tasks.withType<JavaCompile>().configureEach {
        options.release = values.getValue("maven.compiler.release").toInt()
        options.encoding = values.getValue("project.build.sourceEncoding")
        options.compilerArgs.addAll(arguments.filter { !it.startsWith("-J") } + "-parameters")
        options.isFork = true
        options.forkOptions.jvmArgs = arguments.filter { it.startsWith("-J") }.map { it.removePrefix("-J") }
    }

    tasks.withType<Test>().configureEach {
        useJUnitPlatform()
        jvmArgs(jvmOptions)
        // The account 'nobody', under which Postgres runs for root, must reach the files of tests.
        systemProperty("java.io.tmpdir", values.getValue("test.folder"))
    }

    configure<SpotlessExtension> {
        java {
            target("src/*/java/**/*.java")
            palantirJavaFormat(values.getValue("palantir-java-format.version"))
            removeUnusedImports()
        }
    }

    mainClasses[name]?.let { main ->
        apply(plugin = "application")
        configure<JavaApplication> {
            mainClass = main
            applicationDefaultJvmArgs = jvmOptions
        }
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
