import os._
//> import * from os *

val wd = pwd
//> constant wd
def list() = ls(wd)
//> function list
