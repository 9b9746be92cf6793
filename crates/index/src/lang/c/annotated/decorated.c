/* With a word. */
EXPORT int exported(void);
//> function exported vis=public mods=declare sig="EXPORT int exported(void)" doc="With a word." end=0
API int short_word(void) { return 0; }
//> function short_word sig="API int short_word(void)"
BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID reserved) { return 1; }
//> function DllMain sig="BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, LPVOID reserved)"
LUA_API const char *(lua_text) (lua_State *L);
//> function lua_text mods=declare sig="LUA_API const char *(lua_text) (lua_State *L)"
ZEXTERN const char * ZEXPORT zlibVersion OF((void));
//> function zlibVersion mods=declare
extern int old_style P_((int a, char *b));
//> function old_style mods=extern,declare
EXTERN
int *
under_it(char *unused UNUSED, FILE *file, unsigned short FAR *lens) NOTHROW;
//> function under_it sig="EXTERN int * under_it(char *unused UNUSED, FILE *file, unsigned short FAR *lens) NOTHROW"

/* It ends the program. */
__attribute__((noreturn))
static void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
//> function fail vis=private mods=static,declare deco="noreturn" doc="It ends the program." sig="static void fail(const char *format, ...) __attribute__((format(printf, 1, 2)))"
[[nodiscard]] int checked(void);
//> function checked deco="nodiscard" sig="int checked(void)"
__declspec(dllexport) int for_windows(void) { return 0; }
//> function for_windows deco="dllexport" sig="int for_windows(void)"
DEPRECATED("use another") int outdated(void);
//> function outdated deco="DEPRECATED("use another")" sig="int outdated(void)"

typedef HMODULE (APIENTRY *loader)(LPCTSTR, HANDLE, DWORD);
//> type_alias loader
typedef QUEUE_OF(item) queue;
//> type_alias queue
STACK_OF(X509) *certificates(void);
//> function certificates mods=declare
int x UNUSED = 1, y;
//> static x
//> static y
struct PACKED header { int size; } __packed;
//> struct header sig="struct PACKED header"
//> field header::size
struct with_macros {
//> struct with_macros end=6
	LIST_ENTRY(item) entry;
	//> field with_macros::entry
	ALIGNED(8) char *data;
	//> field with_macros::data deco="ALIGNED(8)"
	MORE_FIELDS;
	OBJECT_HEAD
	int last;
	//> field with_macros::last
};
enum flags { ONE DEPRECATED_ENUM("old"), EACH_FLAG(X) TWO };
//> enum flags
//> enum_member flags::ONE
//> enum_member flags::TWO

MODULE_LICENSE("GPL");
static LIST_HEAD(all_items);
DEFINE_LIST(item, struct item *)
static DEFINE_PATH(state, "state")

/* Makes a call to the system. */
SYSCALL_DEFINE3(read, unsigned int, fd, char __user *, buf, size_t, count)
//> function read col=17 cc=2 sig="SYSCALL_DEFINE3(read, unsigned int, fd, char __user *, buf, size_t, count)" doc="Makes a call to the system."
{
	return fd ? 0 : 1;
}

static PHP_FUNCTION(implode) { }
//> function implode vis=private
struct point by_macro(struct point *other UNUSED) NOTHROW { return *other; }
//> function by_macro
void commented(void)
//> function commented
{
	IGNORE_WARNINGS(
		/* A comment in arguments. */
		one(1);
		two(2);
	)
	int y JEMALLOC_INIT(0);
}
BEGIN_DECLS

void last(void) {}
//> function last sig="void last(void)"
END_DECLS
