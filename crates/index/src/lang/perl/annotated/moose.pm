package Person;
use Moose;
#> import Moose from Moose -
with 'Role::One';
extends 'Base';

# Who it is.
has name => (is => 'ro', isa => 'Str', required => 1);
#> field name vis=public mods=readonly,property sig="has name => (is => 'ro', isa => 'Str', required => 1)" doc="Who it is."
has 'age' => (
#> field age mods=property end=3
    is  => 'rw',
    isa => 'Int',
);
has [qw(first last)] => (is => 'rw');
#> field first
#> field last
has ['street', 'town'], is => 'ro';
#> field street mods=readonly,property
#> field town
has '+inherited' => (default => 1);
#> field inherited mods=override,property
has _cache => (is => 'lazy', default => sub { {} });
#> field _cache vis=private mods=readonly,property
has('called', is => 'rw');
#> field called
has ua => sub { Mojo::UserAgent->new };
#> field ua

around name => sub {
    my ($orig, $self) = @_;
    return $self->$orig if 1;
};
sub BUILD { my $self = shift; }
#> method BUILD
sub run {
#> method run
    my $self = shift;
    has not_a_field => 1;
}
__PACKAGE__->meta->make_immutable;
1;
