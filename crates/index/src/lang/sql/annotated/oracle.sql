@setup/tables.sql
--> import * from setup/tables.sql *
CREATE TABLE emp (
--> table emp
    id NUMBER(10) DEFAULT seq.nextval NOT NULL,
--> field emp.id
    name VARCHAR2(20 CHAR)
--> field emp.name
)
/
CREATE OR REPLACE EDITIONABLE PROCEDURE raise_pay(p_id IN NUMBER) IS
--> function raise_pay cc=3 end=9 sig="CREATE OR REPLACE EDITIONABLE PROCEDURE raise_pay(p_id IN NUMBER)"
    v_pay NUMBER;
    CURSOR c IS SELECT 1 FROM dual;
BEGIN
    IF p_id > 0 THEN
        UPDATE emp SET pay = pay + 1;
    END IF;
EXCEPTION
    WHEN NO_DATA_FOUND THEN NULL;
END raise_pay;
/
CREATE OR REPLACE PACKAGE api AS
--> namespace api end=3 sig="CREATE OR REPLACE PACKAGE api"
    PROCEDURE one;
    FUNCTION two RETURN NUMBER;
END api;
/
CREATE OR REPLACE PACKAGE BODY api AS
--> namespace api#2 end=3
    PROCEDURE one IS BEGIN NULL; END;
    FUNCTION two RETURN NUMBER IS BEGIN RETURN CASE WHEN 1 = 1 THEN 2 END; END two;
END api;
/
CREATE TYPE address AS OBJECT (street VARCHAR2(20), MEMBER FUNCTION f RETURN NUMBER);
--> struct address
--> field address.street
CREATE TYPE BODY address AS MEMBER FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END; END;
/
CREATE TYPE names AS TABLE OF VARCHAR2(20);
--> type_alias names
CREATE GLOBAL TEMPORARY TABLE later (a NUMBER);
--> table later
--> field later.a
