contract Before {
//> class Before
    function ok() public {}
//> method Before.ok
}

contract Lost {
//> class Lost
    function broken( public {
//> method Lost.broken
        uint256 = ;
    }

    function after_error() public {}
//> method Lost.after_error
}

contract After {
//> class After
    uint256 x;
//> field After.x
    function fine() public { if (x > 1) {} }
//> method After.fine cc=2
}
