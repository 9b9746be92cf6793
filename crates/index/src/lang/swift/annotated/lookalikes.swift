#!/usr/bin/env swift
// func no() {}
/* class No { /* struct No {} */ func no() {} } */
let text = """
//> constant text end=5
    class No {}

    // no comment
    \(make { 1 })
    """
let raw = #"""
//> constant raw end=2
    func no() {} "" \#(text)
    """#
let line = "func no() {} // \(a["struct"]!) import No"
//> constant line
struct Keywords {
//> struct Keywords
    var `class`: Int = 0
//> field Keywords.class
    let type, protocolName, importance: String
//> field Keywords.type
//> field Keywords.protocolName
//> field Keywords.importance
    func get() {}
//> method Keywords.get
    func set() { let actor = 1; let `init` = actor }
//> method Keywords.set
}
func classify(class: Int, in struct: String) { self.init(); x.init; Type.self }
//> function classify
let regex = /func [a-z]+/
//> constant regex
print(text)
