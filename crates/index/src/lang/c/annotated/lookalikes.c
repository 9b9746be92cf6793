/* int commented(void) { } */
// struct commented { int x; };
static const char text[] = "int quoted(void) { struct q { int x; }; }";
//> constant text
static const char joined[] = "a" PRIu64 "b" NAME(x) "c \" // no comment";
//> constant joined
static char quote = '"', slash = '\'', brace = '{';
//> static quote
//> static slash
//> static brace
static const char *multi = "first \
//> static multi end=2
int inside(void) { } \
last";

int class, new, template;
//> static class
//> static new
//> static template
int delete(struct namespace *this) { return this->private; }
//> function delete
void structure(void) { enumerate(); }
//> function structure
int iffy(int forward) { int format = forward; return whiles(format); }
//> function iffy cc=1
#define BRACE {
//> constant BRACE sig="#define BRACE"
#define UNBALANCED )
//> constant UNBALANCED
int after_macros(void) { return 1; }
//> function after_macros
