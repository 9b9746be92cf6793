module;
#include <cstdio>
//> import * from cstdio *
export module shapes.round;
import std;
//> import * from std *
export import :parts;
//> import * from :parts *
import <vector>;
//> import * from vector *

export class Circle { public: int r; };
//> class Circle
//> field Circle::r
export int area(const Circle& c) { return c.r; }
//> function area
export {
int one() { return 1; }
//> function one
}
int inner();
//> function inner mods=declare
int module = 1;
//> static module
