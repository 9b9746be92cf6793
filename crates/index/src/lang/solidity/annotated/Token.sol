// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Base.sol";
//> import * from ./Base.sol *
import "./Other.sol" as Other;
//> import Other from ./Other.sol -
import * as All from './All.sol';
//> import All from ./All.sol -
import {
    IERC20,
//> import IERC20 from ./IERC20.sol IERC20
    Math as M
//> import M from ./IERC20.sol Math
} from "./IERC20.sol";

/// @notice What things cost.
type Price is uint256;
//> type_alias Price doc="What things cost." sig="type Price is uint256" vis=public
using {add as +} for Price global;
uint256 constant FREE = 1;
//> constant FREE vis=public sig="uint256 constant FREE = 1"

function add(Price a, Price b) pure returns (Price) {
//> function add vis=public cc=1 sig="function add(Price a, Price b) pure returns (Price)" end=2
    return Price.wrap(Price.unwrap(a) + Price.unwrap(b));
}

struct Point { uint x; uint y; }
//> struct Point
//> field Point.x sig="uint x"
//> field Point.y
enum Color {
//> enum Color end=4
    Red,
//> enum_member Color.Red vis=public
    /// Grass.
    Green
//> enum_member Color.Green doc="Grass."
}
error Failed(uint256 code);
//> struct Failed sig="error Failed(uint256 code)"
event Happened(address indexed who);
//> struct Happened sig="event Happened(address indexed who)"

/**
 * @title A token
 * @author Somebody
 * @notice Can be sent.
 */
abstract contract Token is Base(1), IERC20 {
//> class Token doc="A token" mods=abstract sig="abstract contract Token is Base(1), IERC20"
    using SafeMath for uint256;

    uint256 public constant MAX = 10;
//> constant Token.MAX vis=public sig="uint256 public constant MAX = 10"
    uint256 private immutable total;
//> field Token.total vis=private mods=final
    // Not documentation.
    mapping(address => mapping(address => uint256)) internal allowed;
//> field Token.allowed vis=internal doc=""
    address owner = msg.sender;
//> field Token.owner vis=internal sig="address owner = msg.sender"
    uint256 public override supply;
//> field Token.supply mods=override vis=public
    struct Account {
//> struct Token.Account
        /// Wei.
        uint256 balance;
//> field Token.Account.balance doc="Wei." end=0
    }
    enum State { On, Off }
//> enum Token.State
//> enum_member Token.State.On
//> enum_member Token.State.Off
    /// Emitted.
    event Sent(address indexed from, uint256 value);
//> struct Token.Sent doc="Emitted."
    error Bad();
//> struct Token.Bad
    /// @dev Checks.
    modifier onlyOwner(uint256 x) virtual {
//> macro Token.onlyOwner doc="Checks." vis=internal cc=2 sig="modifier onlyOwner(uint256 x) virtual" end=3
        require(msg.sender == owner && x > 1, "no");
        _;
    }
    modifier bare() virtual;
//> macro Token.bare mods=abstract
    constructor(uint256 a) Base(a) payable {
//> constructor Token.constructor vis=public deco="Base(a)" sig="constructor(uint256 a) Base(a) payable" end=2 col=5
        total = a;
    }
    receive() external payable {}
//> method Token.receive vis=public sig="receive() external payable"
    fallback(bytes calldata) external payable returns (bytes memory) {}
//> method Token.fallback
    /// @notice Sends.
    /// @param to Whom.
    function transfer(address to, uint256 v)
//> method Token.transfer doc="Sends." vis=public mods=override deco="onlyOwner(1)" deco="whenOn" sig="function transfer(address to, uint256 v) public virtual override(IERC20, Base) onlyOwner(1) whenOn returns (bool)" end=9 cc=1
        public
        virtual
        override(IERC20, Base)
        onlyOwner(1)
        whenOn
        returns (bool)
    {
        return true;
    }
    /// @inheritdoc IERC20
    function hidden() private view {}
//> method Token.hidden vis=private doc=""
    function derived() internal pure {}
//> method Token.derived vis=internal
    function declared(uint256) external virtual;
//> method Token.declared vis=public mods=abstract
    function declared(address) external virtual {}
//> method Token.declared#2 mods=-
    function testNothing() public {}
//> method Token.testNothing
}

interface IThing is IBase {
//> interface IThing sig="interface IThing is IBase"
    function size() external view returns (uint256);
//> method IThing.size vis=public mods=- sig="function size() external view returns (uint256)"
}

/** A library. */
library Lib {
//> class Lib doc="A library." mods=-
    function twice(uint256 a) internal pure returns (uint256) { return a * 2; }
//> method Lib.twice vis=internal
}

contract Old {
//> class Old
    function Old() public {}
//> constructor Old.Old
    function () external payable {}
//> method Old.fallback
}
