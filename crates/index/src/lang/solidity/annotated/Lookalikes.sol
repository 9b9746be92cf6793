// contract No {}
/* function no() {} */
contract Real {
//> class Real
    string s = "contract No { function no() public {} }";
//> field Real.s
    bytes b = hex"00";
//> field Real.b
    function f() public {
//> method Real.f cc=1
        uint256 local = 1;
        string memory contractName = "x";
        emit Event(local);
        revert Error(1);
        function(uint256) external returns (uint256) g;
    }
    uint256 contractCount;
//> field Real.contractCount
    /* not a doc */
    function structure() external {} /// of this line
//> method Real.structure doc=""
    /// @param only tags
    function tagged() external {}
//> method Real.tagged doc="@param only tags"
}
