<?php
// class NotAClass {}
# function no() {}
/* class Nor { function neither() {} } */
$text = "class Foo { function bar() {} }";
//> static text
$heredoc = <<<EOT
//> static heredoc
class Fake {

    function fake() {}
    // not a comment
}
EOT;
$nowdoc = <<<'PHP'
//> static nowdoc
namespace Nope;
use Nope\Nope;

PHP;
$class = Foo::class;
//> static class
?>
<html>
function inHtml() {}
<?php if ($x): ?>
  <p>class InHtml {}</p>

  <?= htmlspecialchars("function echo() {}") ?>
<?php endif; ?>
<script>
function script() { return 1; } // class Js {}
</script>
<?php
class Keywords
//> class Keywords
{
    public function function() {}
//> method Keywords\function
    public function class() {}
//> method Keywords\class
    public function use() { return $this->class; }
//> method Keywords\use
    const NEW = 1;
//> constant Keywords\NEW
    public $namespace;
//> field Keywords\namespace
}
$object->define('NO', 1);
Foo::define('NOR', 1);
test('not in a test file', function () {});
/** Über. */
function größe() {}
//> function größe doc="Über."
__halt_compiler();
function gone() {}
