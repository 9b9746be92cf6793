subroutine branches(a, b)
!> function branches cc=7 end=11
  if (a > 1 .and. b > 1 .OR. a == b) then
    a = 1
  else if (a < 0) then
    a = 2
  else
    if (.not. c .eqv. d) a = 3
  end if
  if (a) 10, 20, 30
10 continue
  return
end subroutine

subroutine loops(a)
!> function loops cc=8
  do i = 1, 10
    do 20 j = 1, 10
20  continue
  end do
  do while (a > 1)
    exit
  end do
  do concurrent (i = 1:10)
  end do
  where (a > 1)
    a = 1
  elsewhere (a < 1)
    a = 2
  elsewhere
    a = 3
  end where
  forall (i = 1:3) a(i) = 1
end subroutine

subroutine choices(a, b)
!> function choices cc=6
  select case (a)
  case (1)
  case (2:3, 5)
  case default
  end select
  select type (b)
  type is (integer)
  class is (shape)
  class default
  end select
  select rank (b)
  rank (1)
  rank default
  end select
end subroutine

subroutine host()
!> function host cc=2
  if (a) b = 1
contains
  subroutine guest()
!> function host.guest cc=3
    if (a) b = 1
    if (b) a = 1
  end subroutine
end subroutine
