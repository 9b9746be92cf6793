#include <vector>
//> import * from vector *
#include "shape.h"
//> import * from shape.h *
using namespace std;
//> import * from std *
using std::string;
//> import string from std string
using ::boost::asio::ip::tcp;
//> import tcp from boost::asio::ip tcp
namespace fs = std::filesystem;
//> import fs from std::filesystem -

namespace outer {
//> namespace outer sig="namespace outer" end=6
namespace inner {
//> namespace outer::inner
void f();
//> function outer::inner::f mods=declare
}
void g() { using std::swap; }
//> function outer::g
//> import swap from std swap
class C { void m(); };
//> class outer::C
//> method outer::C::m vis=private
}  // namespace outer

namespace outer { int again; }
//> static outer::again
namespace a::b::c { int deep; }
//> namespace a::b::c sig="namespace a::b::c" col=17
//> static a::b::c::deep
inline namespace v1 { int version(); }
//> namespace v1 sig="inline namespace v1"
//> function v1::version

namespace {
int hidden() { return 1; }
//> function hidden vis=private
const int kSecret = 1;
//> constant kSecret vis=private
struct Hidden { int open; };
//> struct Hidden vis=private
//> field Hidden::open vis=public
namespace deeper { int x; }
//> namespace deeper
//> static deeper::x vis=private
}  // namespace

void outer::inner::f() {}
//> function outer::inner::f#2
void outer::C::m() {}
//> method outer::C::m#2
static int local() { return 1; }
//> function local vis=private mods=static
extern "C" {
int from_c(void);
//> function from_c mods=declare
}
extern "C" void exported() {}
//> function exported
LIB_BEGIN_NAMESPACE
namespace detail {
//> namespace detail
LIB_CONSTEXPR auto quick(int x) -> int { return x; }
//> function detail::quick sig="LIB_CONSTEXPR auto quick(int x) -> int"
}
LIB_END_NAMESPACE
