subroutine plain
!> function plain vis=public cc=1 end=1 sig="subroutine plain"
end subroutine plain

recursive subroutine many(first, & ! the first
!> function many sig="recursive subroutine many(first, second, third)" end=4 cc=1
     second, &
     & third)
  integer, intent(in) :: first, second, third
end subroutine

pure elemental real(8) function double_it(x)
!> function double_it sig="pure elemental real(8) function double_it(x)" col=33
  real(8), intent(in) :: x
  double_it = 2 * x
end function double_it

double precision function old_style(x)
!> function old_style
  real x
end

integer function bound(x) result(y) bind(c, name="bound_c")
!> function bound mods=extern sig="integer function bound(x) result(y) bind(c, name="bound_c")"
  integer, value :: x
end function

subroutine outer(a)
!> function outer end=17
  interface
    subroutine described(x)
      real :: x
    end subroutine
  end interface
  interface described_too
    function generic(x)
      real :: x
    end function
  end interface
  integer, parameter :: local_constant = 3
  real :: a
contains
  function inner(x)
!> function outer.inner vis=private end=2
    real :: x
  end function
end subroutine

subroutine with_entry(a)
!> function with_entry end=5
  integer :: a
  return
  entry other_door(a)
!> function other_door vis=public sig="entry other_door(a)" cc=1
  a = 1
end subroutine

MODULE Shouting
!> namespace Shouting
CONTAINS
  SUBROUTINE Loud(X)
!> function Shouting.Loud sig="SUBROUTINE Loud(X)" vis=public
    REAL :: X
  END SUBROUTINE
END MODULE

!-------------------------------------------------------------
subroutine told_below(x)
!> function told_below doc="What is told below the statement."
  !-----------------------------------------------------------
  !! What is told below the statement.
  !! In more than one line.
  !
  real :: x
end subroutine

!$omp declare simd
subroutine after_directive()
!> function after_directive doc=""
end subroutine
