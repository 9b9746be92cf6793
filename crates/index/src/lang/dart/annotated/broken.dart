class Before {
//> class Before
  void ok() {}
//> method Before.ok
}

void wrong(int a {
}

class After {
//> class After
  int field = 1;
//> field After.field
  void method() { if (a) {} }
//> method After.method cc=2
}

int last() => 1;
//> function last
