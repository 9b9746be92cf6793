namespace Demo.Records;

/// <summary>A point. Immutable.</summary>
public record Point(int X, [property: JsonName("y")] int Y = 0);
//> class Point vis=public mods=record sig="public record Point(int X, [property: JsonName("y")] int Y = 0)" doc="A point."
//> field Point.X vis=public mods=property sig="int X" col=25
//> field Point.Y vis=public mods=property sig="int Y = 0" deco="property: JsonName("y")"

public sealed record class Named<T>(T Value, string Name) : Base<T>(Value), IThing
//> class Named vis=public mods=record,sealed sig="public sealed record class Named<T>(T Value, string Name) : Base<T>(Value), IThing"
//> field Named.Value
//> field Named.Name
{
    public int Length => Name.Length;
    //> field Named.Length vis=public mods=property
    public Named(string name) : this(default, name) { }
    //> constructor Named.Named vis=public cc=1 sig="public Named(string name)"
}

readonly record struct Pair(int Left, int Right);
//> struct Pair vis=internal mods=readonly,record
//> field Pair.Left
//> field Pair.Right

public readonly ref struct Span
//> struct Span vis=public mods=readonly sig="public readonly ref struct Span"
{
    public readonly int Length;
    //> field Span.Length vis=public mods=readonly
    public Span(int length) => Length = length;
    //> constructor Span.Span cc=1
    unsafe fixed char buffer[128];
    //> field Span.buffer vis=private mods=unsafe
}

class Service(ILogger logger, int port = 80) : Base(logger)
//> class Service sig="class Service(ILogger logger, int port = 80) : Base(logger)"
{
    public void Log(string text) => logger.Log(text);
    //> method Service.Log vis=public cc=1
}

/// Anything that can be drawn.
public interface IShape<in T, out U> : IDisposable
//> interface IShape vis=public sig="public interface IShape<in T, out U> : IDisposable" doc="Anything that can be drawn."
{
    int Sides { get; set; }
    //> field IShape.Sides vis=public mods=property sig="int Sides { get; set; }"
    void Draw(T on);
    //> method IShape.Draw vis=public cc=1
    bool Visible() { return Sides > 0 && true; }
    //> method IShape.Visible vis=public cc=2
    static abstract IShape<T, U> Create();
    //> method IShape.Create vis=public mods=static,abstract
    private void Hidden() { }
    //> method IShape.Hidden vis=private
    event System.Action Drawn;
    //> field IShape.Drawn vis=public
    int this[string key] { get; }
    //> field IShape.this vis=public mods=property sig="int this[string key] { get; }"
    static abstract T operator +(T a, T b);
    //> method IShape.operator+ vis=public
    class Nested { }
    //> class IShape.Nested vis=public
}

[System.Flags]
public enum Way : byte
//> enum Way vis=public deco="System.Flags" sig="public enum Way : byte" end=5
{
    None,
    //> enum_member Way.None vis=public
    /// <summary>Inwards.</summary>
    In = 1 << 0,
    //> enum_member Way.In sig="In = 1 << 0" doc="Inwards."
    Out = 2 }
    //> enum_member Way.Out

public delegate TResult Convert<T, out TResult>(T input) where T : class;
//> type_alias Convert vis=public sig="public delegate TResult Convert<T, out TResult>(T input) where T : class"

file class Hidden { }
//> class Hidden vis=private

public class Holder
//> class Holder
{
    public required string Name { get; init; }
    //> field Holder.Name mods=property sig="public required string Name { get; init; }"
    public static Holder operator checked ++(Holder one) => one;
    //> method Holder.operator·checked++ vis=public mods=static
    public ref readonly int First(in int[] all, out int rest) { rest = 0; return ref all[0]; }
    //> method Holder.First sig="public ref readonly int First(in int[] all, out int rest)"
    public (int Sum, string Text) Both() => (1, "");
    //> method Holder.Both sig="public (int Sum, string Text) Both()"
    public delegate*<int, void> Pointer;
    //> field Holder.Pointer
    public int @class, été;
    //> field Holder.@class
    //> field Holder.été
}
