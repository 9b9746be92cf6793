/* As it once was. */
int add(a, b)
//> function add cc=1 end=5 sig="int add(a, b) int a; char *b" doc="As it once was."
	int a;
	char *b;
{
	return a;
}

char *join(one, other) char *one, *other; { return one; }
//> function join

main(argc, argv)
//> function main vis=public cc=2 col=1 sig="main(argc, argv) char **argv"
	char **argv;
{
	if (argc) return 1;
}

static helper() { return 1; }
//> function helper vis=private sig="static helper()"
