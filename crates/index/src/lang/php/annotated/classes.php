<?php
/**
 * Shapes and what they are made of.
 *
 * @package App
 */

declare(strict_types=1);

namespace App\Models;

/**
 * A shape.
 *
 * @template T
 */
abstract class Shape extends Base implements \Countable, Named
//> class Shape vis=public mods=abstract sig="abstract class Shape extends Base implements \Countable, Named" doc="A shape." end=47
{
    use Loggable, Cached {
        Cached::clear insteadof Loggable;
        clear as protected clearAll;
//> method Shape\clearAll vis=protected sig="clear as protected clearAll"
        Loggable::log as private;
    }

    /** How many sides. */
    public const SIDES = 4, CORNERS = 4;
//> constant Shape\SIDES vis=public sig="public const SIDES = 4, CORNERS = 4" doc="How many sides."
//> constant Shape\CORNERS
    final protected const string UNIT = 'cm';
//> constant Shape\UNIT vis=protected mods=final
    const CLASS_NAME = self::class;
//> constant Shape\CLASS_NAME vis=public

    /** @var string The name. */
    public string $name = "none";
//> field Shape\name vis=public sig="public string $name = "none"" mods=- col=19
    protected static ?int $count = null, $total;
//> field Shape\count vis=protected mods=static
//> field Shape\total
    private readonly array|Foo $parts;
//> field Shape\parts vis=private mods=readonly
    var $old;
//> field Shape\old vis=public
    public private(set) int $size = 1;
//> field Shape\size vis=public

    /**
     * Makes one.
     */
    public function __construct(
//> constructor Shape\__construct vis=public cc=2 sig="public function __construct(protected readonly string $title, #[Sensitive] private ?int $depth = null, int $plain = 1)" doc="Makes one."
        protected readonly string $title,
//> field Shape\title vis=protected mods=readonly sig="protected readonly string $title"
        #[Sensitive] private ?int $depth = null,
//> field Shape\depth vis=private deco=Sensitive sig="private ?int $depth = null"
        int $plain = 1
    ) {
        if ($plain) {
            $this->made = true;
        }
    }

    abstract protected function area(float $scale = 1.0): float;
//> method Shape\area vis=protected mods=abstract sig="abstract protected function area(float $scale = 1.0): float" end=0
    final public static function &make(string ...$names): static { return new static(); }
//> method Shape\make mods=static,final sig="final public static function &make(string ...$names): static"
    function bare() {}
//> method Shape\bare vis=public
    PRIVATE FUNCTION Loud() {}
//> method Shape\Loud vis=private

    // no doc
    public function list(): array { return []; }
//> method Shape\list doc=""

    public string $full {
//> field Shape\full sig="public string $full" end=5
        get => $this->first ?: 'x';
//> method Shape\full\get mods=getter cc=2 sig="get"
        set(string $value) {
//> method Shape\full\set mods=setter cc=2 sig="set(string $value)" end=2
            if ($value) { $this->first = $value; }
        }
    }
}

final readonly class Point {}
//> class Point mods=final,readonly
interface Named extends A, B
//> interface Named sig="interface Named extends A, B"
{
    const X = 1;
//> constant Named\X
    public function name(): string;
//> method Named\name vis=public
}
trait Loggable
//> trait Loggable
{
    private $log = [];
//> field Loggable\log vis=private
    abstract function where();
//> method Loggable\where mods=abstract
    public static function log() {}
//> method Loggable\log#2 mods=static
}
/** The suits. */
enum Suit: string implements HasColor
//> enum Suit sig="enum Suit: string implements HasColor" doc="The suits."
{
    /** Red. */
    case Hearts = 'H';
//> enum_member Suit\Hearts sig="case Hearts = 'H'" doc="Red."
    #[Old] case Spades = 'S';
//> enum_member Suit\Spades deco=Old sig="case Spades = 'S'"
    const Wild = self::Spades;
//> constant Suit\Wild
    public function color(): string { return match ($this) { self::Hearts => 'red', default => 'black' }; }
//> method Suit\color cc=2
}
