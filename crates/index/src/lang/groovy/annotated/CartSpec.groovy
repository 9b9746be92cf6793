package com.example.shop

import spock.lang.Specification
//> import Specification from spock.lang Specification

class CartSpec extends Specification {
//> class CartSpec vis=public cc=0 end=18 sig="class CartSpec extends Specification"
    def setup() { }
    //> method CartSpec.setup vis=public cc=1 end=0 sig="def setup()"

    def "an empty cart costs nothing"() {
    //> test CartSpec.an·empty·cart·costs·nothing vis=public cc=1 end=3
        expect:
        new Item('a').total(0) == 0
    }

    def 'two of #what'() {
    //> test CartSpec.two·of·#what vis=public cc=1 end=7 sig="def 'two of #what'()"
        given:
        def item = new Item('b')
        expect:
        item.total(2) == 0
        where:
        what << ['one']
    }

    private int helper() { 1 }
    //> method CartSpec.helper vis=private cc=1 end=0 sig="private int helper()"
}
