*> \brief \b DEMO
*
*  =========== DOCUMENTATION ===========
*
*> \par Purpose:
*  =============
*>
*> \verbatim
*>
*> DEMO shows the fixed form. It has no other use.
*> \endverbatim
*
      SUBROUTINE DEMO( M, N, A, LDA,
!> function DEMO vis=public cc=5 doc="DEMO shows the fixed form." sig="SUBROUTINE DEMO( M, N, A, LDA, IPIV, INFO )" end=25
     $                 IPIV,
     $                 INFO )
C     A comment.
c     Another one.
      INTEGER            INFO, LDA, M, N
      INTEGER            IPIV( * )
      DOUBLE PRECISION   A( LDA, * ),
     1                   B
      EXTERNAL           DGEMM
      IF( M.LT.0 .AND. N.LT.0 )
     $   RETURN
      B = A( 1, 1 )
     1    + A( 2, 2 )
C     The statement above ends where the grammar lets it end.
      DO 20 J = 1, N
         DO 10 I = 1, M
            CALL DGEMM( 'No transpose', 'A text that goes
     $ on', M,
     $                  N )
   10    CONTINUE
   20 CONTINUE
      WRITE(*, 100) B
  100 FORMAT(' A = ', F10.2,
     &       1X, 'B')
      END
*     End of DEMO
      REAL FUNCTION TAIL(X)                                             00001000
!> function TAIL sig="REAL FUNCTION TAIL(X)" end=2
      TAIL = X                                                          00001010
      END                                                               00001020
	SUBROUTINE TABBED(A,
!> function TABBED sig="SUBROUTINE TABBED(A, B)"
	1  B)
	END
