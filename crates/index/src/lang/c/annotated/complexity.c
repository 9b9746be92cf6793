#if defined(A) && defined(B) || C
int straight(int x) { return x; }
//> function straight cc=1
#endif

int branches(int x)
//> function branches cc=9
{
	if (x > 1 && x < 10 || x == 12)
		x++;
	else if (x)
		x--;
	for (int i = 0; i < x; i++)
		;
	while (x)
		x--;
	do { x++; } while (x < 5);
	return x ? 1 : 2;
}

int chooses(char c)
//> function chooses cc=6
{
	switch (c) {
	case 'a':
	case 'b':
		return 1;
	case '0' ... '9':
		return 2;
	default:
		return x ?: 3;
	case 'z':
		return 4;
	}
}

int visits(struct list *list)
//> function visits cc=4
{
	struct item *item;
	list_for_each_entry(item, &list->items, entry) {
		if (item->size == sizeof(struct item))
			return 1;
	}
	for_each_item(item, list)
		print(item);
	return va_arg(arguments, struct item *) != 0;
}

int assembles(int x)
//> function assembles cc=1
{
	asm volatile ("mov %0, %1" : "=r"(x) : "r"(x) : "memory");
	goto *labels[x];
	static void *labels[] = { &&one, &&two };
	typeof(x) copy = x;
	return ({ int y = x; y; });
one:
two:
	return copy;
}
#define COUNTS(x) ((x) && 1 ? 2 : 3)
//> macro COUNTS cc=1
