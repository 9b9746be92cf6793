module ShapeTests

open NUnit.Framework
//> import * from NUnit.Framework *

[<Test>]
let ``adds up`` () = Assert.AreEqual(2, 1 + 1)
//> test adds·up deco="Test"
[<Fact>]
let isFact () = ()
//> test isFact
[<Theory; InlineData(1)>]
let theory (x: int) = ()
//> test theory deco="Theory" deco="InlineData(1)"
let helper () = ()
//> function helper
[<TestFixture>]
type Tests() =
//> class Tests
    [<TestCase(1)>]
    member _.Runs (x: int) = ()
//> test Tests.Runs
    [<SetUp>]
    member _.Prepare () = ()
//> method Tests.Prepare
