//> file: Demo.Tests/SampleTests.cs
using NUnit.Framework;
//> import * from NUnit.Framework *
using Xunit;
//> import * from Xunit *

namespace Demo.Tests;

[TestFixture]
public class SampleTests
//> class SampleTests deco="TestFixture"
{
    [SetUp]
    public void SetUp() { }
    //> method SampleTests.SetUp deco="SetUp"

    [Test]
    public void Adds() { Assert.That(1 + 1, Is.EqualTo(2)); }
    //> test SampleTests.Adds vis=public cc=1 deco="Test" sig="public void Adds()"

    [TestCase(1, 2)]
    [TestCase(3, 4)]
    public void Cases(int a, int b) { if (a > b) Fail(); }
    //> test SampleTests.Cases cc=2 deco="TestCase(1, 2)" deco="TestCase(3, 4)"

    [NUnit.Framework.TestCaseSource(nameof(Data)), Category("slow")]
    public void Sourced(int a) { }
    //> test SampleTests.Sourced

    [Fact(Skip = "later")]
    public async Task Facts() => await Task.CompletedTask;
    //> test SampleTests.Facts mods=async

    [Theory, InlineData(1)]
    public void Theories(int a) { }
    //> test SampleTests.Theories

    [TestMethod]
    public void MsTest() { }
    //> test SampleTests.MsTest

    [FactAttribute] void Suffixed() { }
    //> test SampleTests.Suffixed vis=private

    void TestHelper() { }
    //> method SampleTests.TestHelper

    static object[] Data = { 1, 2 };
    //> field SampleTests.Data
}
