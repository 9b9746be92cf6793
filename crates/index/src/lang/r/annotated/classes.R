#' A person.
#'
#' @slot name The name.
Person <- setClass("Person", contains = "Base",
#> class Person doc="A person." sig="Person <- setClass("Person", contains = "Base"" end=3
  slots = c(name = "character",
#> field Person::name sig="name = "character""
            # In years.
            age = "numeric"))
#> field Person::age doc="In years."
setClass("Old", representation("VIRTUAL", size = "numeric"))
#> class Old col=11
#> field Old::VIRTUAL
#> field Old::size
setClassUnion("NumberOrText", c("numeric", "character"))
#> type_alias NumberOrText
setGeneric("area", function(shape, ...) standardGeneric("area"))
#> function area sig="setGeneric("area", function(shape, ...)"
setGeneric("bare")
#> function bare
#' Of a circle.
setMethod("area", "Circle", function(shape, ...) {
#> method Circle::area cc=2 doc="Of a circle." end=2
  if (shape@r > 0) 1
})
setMethod(f = "show", signature = signature(object = "Person"), definition = function(object) 1)
#> method Person::show
setMethod("+", signature("Money", "Money"), function(e1, e2) e1)
#> method Money::+
setReplaceMethod("name", "Person", function(x, value) x)
#> method Person::name#2
setMethod(length, "Person", function(x) 1L)
#> method Person::length
setValidity("Person", function(object) TRUE)
Account <- setRefClass("Account",
#> class Account
  fields = list(balance = "numeric", log = list(a = 1)),
#> field Account::balance
#> field Account::log
  methods = list(
    not_a_method = 1,
    initialize = function(...) initFields(...),
#> constructor Account::initialize cc=1
    deposit = function(x) {
#> method Account::deposit end=3 cc=2
      "Puts money in."
      if (x) balance <<- balance + x
    }
  )
)
Named <- setRefClass("Other", fields = c("a", "b"))
#> class Other
#> field Other::a
#> field Other::b
Account$methods(withdraw = function(x) x)
#> method Account::withdraw
#' A stack.
Stack <- R6::R6Class("StackClass", inherit = Base,
#> class Stack doc="A stack." sig="Stack <- R6::R6Class("StackClass", inherit = Base"
  public = list(
    #' @field items What it holds.
    items = NULL,
#> field Stack::items vis=public sig="items = NULL"
    options = list(not = 1, a = function() 2),
#> field Stack::options
    #' @description
    #' Makes one.
    initialize = function(items = list()) {
#> constructor Stack::initialize doc="Makes one." end=2
      self$items <- items
    },
    push = function(x) for (i in x) self$items[[i]] <- i,
#> method Stack::push cc=2
    `back tick` = function() 1
#> method Stack::back·tick
  ),
  private = list(
    secret = 1,
#> field Stack::secret vis=private
    hide = function() 2
#> method Stack::hide vis=private
  ),
  active = list(size = function(value) length(self$items)),
#> method Stack::size mods=property
  cloneable = FALSE
)
R6Class("Loose", public = list(x = 1))
#> class Loose
#> field Loose::x
GeomDot <- ggproto("GeomDot", Geom,
#> class GeomDot
  required_aes = c("x", "y"),
#> field GeomDot::required_aes
  draw = function(self, data) {
#> method GeomDot::draw end=2
    ggproto_parent(Geom, self)
  }
)
Dog <- new_class("Dog", properties = list(name = class_character))
#> class Dog
#> field Dog::name
method(speak, Dog) <- function(x) "Woof"
#> method Dog::speak
