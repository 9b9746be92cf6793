class X__Type; end
module Enumerable
  def each_with_index; for x in self do yield x, 0 end; self; end
  def each_with_object(o); for x in self do yield x, o end; o; end
  def each_slice(n); yield self; end
  def map; r = []; for x in self do r << yield(x) end; r; end
  def collect; r = []; for x in self do r << yield(x) end; r; end
  def flat_map; r = []; for x in self do for y in yield(x) do r << y end end; r; end
  def filter_map; r = []; for x in self do r << yield(x) end; r; end
  def select; for x in self do yield x end; self; end
  def filter; for x in self do yield x end; self; end
  def reject; for x in self do yield x end; self; end
  def find; for x in self do yield x; return x end; end
  def detect; for x in self do yield x; return x end; end
  def find_index; for x in self do yield x end; end
  def any?; for x in self do yield x end; end
  def all?; for x in self do yield x end; end
  def none?; for x in self do yield x end; end
  def count; for x in self do yield x end; end
  def sum; for x in self do yield x end; end
  def min_by; for x in self do yield x; return x end; end
  def max_by; for x in self do yield x; return x end; end
  def sort_by; for x in self do yield x end; self; end
  def sort; for x in self do yield x, x end; self; end
  def group_by; r = {}; for x in self do yield x end; r[r] = self; r; end
  def partition; for x in self do yield x end; [self, self]; end
  def inject(a); for x in self do return yield(yield(a, x), x) end; a; end
  def reduce(a); for x in self do return yield(yield(a, x), x) end; a; end
  def zip(o); r = []; for x in self do r << [x, o.first] end; r; end
  def to_a; self; end
  def first; for x in self do return x end; end
  def lazy; self; end
  def take_while; for x in self do yield x end; self; end
end
class Array
  include Enumerable
  def each; for x in self do yield x end; self; end
  def <<(x); self[x] = x; self; end
  def push(*xs); for x in xs do self[x] = x end; self; end
  def append(*xs); for x in xs do self[x] = x end; self; end
  def unshift(x); self[x] = x; self; end
  def concat(o); for x in o do self[x] = x end; self; end
  def +(o); r = []; for x in self do r << x end; for y in o do r << y end; r; end
  def pop; for x in self do return x end; end
  def shift; for x in self do return x end; end
  def last; for x in self do return x end; end
  def sample; for x in self do return x end; end
  def fetch(i); self[i]; end
  def reverse; self; end
  def compact; self; end
  def uniq; self; end
  def flatten; r = []; for x in self do r << x; for y in x do r << y end end; r; end
  def dup; self; end
  def freeze; self; end
  def take(n); self; end
  def drop(n); self; end
  def sort!; for x in self do yield x, x end; end
  def delete_if; for x in self do yield x end; self; end
  def reverse_each; for x in self do yield x end; end
  def map!; for x in self do self[x] = yield(x) end; self; end
end
class Hash
  def each; yield nil, self[self]; self; end
  def each_pair; yield nil, self[self]; self; end
  def each_value; yield self[self]; self; end
  def map; r = []; r << yield(nil, self[self]); r; end
  def values; r = []; r << self[self]; r; end
  def keys; []; end
  def fetch(k, d); yield k; self[k]; end
  def dig(k); self[k]; end
  def store(k, x); self[k] = x; end
  def merge(o); self[o] = o[o]; self; end
  def select; yield nil, self[self]; self; end
  def transform_values; r = {}; r[r] = yield(self[self]); r; end
  def freeze; self; end
  def key?(k); end
end
class Thread; def self.new; yield; end; end
def loop; yield; end
def catch(t); yield; end
def at_exit; yield; end
