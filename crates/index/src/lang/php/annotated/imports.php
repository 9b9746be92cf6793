<?php
namespace App {

use Foo\Bar;
//> import Bar from Foo Bar
use Foo\Bar\Baz as Qux, Other;
//> import Qux from Foo\Bar Baz
//> import Other from - Other
use \Leading\Name;
//> import Name from Leading Name
use function Foo\helper as help;
//> import help from Foo helper
use const Foo\LIMIT;
//> import LIMIT from Foo LIMIT
use Group\Of\{A, B as C, Deep\D};
//> import A from Group\Of A
//> import C from Group\Of B
//> import D from Group\Of\Deep D
use Mixed\{
    function f,
//> import f from Mixed f
    const K,
//> import K from Mixed K
};

require 'plain.php';
//> import - from plain.php -
require_once __DIR__ . '/lib/a.php';
//> import - from ./lib/a.php -
include(dirname(__FILE__) . '/b.php');
//> import - from ./b.php -
include_once dirname(__DIR__) . "/c.php";
//> import - from ../c.php -
require ABSPATH . 'no.php';
require $path;
require "x{$y}.php";

class User
//> class User
{
    use Trait1;

    function load() {
//> method User\load
        require 'late.php';
//> import - from late.php -
        $f = function () use ($x) {};
//> function User\load\f
    }
}
}
