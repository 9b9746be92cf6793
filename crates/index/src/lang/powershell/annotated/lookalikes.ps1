# function No { }
<# function No { } #>
"function No { }"
'class No { }'
@'
function No { }
'@
$functionName = 'x'
#> static functionName
Write-Host function No
Get-Item class
$hash = @{ function = 1; class = 2 }
#> static hash
function Get-Class { 'enum' }
#> function Get-Class
Describe "not a test file" { $no = 1 }
1..3 | Where-Object { $_ -gt 1 }
