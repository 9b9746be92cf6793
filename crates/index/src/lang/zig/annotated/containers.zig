//! Shapes and what can be
//! done with them.
const std = @import("std");
//> import std from std -
const Allocator = @import("std").mem;
//> import Allocator from std mem
const geometry = @import("geometry.zig");
//> import geometry from geometry.zig -

/// A point in the plane.
pub const Point = struct {
//> struct Point vis=public sig="pub const Point = struct" doc="A point in the plane." end=18
    /// Along.
    x: f32 = 0,
    //> field Point.x doc="Along." sig="x: f32 = 0"
    y: f32 = 0, // up
    //> field Point.y doc=""

    /// Where everything begins.
    pub const origin: Point = .{ .x = 0, .y = 0 };
    //> constant Point.origin vis=public
    var count: usize = 0;
    //> field Point.count vis=private mods=static

    pub fn init(x: f32, y: f32) Point {
    //> method Point.init vis=public cc=1 sig="pub fn init(x: f32, y: f32) Point"
        return .{ .x = x, .y = y };
    }

    fn norm(self: Point) f32 {
    //> method Point.norm vis=private
        const Local = struct { square: f32 };
        //> struct Point.norm.Local vis=private sig="const Local = struct"
        //> field Point.norm.Local.square
        const local = Local{ .square = self.x * self.x + self.y * self.y };
        return @sqrt(local.square);
    }
};

const Shape = union(enum) {
//> struct Shape vis=private sig="const Shape = union(enum)"
    circle: Point,
    //> field Shape.circle
    none,
    //> field Shape.none
};

pub const Colour = enum(u8) {
//> enum Colour sig="pub const Colour = enum(u8)"
    red = 1,
    //> enum_member Colour.red sig="red = 1"
    /// Of grass.
    green,
    //> enum_member Colour.green doc="Of grass."
    _,
    //> enum_member Colour._

    pub fn isRed(self: Colour) bool {
    //> method Colour.isRed cc=2
        return self == .red or self == .green;
    }
};

const Failure = error{
//> enum Failure vis=private
    /// Too far away.
    OutOfRange,
    //> enum_member Failure.OutOfRange doc="Too far away."
    Empty,
    //> enum_member Failure.Empty
};

const Handle = opaque {
//> struct Handle
    extern fn close(handle: *Handle) void;
    //> method Handle.close mods=extern,declare
};

/// A list of anything.
pub fn List(comptime T: type) type {
//> function List vis=public doc="A list of anything." cc=1
    return struct {
        items: []T,
        //> field List.items
        const Self = @This();
        //> constant List.Self

        pub fn len(self: Self) usize {
        //> method List.len
            return self.items.len;
        }
    };
}

const Packed = packed struct(u8) { low: u4, high: u4 };
//> struct Packed sig="const Packed = packed struct(u8)"
//> field Packed.low
//> field Packed.high

const nested = struct {
//> struct nested
    const Inner = struct {
    //> struct nested.Inner
        value: i32,
        //> field nested.Inner.value
    };
};
