function Get-Before { 1 }
#> function Get-Before

function Get-Lost {
#> function Get-Lost
    if ($x {
    }
}

function Get-After {
#> function Get-After cc=2
    if ($true) { 1 }
}
$x = = 3
#> static x
function Get-Last { 1 }
#> function Get-Last
$last = 1
#> static last
