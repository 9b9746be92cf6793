let%test "addition" = 1 + 1 = 2
(*> test addition sig="let%test "addition"" cc=1 *)
let%test_unit _ = if x then assert false
(*> test <test1> cc=2 *)
let%expect_test "print it" =
(*> test print·it end=3 *)
  print_endline "x";
  [%expect {|
    let no = 1 |}]
let%test_module "group" = (module struct
(*> namespace group *)
  let helper x = x
(*> function group.helper *)
  let%test "inner" = true
(*> test group.inner *)
end)
let%bench "speed" = run ()
let%lwt started = start ()
(*> constant started *)
