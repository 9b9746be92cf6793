#!/usr/bin/env ruby
# -*- coding: utf-8 -*-

require 'json'
#> import - from json -
require("net/http")
#> import - from net/http -
require_relative "lib/store"
#> import - from ./lib/store -
require_relative "../version"
#> import - from ../version -
require_relative './near'
#> import - from ./near -
load "tasks/all.rake"
#> import - from tasks/all.rake -
require "optional" if ENV["OPTIONAL"]
#> import - from optional -
require File.expand_path("../x", __FILE__)
require "a_#{b}"
object.require "no"
begin
  require "bundler/setup"
#> import - from bundler/setup -
rescue LoadError
  nil
end

module Parts
#> namespace Parts
  autoload :Wheel, "parts/wheel"
#> import Wheel from parts/wheel Wheel
  def late
#> method Parts::late
    require "late"
#> import - from late -
  end
end
