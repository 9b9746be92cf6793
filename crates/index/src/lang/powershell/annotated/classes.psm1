# A module.

enum Color {
#> enum Color end=4
    Red = 1
#> enum_member Color.Red sig="Red = 1"
    # Grass.
    Green
#> enum_member Color.Green doc="Grass."
}
[Flags()] enum Sides { Left = 1; Right = 2 }
#> enum Sides deco="Flags()" sig="enum Sides"
#> enum_member Sides.Left
#> enum_member Sides.Right
# A resource.
[DscResource()]
class Widget : Base, IDisposable {
#> class Widget doc="A resource." deco="DscResource()" sig="class Widget : Base, IDisposable" end=15
    # Its name.
    [string]$Name
#> field Widget.Name doc="Its name." sig="[string]$Name" vis=public
    [ValidateRange(0, 10)] [int] $Size = 3
#> field Widget.Size deco="ValidateRange(0, 10)" sig="[int] $Size = 3"
    hidden [string] $Secret
#> field Widget.Secret vis=private
    static [int] $Count = 0
#> field Widget.Count mods=static
    $Untyped
#> field Widget.Untyped
    Widget([string]$name) : base($name) {
#> constructor Widget.Widget sig="Widget([string]$name) : base($name)" end=2
        $this.Name = $name
    }
    Widget() { }
#> constructor Widget.Widget#2
    [string] ToString() { return $this.Name }
#> method Widget.ToString sig="[string] ToString()"
    static [Widget] Create([string]$name) { if ($name) { return 1 } }
#> method Widget.Create mods=static cc=2
    hidden [void] Hide() { $local = 1 }
#> method Widget.Hide vis=private
    Simple() { }
#> method Widget.Simple
}
function Get-One { }
#> function Get-One vis=public
function Get-Two { }
#> function Get-Two vis=public
function Hide-Me { }
#> function Hide-Me vis=private
Export-ModuleMember -Function Get-O*, Get-Two -Alias no
