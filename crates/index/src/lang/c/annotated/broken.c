int before(void) { return 1; }
//> function before

int @@ 3 ( ;

struct whole { int x; };
//> struct whole
//> field whole::x

int unfinished(int a, {

static int still_found(int a)
//> function still_found
{
	return a +;
}

int last(void) { return 1; }
//> function last
