module types
!> namespace types
  implicit none

  ! A shape.
  type, abstract, public :: shape_t
!> struct types.shape_t vis=public mods=abstract doc="A shape." sig="type, abstract, public :: shape_t" end=15
    private
    integer :: id = 0 !< The identity.
!> field types.shape_t.id vis=private doc="The identity." sig="integer :: id = 0"
    real, pointer, public :: values(:) => null(), more
!> field types.shape_t.values vis=public sig="real, pointer, public :: values(:) => null(), more"
!> field types.shape_t.more vis=public
    procedure(scale_i), pointer, nopass :: scale
!> field types.shape_t.scale vis=private
    type(shape_t), allocatable :: next
!> field types.shape_t.next
  contains
    private
    procedure, public :: area => shape_area ! How large.
!> method types.shape_t.area vis=public doc="How large." sig="procedure, public :: area => shape_area" mods=-
    procedure(area_i), deferred, pass(self) :: perimeter
!> method types.shape_t.perimeter vis=private mods=abstract
    procedure, non_overridable, nopass :: make
!> method types.shape_t.make mods=static,final
    generic, public :: write(formatted) => write_one, write_two
!> method types.shape_t.write(formatted) vis=public
    generic :: operator(+) => add
!> method types.shape_t.+ vis=private sig="generic :: operator(+) => add"
    procedure :: first, second
!> method types.shape_t.first
!> method types.shape_t.second
    final :: destroy
!> method types.shape_t.destroy
  end type shape_t

  type, extends(shape_t) :: circle_t
!> struct types.circle_t vis=public mods=- sig="type, extends(shape_t) :: circle_t"
    real :: radius
!> field types.circle_t.radius vis=public
  contains
    procedure :: area => circle_area
!> method types.circle_t.area vis=public
  end type

  type, private :: matrix(k, n)
!> struct types.matrix vis=private sig="type, private :: matrix(k, n)"
    integer, kind :: k
!> field types.matrix.k
    integer, len :: n
!> field types.matrix.n
    real(k), dimension(n, n) :: a
!> field types.matrix.a
  end type matrix

  type, bind(c) :: plain_c
!> struct types.plain_c mods=extern
    integer :: data, value
!> field types.plain_c.data
!> field types.plain_c.value
  end type

  abstract interface
    function area_i(self) result(a)
!> function types.area_i mods=abstract,declare vis=public sig="function area_i(self) result(a)"
      import :: shape_t
      class(shape_t), intent(in) :: self
      real :: a
    end function
  end interface

  interface solve
!> interface types.solve vis=public sig="interface solve" end=5
    module procedure solve_real, solve_integer
    subroutine outside(x)
!> function types.solve.outside mods=declare
      real :: x
    end subroutine
  end interface solve

  type(shape_t), pointer :: current => null()
!> static types.current
end module types
