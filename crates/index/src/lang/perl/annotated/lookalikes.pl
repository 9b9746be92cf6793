#!/usr/bin/env perl
# sub commented { 1 }
my $text = "sub quoted { 1 } package Fake;";
#> static $text
my $heredoc = <<"EOT" . <<'RAW';
#> static $heredoc
sub in_heredoc { 1 }

# not a comment
=head1 not pod
EOT
package InRaw;
RAW
my $long = q{
#> static $long
sub in_q { 1 }

};
my @list = qw(sub package use);
#> static @list
my $pattern = qr/sub \w+ { # here
#> static $pattern
  package/x;
$text =~ s{sub}{package};
$text =~ tr/a-z/A-Z/;
$object->sub;
$hash{sub} = $hash{package};
my %options = (sub => 1, package => 2, use => 3);
#> static %options
has => 1;
my $package = __PACKAGE__;
#> static $package

=pod

sub in_pod { 1 }

=cut

sub real { $_ = "}"; 1 }
#> function real
sub unicode_é { 1 }
#> function unicode_é
subtest 'not in a test file' => sub { 1 };
format STDOUT =
@<<<< @>>>>
$a, $b
.
sub announced;
sub after_format { 1 }
#> function after_format
__DATA__
sub in_data { 1 }
# no comment
