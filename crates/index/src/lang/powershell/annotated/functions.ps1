#Requires -Version 5.1
using namespace System.Text
#> import * from System.Text *
using module .\Widgets.psm1
#> import * from .\Widgets.psm1 *
<#
.SYNOPSIS
  A script. #>
[CmdletBinding()]
param (
    [Parameter(Mandatory = $true)] [string] $Name,
    [int] $Count = 3
)

<#
.DESCRIPTION
More.

.SYNOPSIS
Gets a widget. Or two.

.PARAMETER Name
The name. #>
function Get-Widget {
#> function Get-Widget vis=public cc=1 mods=- col=10 sig="function Get-Widget" doc="Gets a widget." deco="CmdletBinding()" deco="OutputType([string])" end=8
    [CmdletBinding()]
    [OutputType([string])]
    param ([Parameter()] [string]$Name, $Other = 1)
    begin { $local = 1 }
    process {
        $Name
    }
}
function Set-Widget($Name, [int]$Size) {
#> function Set-Widget sig="function Set-Widget($Name, [int]$Size)" doc="Sets it."
    <#
    .SYNOPSIS
    Sets it. #>
    $Name
}
function Test-Lines {
#> function Test-Lines doc="In lines."
    # .SYNOPSIS
    # In lines.
    1
}
# Not help, but said.
filter Select-Even { if ($_ % 2 -eq 0) { $_ } }
#> function Select-Even cc=2 doc="Not help, but said." sig="filter Select-Even"
# no help, inside
function global:Get-Everywhere { }
#> function Get-Everywhere vis=public sig="function global:Get-Everywhere"
FUNCTION script:Get-Here() { }
#> function Get-Here vis=internal
function private:Get-Hidden { }
#> function Get-Hidden vis=private
workflow Invoke-Flow { }
#> function Invoke-Flow
configuration Server {
#> function Server
    Node "localhost" { }
}
function Outer {
#> function Outer
    function Inner { 1 }
#> function Outer.Inner vis=private
    $block = { param($x) if ($x) { 1 } }
#> function Outer.block vis=private cc=2
    $variable = 1
}
$action = { param($a) $a }
#> function action sig="$action" cc=1
Set-Alias -Name gw -Value Get-Widget
#> macro gw sig="Set-Alias -Name gw -Value Get-Widget"
New-Alias sw Set-Widget
#> macro sw
if ($true) {
    function Get-Conditional { }
#> function Get-Conditional vis=public
}
