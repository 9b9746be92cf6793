package demo
package imports

import java.util.List
//> import List from java.util List
import scala.collection.mutable._
//> import * from scala.collection.mutable *
import scala.collection.{Map, immutable => im, Seq => _, _}
//> import Map from scala.collection Map
//> import im from scala.collection immutable
//> import * from scala.collection *
import a.b, c.{d as e}, f.*
//> import b from a b
//> import e from c d
//> import * from f *
import x.given
//> import * from x *
import y.{given Ord[Int], z}
//> import * from y *
//> import z from y z
import `odd name`.`type`
//> import type from odd name type
import cats.syntax.all as syntax
//> import syntax from cats.syntax all

class Scoped {
//> class Scoped
  import math.max
  //> import max from math max
  def m = max(1, 2)
  //> method Scoped.m
}
