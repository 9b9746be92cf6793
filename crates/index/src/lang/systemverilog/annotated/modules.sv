// Counts up. Then it begins again.
module counter #(
//> module counter vis=public doc="Counts up." mods=- col=8 end=15 sig="module counter #(parameter WIDTH = 8, parameter type T = logic, localparam int LAST = 3, DEPTH = 4) (input wire clk, output reg [WIDTH-1:0] q)"
  parameter WIDTH = 8, // How wide.
//> constant counter::WIDTH vis=public doc="How wide." sig="parameter WIDTH = 8"
  parameter type T = logic,
//> type_alias counter::T vis=public sig="parameter type T = logic"
  localparam int LAST = 3, DEPTH = 4
//> constant counter::LAST vis=private sig="localparam int LAST = 3, DEPTH = 4"
//> constant counter::DEPTH vis=private
) (
  input wire clk,
  // The count.
  output reg [WIDTH-1:0] q
);
  import my_pkg::*, other_pkg::thing;
//> import * from my_pkg *
//> import thing from other_pkg thing
  parameter STEP = 1, LIMIT = 2;
//> constant counter::STEP vis=public sig="parameter STEP = 1, LIMIT = 2"
//> constant counter::LIMIT vis=public
  wire w; logic [3:0] l; reg r;
  sub #(.A(1)) u_sub (.clk(clk), .*);
  typedef enum {IDLE, BUSY} state_t;
//> enum counter::state_t sig="typedef enum state_t"
//> enum_member counter::state_t::IDLE
//> enum_member counter::state_t::BUSY
  enum {LEFT, RIGHT} direction;
//> enum_member counter::LEFT
//> enum_member counter::RIGHT
endmodule : counter

(* keep = 1, top *)
module old_style (a, b);
//> module old_style deco="keep = 1, top" sig="module old_style (a, b)" end=4
  input a;
  output b;
  parameter [3:0] MODE = 1;
//> constant old_style::MODE sig="parameter [3:0] MODE = 1"
endmodule

//------------------------------
// Two wires.
//------------------------------
interface bus_if #(parameter W = 1) (input clk);
//> interface bus_if doc="Two wires." sig="interface bus_if #(parameter W = 1) (input clk)" end=5
//> constant bus_if::W
  logic a, b;
  modport master (input a, output b);
  task drive(input logic x); endtask
//> function bus_if::drive sig="task drive(input logic x)" cc=1
  clocking cb @(posedge clk); input a; endclocking
endinterface

program stimulus; initial begin end endprogram
//> module stimulus sig="program stimulus"
checker watch; endchecker
//> module watch sig="checker watch"
primitive gate (o, i); output o; input i; table 0 : 1; endtable endprimitive
//> module gate sig="primitive gate (o, i)"
extern module elsewhere (input a);
//> module elsewhere mods=declare sig="module elsewhere (input a)"

module empty; endmodule
//> module empty end=0
module \strange+name (input a); endmodule
//> module \strange+name
