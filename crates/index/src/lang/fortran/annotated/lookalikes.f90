! subroutine no()
module names
!> namespace names
  character(len=40) :: text = "subroutine no() ! not a comment"
!> static names.text doc=""
  character(len=40) :: other = 'module no'
!> static names.other
  integer :: function_count, end_of_it, type
!> static names.function_count
!> static names.end_of_it
!> static names.type
contains
  subroutine uses(type, if)
!> function names.uses
    integer :: type, if, do, end
    type = 1
    if = 2
    endif = 3
    call subroutine_like(if)
    print *, "end subroutine"
    write (*, *) 'function f()'
  end subroutine
end module
