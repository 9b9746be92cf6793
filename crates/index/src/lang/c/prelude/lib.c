struct __Type { int a; };
struct List { int a; };
struct Map { int a; };
void qsort(void *base, int n, int size, int (*f)(int, int)) { f(base[0], base[0]); }
void *bsearch(void *key, void *base, int n, int size, int (*f)(int, int)) { f(key, base[0]); return base[0]; }
int atexit(void (*f)(void)) { f(); }
void *signal(int n, void (*f)(int)) { f(n); }
int pthread_create(int *t, int *a, void *(*f)(void *), void *x) { f(x); }
int pthread_once(int *t, void (*f)(void)) { f(); }
int thrd_create(int *t, int (*f)(void *), void *x) { f(x); }
