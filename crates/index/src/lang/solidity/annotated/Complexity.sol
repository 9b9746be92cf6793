contract Ways {
//> class Ways
    function all(uint256 a) public returns (uint256) {
//> method Ways.all cc=12
        if (a > 1) { a = 1; } else if (a > 2) { a = 2; } else { a = 3; }
        for (uint256 i = 0; i < 3; i++) {}
        while (a > 0) { a--; }
        do { a++; } while (a < 3);
        a = a > 1 ? 1 : 2;
        if (a == 1 && a == 2 || a == 3) {}
        try this.all(1) returns (uint256 b) { a = b; } catch Error(string memory) {} catch {}
        unchecked { a++; }
        return a;
    }
    function low(uint256 x) public pure {
//> method Ways.low cc=5
        assembly {
            if x { stop() }
            for { let i := 0 } lt(i, 3) { i := add(i, 1) } { }
            switch x
            case 0 { stop() }
            case 1 { stop() }
            default { }
            function helper(a) -> b { if a { b := 1 } }
//> function Ways.low.helper vis=private cc=2 sig="function helper(a) -> b"
        }
    }
    function none() public pure returns (string memory) {
//> method Ways.none cc=1
        return "if (a && b) { for }"; // if else
    }
}
