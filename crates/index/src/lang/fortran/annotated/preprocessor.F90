#define LIMIT 10
!> macro LIMIT vis=public sig="#define LIMIT 10"
#define SQUARE(x) ((x) * (x))
!> macro SQUARE sig="#define SQUARE(x) ((x) * (x))"
#include "config.h"
!> import * from config.h *

module conditional
!> namespace conditional
#ifdef WITH_MPI
  use mpi
!> import * from mpi *
  integer :: communicator
!> static conditional.communicator
#endif
contains
#if defined(DOUBLE)
  subroutine solve(a)
!> function conditional.solve cc=2
    double precision :: a
#else
  subroutine solve(b)
    real :: b
#endif
    if (.true.) return
  end subroutine
#ifdef EXTRA
  subroutine extra()
!> function conditional.extra
  end subroutine
#endif
  subroutine cut(a)
!> function conditional.cut cc=2
    call other(a, &
#ifdef LONG
      a, &
#endif
      a)
#ifdef PARALLEL
    if (a > 1) then
#endif
      a = 1
#ifdef PARALLEL
    end if
#endif
  end subroutine
  subroutine spliced_&
!> function conditional.spliced_
    &PRECISION&
    &_real (a)
    real :: a
  end subroutine
  subroutine last()
!> function conditional.last
  end subroutine
end module
