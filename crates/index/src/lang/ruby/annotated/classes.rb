# frozen_string_literal: true

# Shapes, and what they are made of.

module Geometry
#> namespace Geometry vis=public sig="module Geometry" end=53
  # How exact it is.
  PRECISION = 3
#> constant Geometry::PRECISION vis=public sig="PRECISION = 3" doc="How exact it is." end=0
  UNITS = %w[
#> constant Geometry::UNITS end=4
    cm

    m
  ].freeze
  A, B = 1, 2
#> constant Geometry::A sig="A, B = 1, 2"
#> constant Geometry::B
  CACHE ||= {}
#> constant Geometry::CACHE sig="CACHE ||= {}"

  ##
  # A shape.
  #
  # @abstract
  class Shape
#> class Geometry::Shape vis=public sig="class Shape" doc="A shape." end=35
    include Comparable
    extend Forwardable

    attr_reader :name, :unit
#> field Geometry::Shape::name vis=public mods=readonly,property sig="attr_reader :name, :unit"
#> field Geometry::Shape::unit
    attr_writer :unit_name # how it is called
#> field Geometry::Shape::unit_name mods=property,setter
    # Where it stands.
    attr_accessor "place"
#> field Geometry::Shape::place mods=property doc="Where it stands."
    attr_accessor(*%i[left right])
#> field Geometry::Shape::left
#> field Geometry::Shape::right
    @count = 0
#> field Geometry::Shape::@count vis=private mods=static sig="@count = 0"
    @@all = []
#> field Geometry::Shape::@@all vis=private mods=static

    # Makes one.
    # @param name [String]
    def initialize(name, unit: "cm", **options, &block)
#> constructor Geometry::Shape::initialize vis=public cc=2 sig="def initialize(name, unit: "cm", **options, &block)" doc="Makes one." end=6
      @name = name
      @size, @depth = 1, 2
#> field Geometry::Shape::@size vis=private mods=- sig="@size, @depth = 1, 2"
#> field Geometry::Shape::@depth
      @size ||= 2
      @options = options
#> field Geometry::Shape::@options
      @unit = unit if unit
    end

    def <=>(other) = area <=> other.area
#> method Geometry::Shape::<=> sig="def <=>(other)" cc=1 end=0
    def ==(other); end
#> method Geometry::Shape::==
    def [](key) @options[key] end
#> method Geometry::Shape::[] sig="def [](key)"
    def []=(key, value); end
#> method Geometry::Shape::[]=
    def -@ = self
#> method Geometry::Shape::-@ sig="def -@"
    def size=(value)
#> method Geometry::Shape::size= mods=setter sig="def size=(value)" end=2
      @size = value
    end
    def empty?() false end
#> method Geometry::Shape::empty?
    def grow! by, times = 1
#> method Geometry::Shape::grow! sig="def grow! by, times = 1" end=1
    end
    def class; end
#> method Geometry::Shape::class
    def `(command) = command
#> method Geometry::Shape::`
  end

  class Square < Shape; end
#> class Geometry::Square sig="class Square < Shape"
end

class Geometry::Deep::Circle < Geometry::Shape
#> class Geometry::Deep::Circle sig="class Geometry::Deep::Circle < Geometry::Shape" end=4 col=23
  class ::Elsewhere
#> class Elsewhere end=2
    def here; end
#> method Elsewhere::here
  end
end
module Outer module Inner; X = 1; end end
#> namespace Outer
#> namespace Outer::Inner
#> constant Outer::Inner::X
Outer::Inner::Y = 2
#> constant Outer::Inner::Y sig="Outer::Inner::Y = 2" col=15
class Geometry::Square
#> class Geometry::Square#2
  def reopened; end
#> method Geometry::Square#2::reopened
end
