# The manifest.
@{
    ModuleVersion = '1.0'
#> key ModuleVersion sig="ModuleVersion = '1.0'"
    # What it exports.
    FunctionsToExport = @('Get-Widget')
#> key FunctionsToExport doc="What it exports."
    PrivateData = @{
#> key PrivateData end=4
        PSData = @{
            Tags = @()
        }
    }
    'Quoted Key' = 1
#> key Quoted·Key
}
