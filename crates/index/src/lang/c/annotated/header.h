/**
 * @file
 * What others may use.
 */
#pragma once
#include "types.h"
//> import * from types.h *

#ifdef __cplusplus
extern "C" {
#endif

typedef struct engine engine_t;
//> type_alias engine_t sig="typedef struct engine engine_t"

/** Starts it. */
extern API engine_t *engine_start(const char *name, int (*report)(const char *));
//> function engine_start vis=public mods=extern,declare doc="Starts it." sig="extern API engine_t *engine_start(const char *name, int (*report)(const char *))"

/** How many run. */
extern int engine_count;
//> static engine_count mods=extern doc="How many run."

static inline int engine_runs(engine_t *engine) { return engine && engine->runs; }
//> function engine_runs vis=private mods=static cc=2

#ifdef __cplusplus
}
class Engine { public: void start(); };
#endif
