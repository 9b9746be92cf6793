//> file: src/lib.rs
pub fn double(n: u8) -> u8 { n * 2 }
//> function double vis=public cc=1

fn test_helper() -> u8 { 1 }
//> function test_helper vis=private cc=1

#[test]
fn top_level() { assert_eq!(double(1), 2); }
//> test top_level vis=private cc=1 deco="test" sig="fn top_level()"

/// Doubles.
#[cfg(test)]
mod tests {
//> module tests vis=private end=53 deco="cfg(test)" sig="mod tests" doc="Doubles."
    use super::*;
//> import * from super *

    /// Two are four.
    #[test]
    fn doubles() {
//> test tests::doubles vis=private cc=1 mods=- col=8 end=2 deco="test" sig="fn doubles()" doc="Two are four."
        assert_eq!(double(2), 4);
    }

    #[test]
    #[should_panic(expected = "overflow")]
    fn overflows() {
//> test tests::overflows cc=2 deco="test" deco="should_panic(expected = "overflow")"
        if double(100) > 1 {
            panic!("overflow");
        }
    }

    #[ignore = "slow"]
    #[test]
    fn slow() -> Result<(), String> { Ok(()) }
//> test tests::slow cc=1 deco="ignore = "slow"" deco="test" sig="fn slow() -> Result<(), String>"

    #[tokio::test(flavor = "multi_thread")]
    async fn later() {}
//> test tests::later cc=1 mods=async deco="tokio::test(flavor = "multi_thread")"

    #[rstest]
    #[case(1, 2)]
    #[case(2, 4)]
    fn cases(#[case] n: u8, #[case] out: u8) { assert_eq!(double(n), out); }
//> test tests::cases cc=1 deco="rstest" deco="case(1, 2)" deco="case(2, 4)"

    #[test_case(1 ; "one")]
    fn table(n: u8) { let _ = n; }
//> test tests::table cc=1

    #[bench]
    fn speed(b: &mut Bencher) { b.iter(|| double(3)); }
//> test tests::speed cc=1

    fn helper() -> u8 { 3 }
//> function tests::helper vis=private cc=1

    #[cfg(test)]
    fn only_in_tests() {}
//> function tests::only_in_tests cc=1 deco="cfg(test)"

    struct Fixture { dir: String }
//> struct tests::Fixture
//> field tests::Fixture::dir

    impl Fixture {
        fn new() -> Self { Fixture { dir: String::new() } }
//> constructor tests::Fixture::new cc=1
    }

    mod deeper {
//> module tests::deeper
        #[test]
        fn nested() {
//> test tests::deeper::nested cc=1
            fn inside() {}
//> function tests::deeper::nested::inside
            inside();
        }
    }
}
