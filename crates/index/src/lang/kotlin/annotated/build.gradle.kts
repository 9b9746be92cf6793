import org.gradle.api.tasks.testing.Test
//> import Test from org.gradle.api.tasks.testing Test

plugins {
    kotlin("jvm") version "2.0"
}

val version: String by project
//> constant version
val (major, minor) = version.split(".")
//> constant major
//> constant minor

fun helper(name: String) = "$name-$version"
//> function helper cc=1

if (version.isEmpty()) {
    val hidden = 1
}

tasks.withType<Test> {
    useJUnitPlatform()
}
