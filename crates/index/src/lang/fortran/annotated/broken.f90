module before
!> namespace before
  integer :: fine
!> static before.fine
contains
  subroutine good()
!> function before.good
  end subroutine
end module

subroutine bad(
!> function bad
  x = = 1
end subroutine

subroutine after(x)
!> function after
  real :: x
end subroutine after

module last
!> namespace last
  type :: thing
!> struct last.thing
    real :: x
!> field last.thing.x
  end type
end module
