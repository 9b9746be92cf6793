namespace first {
//> namespace first
int before() { return 1; }
//> function first::before
}

int @@ 3 ( ;

class Whole { int x; };
//> class Whole
//> field Whole::x

void half(int a, {
//> function half

class After {
//> class After
 public:
  void method() { return 1 +; }
  //> method After::method
  int field;
  //> field After::field
};
int last() { return 1; }
//> function last
