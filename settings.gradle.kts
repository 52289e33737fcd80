// The build of pom.xml for those who use Gradle 9.1 or newer, on a JDK 25 or newer. A test compares the two.
rootProject.name = "penstock"

dependencyResolutionManagement {
    repositories {
        mavenCentral()
    }
}

fun module(name: String, folder: String) {
    include(name)
    project(":$name").projectDir = file(folder)
}

module("penstock-frames", "modules/frames")
module("penstock-terminal", "modules/terminal")
module("penstock-engine", "modules/engine")
module("penstock-server", "modules/server")
module("penstock-web-client", "web-client")
module("penstock-bench", "bench")
