/// A shape on a plane.
/// It has no size.
class Shape {
//> class Shape vis=public end=23 sig="class Shape" doc="A shape on a plane."
  int id_ = 0;  // never shown
  //> field Shape::id_ vis=private sig="int id_ = 0" doc="never shown"
 public:
  Shape();
  //> constructor Shape::Shape vis=public mods=declare sig="Shape()"
  explicit Shape(int id) : id_(id), name_{"none"} { if (id) count++; }
  //> constructor Shape::Shape#2 cc=2 sig="explicit Shape(int id)" mods=-
  Shape(const Shape&) = delete;
  //> constructor Shape::Shape#3 mods=- sig="Shape(const Shape&) = delete"
  Shape& operator=(Shape&& other) noexcept = default;
  //> method Shape::operator= mods=default
  virtual ~Shape();
  //> method Shape::~Shape mods=declare sig="virtual ~Shape()"
  /** How large it is. */
  virtual double area() const = 0;
  //> method Shape::area mods=abstract sig="virtual double area() const = 0" doc="How large it is."
  virtual void draw(Canvas& canvas, int depth = 1) const;
  //> method Shape::draw mods=declare
  static int count;
  //> field Shape::count mods=static
  static constexpr int kMost = 10;
  //> constant Shape::kMost mods=static,const vis=public
  static const char* const kNames[];
  //> constant Shape::kNames
  static Shape* make(int id) { return nullptr; }
  //> method Shape::make mods=static vis=public
  operator bool() const { return id_ != 0; }
  //> method Shape::operator·bool col=3
  explicit operator const char*() const;
  //> method Shape::operator·const·char* mods=declare
  bool operator == (const Shape& other) const { return id_ == other.id_; }
  //> method Shape::operator==
  int operator()(int x) const;
  //> method Shape::operator() mods=declare
 protected:
  std::string name_, *alias_;
  //> field Shape::name_ vis=protected
  //> field Shape::alias_ vis=protected
  void rename(std::string name) { name_ = name; }
  //> method Shape::rename vis=protected
  void (*callback_)(int);
  //> field Shape::callback_
};

class EXPORT Circle final : public Shape, private Other<int> {
//> class Circle mods=final sig="class EXPORT Circle final : public Shape, private Other<int>"
 public:
  using Shape::Shape;
  using value_type = double;
  //> type_alias Circle::value_type sig="using value_type = double"
  typedef int size_type;
  //> type_alias Circle::size_type
  double area() const override { return 3.14 * r * r; }
  //> method Circle::area mods=override
  void draw(Canvas&, int) const final;
  //> method Circle::draw mods=final,declare
  friend class Printer;
  friend bool operator<(const Circle& a, const Circle& b) { return a.r < b.r; }
  //> function Circle::operator< sig="friend bool operator<(const Circle& a, const Circle& b)"
  friend void swap(Circle& a, Circle& b);
  enum class Colour : unsigned char { Red, Green = 2 };
  //> enum Circle::Colour sig="enum class Colour : unsigned char"
  //> enum_member Circle::Colour::Red
  //> enum_member Circle::Colour::Green
  struct Point { double x, y; };
  //> struct Circle::Point vis=public
  //> field Circle::Point::x
  //> field Circle::Point::y
  union {
    int as_int;
    //> field Circle::as_int
    float as_float;
    //> field Circle::as_float
  };
 private:
  class Impl;
  struct { int a; } inner_;
  //> field Circle::inner_ vis=private
  //> field Circle::inner_::a vis=public
  enum : int { kSmall, kLarge };
  //> enum_member Circle::kSmall vis=private
  //> enum_member Circle::kLarge
  mutable std::mutex lock_;
  //> field Circle::lock_
  double r GUARDED_BY(lock_) = 0;
  //> field Circle::r
};

class Derived : public Base, virtual protected Other {
//> class Derived
  int own_;
  //> field Derived::own_ vis=private
  Derived(int x)
  //> constructor Derived::Derived vis=private cc=2
  try : own_(x) {
  } catch (...) {
  }
  Derived(const Derived& other) : own_(other.own_) {}
  //> constructor Derived::Derived#2
  operator const Other& ();
  //> method Derived::operator·const·Other& mods=declare
  operator std::function<int(int)>() const;
  //> method Derived::operator·std::function<int(int)> vis=private
};

struct Plain : Base { int value; void set(int v); };
//> struct Plain sig="struct Plain : Base"
//> field Plain::value vis=public
//> method Plain::set vis=public mods=declare

int Shape::count = 0;
//> static Shape::count#2
Shape::Shape() : Shape(1) {}
//> constructor Shape::Shape#4 sig="Shape::Shape()"
Shape::~Shape() {}
//> method Shape::~Shape#2
void Shape::draw(Canvas& canvas, int depth) const { for (int i = 0; i < depth; i++) canvas.dot(); }
//> method Shape::draw#2 cc=2 sig="void Shape::draw(Canvas& canvas, int depth) const" col=13
Shape::operator const char*() const { return name_.c_str(); }
//> method Shape::operator·const·char*#2
EXPORT Circle::Circle() = default;
//> constructor Circle::Circle mods=default
const Shape& Circle::Point::owner() { return *this; }
//> method Circle::Point::owner mods=-
