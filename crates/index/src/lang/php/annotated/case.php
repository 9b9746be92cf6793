<?php
class FooTest extends \PHPUnit\Framework\TestCase {
//> class FooTest
    function test_it() {}
//> test FooTest\test_it
}
class Plain {
//> class Plain
    function testing() {}
//> method Plain\testing
}
