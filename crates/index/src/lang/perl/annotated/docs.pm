package Docs;

# First line
# goes on. Second.
sub documented { 1 } # trailing
#> function documented doc="First line goes on."
sub undocumented { 1 }
#> function undocumented doc=""
# Far above.

sub apart { 1 }
#> function apart doc=""

=over 4

=item one

About one.

=item two(ARGS)

About two.
Goes on.

=back

=cut

sub two { 1 }
#> function two doc="About two."
###
# Framed.
###
sub framed { 1 }
#> function framed doc="Framed."
1;
