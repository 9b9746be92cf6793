package Geometry::Shape;

use strict;
use warnings;
use 5.010;
use Carp;
#> import Carp from Carp -
use List::Util qw(first sum);
#> import first from List::Util first
#> import sum from List::Util sum
use Scalar::Util 'blessed', "reftype";
#> import blessed from Scalar::Util blessed
#> import reftype from Scalar::Util reftype
use POSIX ();
#> import POSIX from POSIX -
use Fcntl qw(:flock SEEK_SET);
#> import * from Fcntl *
#> import SEEK_SET from Fcntl SEEK_SET
use Exporter 5.57 'import';
#> import import from Exporter import
use parent qw(Base::One Base::Two);
#> import Base::One from Base::One -
#> import Base::Two from Base::Two -
use parent -norequire, 'Other';
use Some::Module -strict => 1, level => 2;
#> import Some::Module from Some::Module -
no warnings 'once';
require Data::Dumper;
#> import Data::Dumper from Data::Dumper -
require "legacy.pl";
#> import - from legacy.pl -
require $computed;

our $VERSION = '1.02';
#> constant $VERSION vis=public sig="our $VERSION = '1.02'" end=0 col=5
our @EXPORT_OK = qw(
#> constant @EXPORT_OK end=3
    area

);
our ($debug, %cache) = (0);
#> static $debug vis=public sig="our ($debug, %cache) = (0)"
#> static %cache
# How many.
my $count = 0;
#> static $count vis=private doc="How many."
my $count = 1;
my $_hidden;
#> static $_hidden vis=private sig="my $_hidden"
use constant PI => 3.14159;
#> constant PI vis=public sig="use constant PI => 3.14159"
use constant {
    # The first.
    RED   => 1,
#> constant RED sig="RED => 1" doc="The first." col=5
    GREEN => [2, 3],
#> constant GREEN
    'BLUE' => 4, _DARK => 5,
#> constant BLUE sig="'BLUE' => 4"
#> constant _DARK vis=private
};
use constant DAYS => qw(Mon Tue);
#> constant DAYS
use constant DEBUG => 0; # off
#> constant DEBUG
Readonly my $LIMIT => 10;
#> constant $LIMIT

# Makes one.
sub new {
#> constructor new vis=public cc=2 sig="sub new" doc="Makes one." end=5 mods=-
    my ($class, %args) = @_;
    my $self = bless {%args}, $class;
    $self->init if $self->can('init');
    return $self;
}

=head2 area

The area, in squares.

More about it.

=cut

sub area {
#> method area cc=1 doc="The area, in squares." end=3
    my $self = shift;
    return $self->{width} * $self->{height};
}

=item other($x)

Not about the sub below.

=cut

sub _private { my ($self) = @_; 1 }
#> method _private vis=private doc=""
sub name { return shift->{name} }
#> method name
sub build { my $class = shift; $class->new }
#> method build mods=classmethod
sub helper($$;@) { 1 }
#> function helper sig="sub helper($$;@)"
sub modern ($self, $x = 1, @rest) { $x }
#> method modern sig="sub modern ($self, $x = 1, @rest)"
sub plain ($x) { $x }
#> function plain
sub Other::Package::method { 1 }
#> function Other::Package::method sig="sub Other::Package::method"
sub Geometry::Shape::Part::size { 1 }
#> function Part::size

my $callback = sub { my $x = shift; return $x ? 1 : 2; };
#> function $callback vis=private cc=2 sig="my $callback = sub"
our $hook = sub ($x) { 1 };
#> function $hook vis=public
*alias = \&area;
#> function alias sig="*alias = \&area"
*generated = sub { 1 };
#> function generated sig="*generated = sub"
*{"computed_$name"} = sub { 1 };
*Other::Package::made = sub { 1 };
#> function Other::Package::made
$self->{cb} = sub { 1 };
my %dispatch = (a => sub { 1 }, b => sub { 2 && 3 });
#> static %dispatch vis=private

sub outer {
#> function outer cc=1
    my $inner = sub { 1 if 2 };
#> function outer::$inner cc=2
    our $late = 1;
    my sub lexical { 1 }
#> function outer::lexical vis=private
    sub named_inside { 1 }
#> function named_inside
    require Late;
#> import Late from Late -
}

BEGIN {
    my $temporary = 1;
    sub in_begin { 1 }
#> function in_begin
}

package Geometry::Shape::Inner;
#> namespace Inner sig="package Geometry::Shape::Inner"
sub deep { 1 }
#> function Inner::deep
our $level = 1;
#> static Inner::$level

{
    package Geometry::Shape::Block;
#> namespace Block
    our $inside = 2;
#> static Block::$inside
    sub in_block { my $self = shift; }
#> method Block::in_block
}
sub back_in_inner { 1 }
#> function Inner::back_in_inner
package Geometry::Shape;
sub back { 1 }
#> function back

1;
__END__

=head1 NAME

Geometry::Shape - shapes

=head2 area

=cut

sub not_code { 1 }
