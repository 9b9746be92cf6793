`timescale 1ns / 1ps
module ports (
//> module ports sig="module ports (input a, `ifdef WIDE input [31:0] b, `else input b, `endif output c)"
  input a,
`ifdef WIDE
  input [31:0] b,
`else
  input b,
`endif
  output c
);
  parameter SIZE = 1
//> constant ports::SIZE
`ifdef MORE
    + 2
`endif
    ;
`ifdef ONE
  function one; input x; one = x; endfunction
//> function ports::one
`else
  function two; input x; two = x; endfunction
//> function ports::two
`endif
  always @(posedge clk `OR_RESET)
`ifdef ONE
    if (a) begin
`else
    begin
`endif
      c <= 32'h`START;
    end
  `ASSERT(Stable, a |-> ##1 b)
  specify
    $setup(a, posedge c &&& b, 10);
  endspecify
  wire [3:0] d = $clog2(SIZE)'(a);
endmodule

module next; endmodule
//> module next
