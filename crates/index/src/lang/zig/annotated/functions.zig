const builtin = @import("builtin");
//> import builtin from builtin -
pub usingnamespace @import("c.zig");
//> import * from c.zig *

//// Not a doc comment.
fn quiet() void {}
//> function quiet vis=private doc=""

/// Adds two numbers. And says so.
export fn add(a: i32, b: i32) callconv(.C) i32 {
//> function add vis=public mods=extern doc="Adds two numbers." end=2
    return a + b;
}

extern "c" fn puts(text: [*:0]const u8) c_int;
//> function puts vis=private mods=extern,declare

pub inline fn twice(x: u8) u8 {
//> function twice sig="pub inline fn twice(x: u8) u8"
    return x * 2;
}

fn @"with spaces"() void {}
//> function @"with·spaces"

pub fn ways(n: u32, list: []const u32) !u32 {
//> function ways cc=12
    if (n == 0) return 0 else if (n == 1) return 1;
    for (list) |item| {
        if (item > n and item < 10 or item == 3) continue;
    }
    while (true) break;
    const sign: i8 = if (n > 5) 1 else -1;
    const parsed = parse(sign) catch 0;
    switch (parsed) {
        0 => {},
        1, 2 => {},
        else => {},
    }
    return n;
}

fn parse(sign: i8) !i8 {
//> function parse
    return sign;
}

const limit = 10;
//> constant limit sig="const limit = 10"
/// How often.
pub var counter: usize = 0;
//> static counter vis=public doc="How often."
threadlocal var scratch: [16]u8 = undefined;
//> static scratch vis=private
const text =
//> constant text
    \\fn inside() void {
    \\
    \\// neither a comment
;
//
const Callback = *const fn (i32) void;
//> constant Callback

test "adding up" {
//> test adding·up vis=private sig="test "adding up""
    const sum = add(1, 2);
    if (sum != 3) return error.Wrong;
}

test add {
//> test add#2
    _ = add(1, 1);
}

test {
    _ = quiet;
}

comptime {
    _ = builtin.os;
}
