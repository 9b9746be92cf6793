package com.example.shop

import groovy.transform.CompileStatic
//> import CompileStatic from groovy.transform CompileStatic
import static java.lang.Math.max as biggest
//> import biggest from java.lang.Math max
import java.util.concurrent.*
//> import * from java.util.concurrent *

/** What is sold. */
@CompileStatic
class Item implements Comparable<Item> {
//> class Item vis=public cc=0 end=29 sig="class Item implements Comparable<Item>" doc="What is sold." deco="CompileStatic"
    String name
    //> field Item.name vis=public cc=0 end=0 sig="String name"
    private final BigDecimal price = 0
    //> field Item.price vis=private cc=0 end=0 sig="private final BigDecimal price = 0" mods=final
    static final int LIMIT = 10
    //> constant Item.LIMIT vis=public cc=0 end=0 mods=static,final
    def tags = []
    //> field Item.tags vis=public cc=0 end=0 sig="def tags = []"

    Item(String name) {
    //> constructor Item.Item vis=public cc=1 end=2 sig="Item(String name)"
        this.name = name
    }

    /** The price of many. */
    BigDecimal total(int count = 1) {
    //> method Item.total vis=public cc=5 end=6 sig="BigDecimal total(int count = 1)" doc="The price of many."
        if (count > LIMIT && price) {
            return price * LIMIT
        }
        for (int i = 0; i < count; i++) { }
        count > 0 ? price * count : 0
    }

    static Item of(Map args) { new Item(args.name as String) }
    //> method Item.of vis=public cc=1 end=0 sig="static Item of(Map args)" mods=static

    protected void reset() { tags.each { println it } }
    //> method Item.reset vis=protected cc=1 end=0 sig="protected void reset()"

    int compareTo(Item other) { name <=> other.name }
    //> method Item.compareTo vis=public cc=1 end=0 sig="int compareTo(Item other)"

    class Tag {
    //> class Item.Tag vis=public cc=0 end=3 sig="class Tag"
        String text
        //> field Item.Tag.text vis=public cc=0 end=0 sig="String text"
        String toString() { text }
        //> method Item.Tag.toString vis=public cc=1 end=0 sig="String toString()"
    }
}

interface Priced {
//> interface Priced vis=public cc=0 end=2 sig="interface Priced"
    BigDecimal getPrice()
    //> method Priced.getPrice vis=public cc=1 end=0 sig="BigDecimal getPrice()"
}

trait Named {
//> trait Named vis=public cc=0 end=3 sig="trait Named"
    String label
    //> field Named.label vis=public cc=0 end=0 sig="String label"
    String shown() { "name: ${label}" }
    //> method Named.shown vis=public cc=1 end=0 sig="String shown()"
}

enum Colour {
//> enum Colour vis=public cc=0 end=3 sig="enum Colour"
    RED, GREEN
    //> enum_member Colour.RED vis=public cc=0 end=0 sig="RED"
    //> enum_member Colour.GREEN vis=public cc=0 end=0 sig="GREEN"
    String lower() { name().toLowerCase() }
    //> method Colour.lower vis=public cc=1 end=0 sig="String lower()"
}

abstract class Base {
//> class Base vis=public cc=0 end=3 sig="abstract class Base" mods=abstract
    abstract void run()
    //> method Base.run vis=public cc=1 end=0 sig="abstract void run()" mods=abstract
    final void stop() { }
    //> method Base.stop vis=public cc=1 end=0 sig="final void stop()" mods=final
}

def helper(a, b) {
//> function helper vis=public cc=3 end=6 sig="def helper(a, b)"
    switch (a) {
        case 1: return b
        case 2: return a
        default: return null
    }
}

def shout = { String text -> text.toUpperCase() }
//> function shout vis=public cc=1 end=0 sig="def shout"
String text = 'class NotThis { def nope() {} }'
//> static text vis=public cc=0 end=0 sig="String text = 'class NotThis { def nope() {} }'"
