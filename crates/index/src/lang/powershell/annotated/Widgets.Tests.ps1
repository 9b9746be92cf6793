BeforeAll { . $PSScriptRoot/Widgets.ps1 }
#> import * from $PSScriptRoot/Widgets.ps1 *

Describe 'Get-Widget' {
#> namespace Get-Widget end=9
    Context "when it exists" -Tag slow {
#> namespace Get-Widget.when·it·exists
        # Finds it.
        It 'returns one' {
#> test Get-Widget.when·it·exists.returns·one doc="Finds it." cc=2 end=2
            if ($x) { Get-Widget | Should -Be 1 }
        }
        It -Name 'has cases' -TestCases @(@{ a = 1 }) -Test { $a | Should -Be 1 }
#> test Get-Widget.when·it·exists.has·cases
    }
    it 'is case-insensitive' { 1 }
#> test Get-Widget.is·case-insensitive
}
function Get-Helper { }
#> function Get-Helper
