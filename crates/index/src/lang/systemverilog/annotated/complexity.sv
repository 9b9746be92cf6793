module m;
//> module m cc=0
  function int branches(int a, int b);
//> function m::branches cc=8 end=9
    if (a > 1 && b > 1 || a == b) return 1;
    else if (a) return 2;
    else return 3;
    case (a)
      1: return 1;
      2, 3: return a ? b : 1;
      default: return 0;
    endcase
  endfunction
  task loops;
//> function m::loops cc=7 sig="task loops"
    input integer n;
    begin
      for (int i = 0; i < n; i++) ;
      foreach (x[i]) x[i] = 1;
      while (n) n--;
      do n--; while (n);
      repeat (3) n++;
      forever n++;
    end
  endtask
  always @(posedge clk) if (a) b <= 1;
  property follows; @(posedge clk) a |-> b && c; endproperty
//> function m::follows cc=2 sig="property follows"
  sequence pair; a ##1 b; endsequence
//> function m::pair cc=1
  let larger(a, b) = a > b ? a : b;
//> function m::larger cc=2 sig="let larger(a, b)"
endmodule
