// module no; endmodule
/* class no; endclass
   function no(); endfunction */
module names;
//> module names
  string text = "module no; endmodule // no";
  int module_count, class_of, endmodule_;
  virtual bus_if handle;
  initial begin : block
    int function_like;
    localparam LOCAL = 1;
//> constant names::LOCAL vis=private
    $display("function no();");
  end
  function int f(int parameter_like);
//> function names::f
    localparam INSIDE = 1;
    typedef enum {P, Q} local_t;
//> enum names::f::local_t vis=private
//> enum_member names::f::local_t::P
//> enum_member names::f::local_t::Q
    int v;
    return v;
  endfunction
  sub u_sub (.module_a(1), .b());
  generate
    for (genvar i = 0; i < 2; i++) begin : each
      function int inside_loop(); return 1; endfunction
//> function names::inside_loop
    end
  endgenerate
endmodule
