module earlier;
//> module earlier
  parameter A = 1;
//> constant earlier::A
endmodule

module bad (input a;
//> module bad
  assign = ;
endmodule

module after;
//> module after
  function int f(); return 1; endfunction
//> function after::f
endmodule
class last;
//> class last
  int x;
//> field last::x
endclass
