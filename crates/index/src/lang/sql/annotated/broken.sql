CREATE TABLE before (a int;
--> table before
--> field before.a sig="a int"
CREATE TABLE unclosed (b int, c (
--> table unclosed
--> field unclosed.b
--> field unclosed.c

CREATE FUNCTION lost() RETURNS int AS $$ BEGIN IF THEN $$;
--> function lost
)) FROM WHERE; SELECT (((;
CREATE TABLE after (d int,, e int,);
--> table after
--> field after.d
--> field after.e
CREATE PROCEDURE endless() BEGIN SELECT 1;
--> function endless
CREATE VIEW found AS SELECT 1;
--> view found
CREATE TABLE
CREATE TABLE x (a int
--> table x
--> field x.a
