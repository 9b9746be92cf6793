#r "nuget: FSharp.Data"
#load "helper.fsx"
//> import - from helper.fsx -
open Helper
//> import * from Helper *

let run () = printfn "let no = 1 // no"
//> function run
(* let no = 1
   type No = class end (* nested *) *)
let text = """
//> constant text end=5
let no = 1

// no comment
type No = { X: int }
"""
let verbatim = @"C:\no\" // let no = 1
//> constant verbatim
let character = '"'
//> constant character
let formatted = $"{let_} type {member_}"
//> constant formatted
let typeName, moduleName, openFile = 1, 2, 3
//> constant typeName
//> constant moduleName
//> constant openFile
run ()
if true then
    let notOfTheModule = 1
    printfn "%d" notOfTheModule
