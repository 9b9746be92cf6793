struct __Type {};
struct __Pointer {
    auto operator->() { for (auto x : *this) return x; }
    auto operator*() { for (auto x : *this) return x; }
    auto get() { for (auto x : *this) return x; }
    auto release() { for (auto x : *this) return x; }
    auto value() { for (auto x : *this) return x; }
    auto value_or(auto y) { for (auto x : *this) return x; return y; }
    auto lock() { return *this; }
    auto load() { for (auto x : *this) return x; }
    void reset(auto x) { this[x] = x; }
    void store(auto x) { this[x] = x; }
};
struct __Iterator {
    auto operator->() { for (auto x : *this) return x; }
    auto operator*() { for (auto x : *this) return x; }
    auto operator+(auto n) { return this; }
    auto operator-(auto n) { return this; }
};
namespace std {
struct vector {
    vector(auto a, auto b) { for (auto x : b) this[x] = x; this[a] = b; }
    void push_back(auto x) { this[x] = x; }
    void push_front(auto x) { this[x] = x; }
    void emplace_back(auto x) { this[x] = x; }
    void push(auto x) { this[x] = x; }
    void emplace(auto x) { this[x] = x; }
    void insert(auto x, auto y) { this[x] = x; this[x] = y; }
    void assign(auto n, auto x) { this[x] = x; }
    auto back() { for (auto x : *this) return x; }
    auto front() { for (auto x : *this) return x; }
    auto top() { for (auto x : *this) return x; }
    auto at(auto i) { return this[i]; }
    auto data() { return this; }
    auto begin() { __Iterator* r = new __Iterator(); for (auto x : *this) r[x] = x; return r; }
    auto end() { return begin(); }
    auto rbegin() { return begin(); }
    auto cbegin() { return begin(); }
    auto find(auto k) { return begin(); }
    auto erase(auto k) { return begin(); }
    auto size() {}
    auto empty() {}
    auto clear() {}
    auto reserve(auto n) {}
    auto resize(auto n) {}
};
struct __Entry {};
struct map {
    void insert(auto e) { this[e] = e.second; }
    void emplace(auto k, auto x) { this[k] = x; }
    void try_emplace(auto k, auto x) { this[k] = x; }
    void insert_or_assign(auto k, auto x) { this[k] = x; }
    auto at(auto k) { return this[k]; }
    auto entry() { __Entry* e = new __Entry(); e->second = this[e]; return e; }
    auto begin() { __Iterator* r = new __Iterator(); auto e = entry(); r[e] = e; return r; }
    auto end() { return begin(); }
    auto find(auto k) { return begin(); }
    auto count(auto k) {}
    auto contains(auto k) {}
    auto size() {}
    auto empty() {}
};
struct pair { pair(auto a, auto b) { this->first = a; this->second = b; this[0] = a; this[1] = b; } };
auto make_pair(auto a, auto b) { return new pair(a, b); }
auto make_tuple(auto a, auto b) { return new pair(a, b); }
auto move(auto x) { return x; }
auto forward(auto x) { return x; }
auto ref(auto x) { return x; }
auto cref(auto x) { return x; }
auto addressof(auto x) { return x; }
auto exchange(auto a, auto b) { return a; }
auto dynamic_pointer_cast(auto x) { return x; }
auto static_pointer_cast(auto x) { return x; }
auto invoke(auto f, auto... a) { return f(a...); }
auto apply(auto f, auto a) { return f(a); }
auto mem_fn(auto f) { return f; }
auto bind(auto f, auto... a) { return [=](auto... b) { return f(a..., b...); }; }
auto bind_front(auto f, auto... a) { return [=](auto... b) { return f(a..., b...); }; }
auto for_each(auto a, auto b, auto f) { for (auto x : a) f(x); return f; }
auto sort(auto a, auto b, auto f) { for (auto x : a) f(x, x); }
auto stable_sort(auto a, auto b, auto f) { for (auto x : a) f(x, x); }
auto partial_sort(auto a, auto m, auto b, auto f) { for (auto x : a) f(x, x); }
auto nth_element(auto a, auto m, auto b, auto f) { for (auto x : a) f(x, x); }
auto max_element(auto a, auto b, auto f) { for (auto x : a) f(x, x); return a; }
auto min_element(auto a, auto b, auto f) { for (auto x : a) f(x, x); return a; }
auto find_if(auto a, auto b, auto f) { for (auto x : a) f(x); return a; }
auto find_if_not(auto a, auto b, auto f) { for (auto x : a) f(x); return a; }
auto any_of(auto a, auto b, auto f) { for (auto x : a) f(x); }
auto all_of(auto a, auto b, auto f) { for (auto x : a) f(x); }
auto none_of(auto a, auto b, auto f) { for (auto x : a) f(x); }
auto count_if(auto a, auto b, auto f) { for (auto x : a) f(x); }
auto remove_if(auto a, auto b, auto f) { for (auto x : a) f(x); return a; }
auto partition(auto a, auto b, auto f) { for (auto x : a) f(x); return a; }
auto copy_if(auto a, auto b, auto c, auto f) { for (auto x : a) f(x); }
auto transform(auto a, auto b, auto c, auto f) { for (auto x : a) { c[x] = f(x); } }
auto generate(auto a, auto b, auto f) { a[b] = f(); }
auto accumulate(auto a, auto b, auto s, auto f) { for (auto x : a) { s = f(s, x); } return s; }
auto begin(auto c) { return c.begin(); }
auto end(auto c) { return c.end(); }
auto back_inserter(auto c) { return c; }
auto get(auto p) { return p[0]; }
auto visit(auto f, auto v) { return f(v); }
auto call_once(auto o, auto f, auto... a) { f(a...); }
struct __Future { auto get() { for (auto x : *this) return x; } auto wait() {} };
auto async(auto p, auto f, auto... a) { auto r = new __Future(); r[p] = p(f); r[f] = f(a...); return r; }
struct thread { thread(auto f, auto... a) { f(a...); } auto join() {} auto detach() {} };
struct jthread { jthread(auto f, auto... a) { f(a...); } auto join() {} };
}
