import Dependencies._
//> import * from Dependencies *

ThisBuild / scalaVersion := "3.3.0"

lazy val root = (project in file("."))
//> constant root
  .settings(
    name := "demo",
    libraryDependencies += munit % Test
  )

def module(name: String) = Project(name, file(name))
//> function module cc=1
