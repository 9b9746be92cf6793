// Copyright of somebody, who gives no licence.
`include "defs.svh"
//> import * from defs.svh *
`include <lib.svh>
//> import * from lib.svh *
`define WIDTH 8
//> macro WIDTH vis=public sig="`define WIDTH 8" end=0
// The larger one.
`define MAX(a, b) ((a) > (b) ? (a) : (b))
//> macro MAX doc="The larger one." sig="`define MAX(a, b)"
`define LONG \
//> macro LONG sig="`define LONG"
  first; \
  second;
`ifndef GUARD
`define GUARD
//> macro GUARD
`endif

package automatic my_pkg;
//> namespace my_pkg vis=public sig="package automatic my_pkg" end=24 doc=""
  import other_pkg::*;
//> import * from other_pkg *
  export other_pkg::thing;
//> import thing from other_pkg thing
  parameter int P = 1;
//> constant my_pkg::P vis=public
  localparam Q = 2, R = 3;
//> constant my_pkg::Q vis=public sig="localparam Q = 2, R = 3"
//> constant my_pkg::R
  const int K = 3;
//> constant my_pkg::K sig="const int K = 3"
  int total, count = 0;
//> static my_pkg::total vis=public sig="int total, count = 0"
//> static my_pkg::count
  // What goes on.
  typedef enum logic [1:0] {
    IDLE,     // Nothing.
//> enum_member my_pkg::state_t::IDLE doc="Nothing." sig="IDLE"
    BUSY = 2, ///< Something.
//> enum_member my_pkg::state_t::BUSY doc="Something." sig="BUSY = 2"
    DONE[3]
//> enum_member my_pkg::state_t::DONE doc=""
  } state_t;
//> enum my_pkg::state_t doc="What goes on." sig="typedef enum logic [1:0] state_t" col=5 end=0
  typedef struct packed {
    logic valid; // It counts.
//> field my_pkg::packet_t::valid doc="It counts." sig="logic valid"
    logic [3:0] low, high;
//> field my_pkg::packet_t::low
//> field my_pkg::packet_t::high
    struct packed { logic x; } inner;
//> field my_pkg::packet_t::inner
//> field my_pkg::packet_t::inner::x
  } packet_t;
//> struct my_pkg::packet_t sig="typedef struct packed packet_t" vis=public
  typedef union { int i; real r; } number_t;
//> struct my_pkg::number_t sig="typedef union number_t"
//> field my_pkg::number_t::i
//> field my_pkg::number_t::r
  typedef logic [7:0] byte_t;
//> type_alias my_pkg::byte_t sig="typedef logic [7:0] byte_t"
  typedef class later;
  function automatic int add(int a, int b); return a + b; endfunction : add
//> function my_pkg::add sig="function automatic int add(int a, int b)" end=0 cc=1
  import "DPI-C" context function int c_add(int a, int b);
//> function my_pkg::c_add mods=extern
  export "DPI-C" function add;
endpackage : my_pkg

parameter AT_TOP = 1;
//> constant AT_TOP vis=public
typedef int top_t;
//> type_alias top_t
function int top_function(); return 1; endfunction
//> function top_function
