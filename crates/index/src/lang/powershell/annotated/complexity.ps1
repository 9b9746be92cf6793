function Get-Ways {
#> function Get-Ways cc=19
    param ($a, $b)
    if ($a -and $b -OR $c) { 1 } elseif ($d) { 2 } else { 3 }
    foreach ($i in 1..3) { }
    for ($i = 0; $i -lt 3; $i++) { }
    while ($true) { break }
    do { 1 } while ($false)
    do { 1 } until ($true)
    switch ($a) {
        'a' { 1 }
        'b' { 2 }
        default { 3 }
    }
    try { 1 } catch [System.Exception] { 2 } catch { 3 } finally { 4 }
    trap { 1 }
    $y = $a ? 1 : 2
    $z = $y ?? 3
    $z ??= 4
    first && second || third
    1..3 | ForEach-Object { if ($_) { 1 } } | ? { $_ -gt 1 }
    $x -cin $y
}
function Get-Type {
#> function Get-Type cc=2
    $list = [System.Collections.Generic.List`1[String]]@()
    if ([Environment+SpecialFolder]::Desktop) { $list }
}
