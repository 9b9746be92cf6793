/*
 * Functions in all their forms.
 */

#include <stdio.h>
//> import * from stdio.h *
#include "lib/list.h" /* for lists */
//> import * from lib/list.h *
# include CONFIG_HEADER
//> import * from CONFIG_HEADER *

/* Adds two numbers. The sum may overflow. */
int add(int a, int b)
//> function add vis=public cc=1 mods=- end=3 col=5 sig="int add(int a, int b)" doc="Adds two numbers."
{
	return a + b;
}

/// The length of a text,
/// without its end.
static inline size_t
length(const char *text) /* never null */
//> function length vis=private cc=2 mods=static end=6 col=1 sig="static inline size_t length(const char *text)" doc="The length of a text, without its end."
{
	size_t n = 0;
	while (*text++)
		n++;
	return n;
}

/* Not about the function below. */

const char *name_of(struct item *item) { return item->name; }
//> function name_of vis=public mods=- end=0 sig="const char *name_of(struct item *item)" doc=""

// The old one.
/** The new one. */
extern void declared(void);
//> function declared mods=extern,declare sig="extern void declared(void)" doc="The new one."

int pick(void), choose(int);
//> function pick mods=declare sig="int pick(void), choose(int)"
//> function choose mods=declare col=17

/* A function that returns a pointer to a function. */
void (*signal_handler(int number))(int)
//> function signal_handler vis=public cc=1 doc="A function that returns a pointer to a function." sig="void (*signal_handler(int number))(int)"
{
	return 0;
}

int (in_parentheses)(int x);
//> function in_parentheses mods=declare sig="int (in_parentheses)(int x)"

int (*pointer_to_function)(int x);
//> static pointer_to_function vis=public sig="int (*pointer_to_function)(int x)"

static int (*table[3])(void) = { pick };
//> static table vis=private mods=static

typedef int (*compare)(const void *, const void *);
//> type_alias compare sig="typedef int (*compare)(const void *, const void *)"
typedef void handler(int signal);
//> type_alias handler

void takes(int (*callback)(int value), struct { int hidden; } odd)
//> function takes end=6
{
	int local = 0, *other;
	static int counter;
	extern int elsewhere(int);
	struct inner { int of_inner; } one;
	//> struct takes::inner
	//> field takes::inner::of_inner
}

/**
 * Splits a text.
 *
 * @param text what to split
 */
char **
split(
//> function split end=6 col=1 sig="char ** split(const char *text, char separator)" doc="Splits a text."
	const char *text,
	char separator
)
{
	return NULL;
}
