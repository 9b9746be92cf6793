# How many.
$limit = 10
#> static limit doc="How many." vis=public sig="$limit = 10"
$Limit = 11
$script:State = @{ Key = 1 }
#> static State vis=internal
$Global:Everywhere = 1
#> static Everywhere vis=public
[int]$typed = 3
#> static typed sig="[int]$typed = 3" col=6
$first, $second = 1, 2
#> static first
#> static second
${with braces} = 1
#> static with·braces
$ErrorActionPreference = 'Stop'
$env:PATH = 'x'
$object.Property = 1
$list[0] = 1
$counter += 1
$null = 1
Set-Variable -Name Fixed -Value 1 -Option Constant
#> constant Fixed
New-Variable -Name plain -Value 1
$text = @"
#> static text end=3

$limit
"@
foreach ($item in 1..3) { $inLoop = $item }
#> static inLoop
1..3 | ForEach-Object { $notHere = $_ }
$größe = 1
#> static größe
