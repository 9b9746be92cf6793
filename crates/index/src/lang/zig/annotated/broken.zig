const A = struct {
//> struct A
    x: i32,
    //> field A.x
};

fn broken(self: A { return 1; }

pub fn after() void {
//> function after
    const y = ;
}

pub fn last() void {}
//> function last
