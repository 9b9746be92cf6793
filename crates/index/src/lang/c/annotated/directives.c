#ifndef DIRECTIVES_H
#define DIRECTIVES_H

/* The most that fit. */
#define MOST 10
//> constant MOST vis=public sig="#define MOST 10" doc="The most that fit." col=9
#define BEHIND 0x20 /* in pages */
//> constant BEHIND sig="#define BEHIND 0x20" doc="in pages"
#define URL "http://example.org" // where it is
//> constant URL sig="#define URL "http://example.org"" doc="where it is"
#define FLAG
#define EMPTY /* nothing */
#  define INDENTED (1 + \
//> constant INDENTED col=11 end=1 sig="# define INDENTED (1 +"
	2)

/** The larger one. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
//> macro MAX vis=public cc=1 sig="#define MAX(a, b)" doc="The larger one."
#define LOG(format, ...) \
//> macro LOG end=5 sig="#define LOG(format, ...)"
	do { \
		/* as if it were
		   a function */ \
		fprintf(stderr, format, __VA_ARGS__); \
	} while (0)
#define SPACED (x)
//> constant SPACED sig="#define SPACED (x)"
#undef MOST
#pragma once
#error "don't"

int values[] = {
//> static values end=5
	1,
#define TWO 2
//> constant TWO
	TWO,
#include "values.inc"
//> import * from values.inc *
};

enum level {
//> enum level end=7
	LOW,
	//> enum_member level::LOW
#define LOW LOW
//> constant LOW
#ifdef MORE
	MIDDLE,
	//> enum_member level::MIDDLE
#endif
	HIGH
	//> enum_member level::HIGH
};

void local(int a
//> function local end=8
#ifdef MORE
	, int b
#endif
	)
{
#define INSIDE 1
//> constant INSIDE
	return;
}

#include <last.h>
//> import * from last.h *
#endif
