// The build of pom.xml for those who use Gradle 9.1 or newer, on a JDK 25 or newer. Modules are those of the poms.
import javax.xml.parsers.DocumentBuilderFactory
import org.w3c.dom.Element

rootProject.name = "penstock"

dependencyResolutionManagement {
    repositories {
        mavenCentral()
    }
}

fun pom(folder: File): Element =
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(folder.resolve("pom.xml")).documentElement

val modules = pom(rootDir).getElementsByTagName("module")

for (i in 0 until modules.length) {
    val folder = rootDir.resolve(modules.item(i).textContent.trim())
    val nodes = pom(folder).childNodes
    val name = (0 until nodes.length).map(nodes::item).single { it.nodeName == "artifactId" }.textContent.trim()
    include(name)
    project(":$name").projectDir = folder
}
