/** The larger of two. */
template <typename T>
T max(T a, T b) { return a > b ? a : b; }
//> function max cc=2 sig="template <typename T> T max(T a, T b)" doc="The larger of two." end=0

template <>
int max<int>(int a, int b) { return a > b ? a : b; }
//> function max#2 sig="template <> int max<int>(int a, int b)"

template <class T, std::size_t N = 3, typename = void>
class Array {
//> class Array end=8 sig="template <class T, std::size_t N = 3, typename = void> class Array"
 public:
  template <class U>
  Array(const Array<U, N>& other);
  //> constructor Array::Array mods=declare
  T& operator[](std::size_t i) { return data_[i]; }
  //> method Array::operator[]
  template <class U> auto convert() const -> Array<U, N> { return {}; }
  //> method Array::convert
 private:
  T data_[N];
  //> field Array::data_
};

template <class T, std::size_t N>
template <class U>
Array<T, N>::Array(const Array<U, N>& other) : data_() {}
//> constructor Array::Array#2 sig="template <class T, std::size_t N> template <class U> Array<T, N>::Array(const Array<U, N>& other)"

template <>
class Array<bool, 1> { bool only; };
//> class Array#2 sig="template <> class Array<bool, 1>"
//> field Array#2::only vis=private

template <typename T> using Pointer = std::unique_ptr<T>;
//> type_alias Pointer sig="template <typename T> using Pointer = std::unique_ptr<T>"
template <typename T> constexpr bool is_small = sizeof(T) < 8;
//> constant is_small mods=const

/// What can be added.
template <typename T>
concept Addable = requires(T a, T b) { { a + b } -> std::same_as<T>; };
//> trait Addable doc="What can be added."
template <Addable T> requires (sizeof(T) > 1) && Small<T>
T add(T a, T b) { return a + b; }
//> function add cc=1
auto half(std::integral auto x) { return x / 2; }
//> function half

template <typename T, ENABLE_IF(std::is_same<T, char>::value), typename T::type* = nullptr>
void only_chars(T value, QWidget* = nullptr, const Options& options = {}) {}
//> function only_chars

template class Array<int>;
extern template int max<int>(int, int);
template <typename... Args> void print(Args&&... args) { (std::cout << ... << args); }
//> function print
typedef void (Array<int>::*Method)(int);
//> type_alias Method
