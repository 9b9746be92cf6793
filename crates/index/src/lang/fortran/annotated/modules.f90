! Points and lines.
module geometry
!> namespace geometry vis=public doc="Points and lines." sig="module geometry" end=43
  use iso_c_binding, only: c_int, dp => c_double
!> import c_int from iso_c_binding c_int
!> import dp from iso_c_binding c_double
  use, intrinsic :: iso_fortran_env
!> import * from iso_fortran_env *
  use vectors, only: operator(+), assignment(=)
!> import + from vectors +
!> import = from vectors =
  use renamed, here => there
!> import * from renamed *
!> import here from renamed there
  use quiet, only:
!> import - from quiet -
  implicit none
  private
  public :: area, shape_t, operator(.cross.)

  integer, parameter :: n = 10, m = 20 ! How many.
!> constant geometry.n vis=private doc="How many." sig="integer, parameter :: n = 10, m = 20" mods=-
!> constant geometry.m vis=private doc="How many."
  character(len=*), parameter, public :: title = "a &
!> constant geometry.title vis=public end=1
    &title"
  real(dp), save, protected :: total, sums(10) = 0.0
!> static geometry.total vis=private mods=readonly sig="real(dp), save, protected :: total, sums(10) = 0.0"
!> static geometry.sums vis=private mods=readonly
  integer, volatile :: counter
!> static geometry.counter mods=volatile
  parameter (old = 3)
!> constant geometry.old vis=private sig="old = 3"

  enum, bind(c)
    enumerator :: red = 1, green
!> enum_member geometry.red vis=private sig="red = 1"
!> enum_member geometry.green sig="green"
    enumerator blue
!> enum_member geometry.blue
  end enum

  interface operator(.cross.)
!> interface geometry..cross. vis=public sig="interface operator(.cross.)" end=2
    module procedure cross_product
  end interface

  interface
    module subroutine elsewhere(a)
!> function geometry.elsewhere vis=private mods=declare sig="module subroutine elsewhere(a)" end=2
      integer, intent(in) :: a
    end subroutine
  end interface

contains

  ! The area of a shape.
  function area(self) result(a)
!> function geometry.area vis=public cc=1 doc="The area of a shape." sig="function area(self) result(a)" end=4
    class(shape_t), intent(in) :: self
    real(dp) :: a
    a = 0
  end function area

  subroutine hidden()
!> function geometry.hidden vis=private
  end subroutine hidden
end module geometry

submodule (geometry:parent) child
!> namespace child vis=public sig="submodule (geometry:parent) child" end=9
!> import * from parent *
  integer :: own
!> static child.own vis=public
contains
  module subroutine elsewhere(a)
!> function child.elsewhere vis=public
    integer, intent(in) :: a
  end subroutine
  module procedure body
!> function child.body vis=public sig="module procedure body"
  end procedure
  subroutine helper() ; end subroutine
!> function child.helper vis=internal
end submodule

module open_to_all
!> namespace open_to_all
  private :: secret
  integer :: secret, Known
!> static open_to_all.secret vis=private
!> static open_to_all.Known vis=public
end module

program main
!> function main vis=public cc=2 sig="program main" end=8
  use geometry
!> import * from geometry *
  include 'limits.inc'
!> import * from limits.inc *
  integer :: i
  if (i > 1) stop
contains
  subroutine internal
!> function main.internal vis=private
  end subroutine
end program main

block data initial
!> namespace initial sig="block data initial"
  integer :: in_common
  common /block/ in_common
end block data
