<?php
//> file: tests/Unit/UserTest.php
namespace Tests\Unit;

use PHPUnit\Framework\TestCase;
//> import TestCase from PHPUnit\Framework TestCase

final class UserTest extends TestCase
//> class UserTest mods=final
{
    protected function setUp(): void {}
//> method UserTest\setUp vis=protected
    public function testName(): void {}
//> test UserTest\testName vis=public cc=1
    /**
     * Told by its comment.
     *
     * @test
     */
    public function it_is_told(): void {}
//> test UserTest\it_is_told doc="Told by its comment."
    #[Test]
    #[DataProvider('cases')]
    public function attributed(int $x): void {}
//> test UserTest\attributed deco=Test deco="DataProvider('cases')"
    public static function cases(): array { return []; }
//> method UserTest\cases
    private function testHelper() {}
//> method UserTest\testHelper
}
