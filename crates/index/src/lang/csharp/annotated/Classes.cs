using System;
//> import * from System *
using System.Collections.Generic;
//> import * from System.Collections.Generic *

namespace Demo.Classes
{
    /// <summary>
    /// A class with all kinds of members. The second sentence stays out.
    /// </summary>
    /// <typeparam name="T">What it holds.</typeparam>
    [Serializable, Obsolete("old", false)]
    [DebuggerDisplay("{name}")]
    public abstract partial class Box<T> : Base, IEnumerable<T> where T : class, new()
    //> class Box vis=public mods=abstract col=35 deco="Serializable" deco="Obsolete("old", false)" deco="DebuggerDisplay("{name}")" sig="public abstract partial class Box<T> : Base, IEnumerable<T> where T : class, new()" doc="A class with all kinds of members."
    {
        public const int Max = 10, Min = -10;
        //> constant Box.Max vis=public mods=const col=26 end=0 sig="public const int Max = 10, Min = -10"
        //> constant Box.Min vis=public mods=const col=36

        private static readonly object Lock = new object();
        //> constant Box.Lock vis=private mods=static,readonly

        static int count;
        //> field Box.count vis=private mods=static sig="static int count"

        /// How many there are.
        protected internal readonly string name;
        //> field Box.name vis=protected mods=readonly doc="How many there are."

        private protected volatile int state;
        //> field Box.state vis=protected mods=volatile

        internal int a, b = 2, c;
        //> field Box.a vis=internal
        //> field Box.b vis=internal
        //> field Box.c vis=internal

        // A plain comment is no documentation.
        int[] table = {
        //> field Box.table vis=private doc="" end=2
            1, 2, 3,
        };

        public event EventHandler Changed, Closed;
        //> field Box.Changed vis=public mods=- sig="public event EventHandler Changed, Closed"
        //> field Box.Closed vis=public

        public event EventHandler Moved
        //> field Box.Moved vis=public sig="public event EventHandler Moved" end=4
        {
            add { lock (Lock) { inner += value; } }
            //> method Box.Moved.add vis=public cc=1 mods=-
            remove { if (inner != null) inner -= value; }
            //> method Box.Moved.remove vis=public cc=2
        }

        /** <summary>Auto-implemented.</summary> */
        public string Title { get; private set; } = "none";
        //> field Box.Title vis=public mods=property sig="public string Title { get; private set; } = "none"" doc="Auto-implemented."

        public int Size
        //> field Box.Size vis=public mods=property sig="public int Size" end=7
        {
            get { return count > 0 ? count : 0; }
            //> method Box.Size.get vis=public cc=2 mods=getter sig="get"
            protected set
            //> method Box.Size.set vis=protected cc=1 mods=setter sig="protected set" end=3
            {
                count = value;
            }
        }

        public bool IsEmpty => count == 0 || name == null;
        //> field Box.IsEmpty vis=public mods=property sig="public bool IsEmpty"

        int Lazy { get => a; init => a = value; }
        //> field Box.Lazy vis=private mods=property sig="int Lazy"
        //> method Box.Lazy.get vis=private cc=1 mods=getter
        //> method Box.Lazy.init vis=private cc=1 mods=setter

        public abstract int Depth { get; }
        //> field Box.Depth vis=public mods=abstract,property sig="public abstract int Depth { get; }"

        public T this[int index]
        //> field Box.this vis=public mods=property sig="public T this[int index]"
        {
            get => items[index];
            //> method Box.this.get vis=public cc=1
            set
            //> method Box.this.set vis=public cc=2 mods=setter
            {
                if (index >= 0) items[index] = value;
            }
        }

        static Box() { count = 0; }
        //> constructor Box.Box vis=private mods=static cc=1 sig="static Box()"

        /// <summary>Makes one.</summary>
        /// <param name="name">Its name.</param>
        public Box(string name) : base(name ?? "none")
        //> constructor Box.Box#2 vis=public cc=1 mods=- sig="public Box(string name)" doc="Makes one." end=3
        {
            this.name = name;
        }

        protected Box() : this(null) => count++;
        //> constructor Box.Box#3 vis=protected cc=1 sig="protected Box()"

        ~Box() { if (count > 0) count--; }
        //> method Box.~Box vis=private cc=2 col=9 sig="~Box()"

        public abstract int Count();
        //> method Box.Count vis=public mods=abstract sig="public abstract int Count()"

        /// <inheritdoc/>
        [Pure]
        [return: NotNull]
        public override sealed string ToString() => name;
        //> method Box.ToString vis=public mods=override,sealed cc=1 deco="Pure" deco="return: NotNull" sig="public override sealed string ToString()" doc=""

        public virtual async Task<int> Run<U>(
        //> method Box.Run vis=public mods=async cc=1 end=6 sig="public virtual async Task<int> Run<U>(U input, params int[] rest) where U : struct"
            U input,
            params int[] rest)
            where U : struct
        {
            return await Go(input);
        }

        [DllImport("user32.dll")]
        static extern unsafe bool Beep(int* tone);
        //> method Box.Beep vis=private mods=static,unsafe,extern cc=1 deco="DllImport("user32.dll")"

        partial void OnChanged();
        //> method Box.OnChanged vis=private cc=1 sig="partial void OnChanged()"

        IEnumerator<T> IEnumerable<T>.GetEnumerator()
        //> method Box.GetEnumerator vis=public mods=generator cc=2 sig="IEnumerator<T> IEnumerable<T>.GetEnumerator()"
        {
            foreach (var item in items) yield return item;
        }

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() { return null; }
        //> method Box.GetEnumerator#2 vis=public mods=- cc=1

        public static Box<T> operator +(Box<T> left, Box<T> right) => left;
        //> method Box.operator+ vis=public mods=static cc=1 col=30 sig="public static Box<T> operator +(Box<T> left, Box<T> right)"
        public static bool operator true(Box<T> box) => box != null;
        //> method Box.operator·true vis=public mods=static cc=1
        public static bool operator false(Box<T> box) { return box == null; }
        //> method Box.operator·false
        public static explicit operator int(Box<T> box) => count;
        //> method Box.operator·int vis=public mods=static sig="public static explicit operator int(Box<T> box)"
        public static implicit operator string[](Box<T> box) => null;
        //> method Box.operator·string[]

        private class Node
        //> class Box.Node vis=private
        {
            internal Node next;
            //> field Box.Node.next vis=internal
            class Deeper { void Dig() { } }
            //> class Box.Node.Deeper vis=private
            //> method Box.Node.Deeper.Dig vis=private cc=1
        }

        enum Level { Low = 1, [Obsolete] High }
        //> enum Box.Level vis=private
        //> enum_member Box.Level.Low vis=public sig="Low = 1"
        //> enum_member Box.Level.High vis=public deco="Obsolete" sig="High"

        protected delegate void Handler(int code);
        //> type_alias Box.Handler vis=protected sig="protected delegate void Handler(int code)"

        void Locals(int n)
        //> method Box.Locals vis=private cc=1 end=13
        {
            const int limit = 3;
            var local = limit;
            int Twice(int x) => x > limit ? x * 2 : x;
            //> function Box.Locals.Twice vis=private cc=2 sig="int Twice(int x)"
            static async Task Later()
            //> function Box.Locals.Later vis=private mods=static,async cc=2
            {
                if (true) await Task.Delay(1);
            }
            Func<int, int> square = x => x * x;
            Action log = delegate { if (n > 0) Console.WriteLine(n); };
            //> function Box.Locals.<lambda2> cc=2
            Run(async (int a, int b) =>
            //> function Box.Locals.<lambda3> cc=2 mods=async sig="async (int a, int b)"
                a > 0 && b > 0);
        }

        Func<int, bool> positive = n => n > 0 && n < 100;
        //> field Box.positive vis=private
        //> function Box.positive.<lambda1> cc=2
    }

    partial class Box<T>
    //> class Box#2 vis=internal mods=-
    {
        partial void OnChanged() { }
        //> method Box#2.OnChanged vis=private
    }

    static class Helper { }
    //> class Helper vis=internal mods=static
}
