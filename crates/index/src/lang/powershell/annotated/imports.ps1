Import-Module ActiveDirectory
#> import * from ActiveDirectory *
Import-Module -Name "$PSScriptRoot\x.psm1" -Force
#> import * from $PSScriptRoot\x.psm1 *
ipmo -Force Other
#> import * from Other *
. "$PSScriptRoot\helper.ps1"
#> import * from $PSScriptRoot\helper.ps1 *
. .\other.ps1
#> import * from .\other.ps1 *
& .\not-an-import.ps1
. { 1 }
function Use-It {
#> function Use-It
    import-module inner
#> import * from inner *
}
