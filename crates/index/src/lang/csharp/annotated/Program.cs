#!/usr/bin/env dotnet
using System;
//> import * from System *

var builder = args.Length > 0 ? args[0] : "none";
Console.WriteLine(builder);

int Add(int a, int b) => a > b ? a + b : 0;
//> function Add vis=private cc=2 sig="int Add(int a, int b)"

static void Hello()
//> function Hello vis=private mods=static cc=1 end=3
{
    Console.WriteLine("hello");
}

app.MapGet("/", async () => await Task.FromResult(Add(1, 2)));
//> function <lambda1> cc=1 mods=async

class Options { public int Port { get; set; } }
//> class Options vis=internal
//> field Options.Port vis=public mods=property
