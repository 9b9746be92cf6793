#ifdef ONE
int split(int a)
//> function split cc=2 sig="int split(int a)" end=9
{
#else
int split(void)
{
#endif
	if (other) {
	}
	return 1;
}

#if defined(A) && defined(B)
int both(void) { return 1; }
//> function both cc=1
#elif defined(C)
int both(void) { return 2; }
//> function both#2
#else
int neither(void) { return 3; }
//> function neither
#endif

#if 0
int dead(void) { it isn't even C }
#define DEAD 1
#else
int alive(void) { return 1; }
//> function alive
#endif

#ifdef LINUX
static int helper(void) { return 1; }
//> function helper vis=private
int opens(const char *path) {
#else
static int other_helper(void) { return 1; }
//> function other_helper
int opens(int handle) {
//> function opens sig="int opens(int handle)"
#endif
	return 0;
}

void shared(int x)
//> function shared cc=5 end=24
{
#ifdef X
	if (x) {
#else
	if (!x) {
#endif
		x++;
	}
#ifdef Y
	else if (x > 1)
		x--;
#else
	else
		x = 0;
#endif
	if (x
#ifdef Z
	    && 1
#else
	    && 2
#endif
	   )
		x++;
}

struct variant {
//> struct variant end=6
#ifdef WIDE
	long value;
	//> field variant::value
#else
	int value;
	//> field variant::value#2
#endif
};

#ifdef __cplusplus
extern "C" {
#endif
int plain(void);
//> function plain mods=declare
#ifdef __cplusplus
}
#endif

int
#ifdef SHORT
first(void)
//> function first
#else
second(void)
#endif
{
	return 0;
}
