typedef class base;

// Everything begins here.
virtual class base #(type T = int, int N = 3) extends object_c implements printable;
//> class base mods=abstract doc="Everything begins here." vis=public sig="virtual class base #(type T = int, int N = 3) extends object_c implements printable" end=21
//> type_alias base::T
//> constant base::N
  rand int x; // A number.
//> field base::x vis=public doc="A number." sig="rand int x" mods=-
  protected string name = "";
//> field base::name vis=protected sig="protected string name = """
  local static const int LIMIT = 2;
//> field base::LIMIT vis=private mods=static,const
  static int count, total;
//> field base::count mods=static
//> field base::total mods=static
  localparam DEPTH = 3;
//> constant base::DEPTH vis=public
  `object_utils(base)

  // Makes one.
  function new(string name = "");
//> constructor base::new vis=public doc="Makes one." sig="function new(string name = "")" end=3
    super.new(name);
    this.name = name;
  endfunction
  extern function void later(int a);
//> method base::later mods=declare sig="extern function void later(int a)"
  pure virtual function int area();
//> method base::area mods=abstract sig="pure virtual function int area()"
  virtual protected task run(); endtask
//> method base::run vis=protected sig="virtual protected task run()" mods=-
  local static function base get(); return null; endfunction
//> method base::get vis=private mods=static
  constraint positive { x > 0; }
  covergroup values; coverpoint x; endgroup
//> class base::values sig="covergroup values"
  typedef enum {A, B} letter_t;
//> enum base::letter_t
//> enum_member base::letter_t::A
//> enum_member base::letter_t::B
  class inner; int y; endclass
//> class base::inner
//> field base::inner::y
endclass : base

function void base::later(int a);
//> method base::later#2 sig="function void base::later(int a)" end=2
  x = a;
endfunction

interface class printable;
//> interface printable sig="interface class printable"
  pure virtual function void print();
//> method printable::print mods=abstract
endclass

class derived extends base#(int);
//> class derived mods=- sig="class derived extends base#(int)"
endclass
