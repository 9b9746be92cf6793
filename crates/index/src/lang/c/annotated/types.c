/* A point. */
struct point {
//> struct point vis=public end=4 sig="struct point" doc="A point."
	int x, *y;
	//> field point::x sig="int x, *y"
	//> field point::y col=10
	const char *label; /* shown beside it */
	//> field point::label mods=- doc="shown beside it"
	unsigned flags : 3, : 0, more : 2;
	//> field point::flags
	//> field point::more
};

struct forward;

typedef struct {
	/* How many. */
	size_t count;
	//> field list::count doc="How many."
	void (*free)(void *item); /**< Frees an item. */
	//> field list::free sig="void (*free)(void *item)" doc="Frees an item."
	struct {
		int depth;
		//> field list::state::depth
	} state, *states;
	//> field list::state sig="struct state"
	//> field list::states
	union {
		long number;
		//> field list::number
		double real; ///< as a fraction
		//> field list::real doc="as a fraction"
	};
	struct node {
	//> struct list::node end=2
		struct node *next;
		//> field list::node::next
	} *first;
	//> field list::first
	enum { EMPTY, FULL } fill;
	//> enum_member list::EMPTY
	//> enum_member list::FULL
	//> field list::fill
} list, *list_ptr;
//> struct list vis=public end=0 sig="typedef struct list"
//> type_alias list_ptr

typedef struct tree { struct tree *left, *right; } tree;
//> struct tree sig="typedef struct tree"
//> field tree::left
//> field tree::right
typedef struct tree_node { int key; } tree_node_t;
//> struct tree_node col=16
//> field tree_node::key
//> type_alias tree_node_t sig="typedef struct tree_node tree_node_t"
typedef struct { int handle; } *handle_ptr;
//> type_alias handle_ptr
//> field handle_ptr::handle
typedef struct tree forest[10];
//> type_alias forest sig="typedef struct tree forest[10]"
typedef unsigned long ulong_t, *ulong_ptr;
//> type_alias ulong_t
//> type_alias ulong_ptr

// All the colours.
enum colour {
//> enum colour end=5 sig="enum colour" doc="All the colours."
	RED, // like blood
	//> enum_member colour::RED doc="like blood" sig="RED"
	/* Like grass. */
	GREEN = 1 << 2,
	//> enum_member colour::GREEN sig="GREEN = 1 << 2" doc="Like grass."
	BLUE
	//> enum_member colour::BLUE
};

typedef enum { UP, DOWN } direction;
//> enum direction sig="typedef enum direction"
//> enum_member direction::UP
//> enum_member direction::DOWN

enum { LIMIT = 10, OTHER };
//> enum_member LIMIT vis=public sig="LIMIT = 10"
//> enum_member OTHER

union value { int i; float f; };
//> struct value sig="union value"
//> field value::i
//> field value::f

static struct option { const char *name; } options[] = { { "a" }, { "b" } };
//> struct option vis=public sig="struct option"
//> field option::name
//> static options vis=private mods=static

struct { int width, height; } screen;
//> static screen
//> field screen::width
//> field screen::height

int counter = 0, *cursor;
//> static counter vis=public sig="int counter = 0, *cursor"
//> static cursor
const int maximum = 100;
//> constant maximum vis=public mods=const sig="const int maximum = 100"
static const char *names[] = { "one", "two" };
//> static names vis=private mods=static
static const char *const fixed[] = { "one", "two" };
//> constant fixed vis=private mods=static,const
extern volatile int ticks;
//> static ticks mods=extern,volatile
const struct point origin = { 0, 0 }, *nearest;
//> constant origin
//> static nearest

struct declared_later *make(void);
//> function make mods=declare
struct point
moved(struct point by) { return by; }
//> function moved col=1 sig="struct point moved(struct point by)"
enum colour mix(enum colour one, enum colour other) { return one; }
//> function mix
