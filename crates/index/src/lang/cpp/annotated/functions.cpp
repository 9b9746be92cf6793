constexpr int square(int x) noexcept { return x * x; }
//> function square mods=const sig="constexpr int square(int x) noexcept"
[[nodiscard]] inline auto pick(bool b) -> int { return b ? 1 : 2; }
//> function pick cc=2 deco="nodiscard" sig="inline auto pick(bool b) -> int"
const std::string& name(const std::vector<std::string>& names, int&& at) { return names[at]; }
//> function name mods=- cc=1
std::ostream& operator<<(std::ostream& out, const Shape& shape);
//> function operator<< mods=declare
void* operator new(std::size_t size);
//> function operator·new mods=declare
void operator delete[](void* pointer) { delete[] (char*)pointer; }
//> function operator·delete[]
long double operator""_km(long double x) { return x; }
//> function operator""_km
void deleted(int) = delete;
//> function deleted mods=declare

int decide(std::vector<int> v) {
//> function decide cc=11 end=21
  for (auto& x : v)
    if (x and v.size() or !x) x++;
  try {
    throw 1;
  } catch (const std::exception& e) {
  } catch (...) {
  }
  BOOST_FOREACH(int y, v) { y++; }
  switch (v.size()) {
    case 1: break;
    default: break;
  }
  if constexpr (sizeof(int) == 4) {}
  const std::string& copy(v.at(0)->text());
  (this->*method)(1);
  s->fields()->operator[]("k").set(1);
  auto** list = new const Node*[10];
  HANDLE(INT32, int32_t);
  Q_EMIT changed();
  return v.empty() ? 0 : 1;
}

void lambdas() {
//> function lambdas cc=1
  auto add = [](int a, int b) { return a && b ? a : b; };
  //> function lambdas::add cc=3 vis=private sig="auto add = [](int a, int b)"
  std::sort(v.begin(), v.end(), [&](auto a, auto b) { return a < b; });
  //> function lambdas::<lambda1> cc=1
  struct Local {
  //> struct lambdas::Local
    Local(int x) : y(x) {}
    //> constructor lambdas::Local::Local
    EXPORT void run() { if (y) y--; }
    //> method lambdas::Local::run cc=2
    int y;
    //> field lambdas::Local::y
  };
  [[maybe_unused]] int z = 0;
}

auto global = [](int x) { return x || 1; };
//> function global cc=2 sig="auto global = [](int x)"
std::function<void()> later = [] {};
//> function later
int table[] = {1, 2}, *cursor = table;
//> static table
//> static cursor
constexpr auto kLimit = 10;
//> constant kLimit mods=const
static const std::string kName = "x";
//> constant kName vis=private mods=static,const
const char* kMessage = "a" NAME_ "b";
//> static kMessage
extern thread_local int per_thread;
//> static per_thread mods=extern
Shape shape{1, 2};
//> static shape
Foo::Bar FACTORY = make();
//> static FACTORY
FMT_API int word(int x) FMT_NOEXCEPT(true) { return x; }
//> function word
static const CWE CWE398(398U);
//> constant CWE398 vis=private mods=static,const
