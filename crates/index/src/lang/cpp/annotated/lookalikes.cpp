// class Commented {};
/* namespace commented { void f(); } */
const char* raw = R"x(
//> static raw

class Quoted { void m(); };
)" )x";
const char* text = "class Quoted { }; // no comment \" ";
//> static text
int classy = 1, namespaced = 2, operators = 3;
//> static classy
//> static namespaced
//> static operators
char quote = '"', brace = '{', digits = 1'000;
//> static quote
//> static brace
//> static digits
bool less(int a, int b) { return a < b && b > a; }
//> function less cc=2
void structured() { auto [first, second] = pair(); if (auto it = find(); it != end()) {} }
//> function structured cc=2
struct Final { int final, override; };
//> struct Final
//> field Final::final
//> field Final::override
int import = 3;
//> static import
std::vector<std::map<int, std::string>> nested(std::function<int(int)> f) { return {}; }
//> function nested
