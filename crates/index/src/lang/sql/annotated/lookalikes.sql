-- CREATE TABLE no (a int);
/* CREATE TABLE no (a int); /* nested */ CREATE TABLE no (a int); */
SELECT 'CREATE TABLE no (a int);', "CREATE TABLE no", $q$ CREATE TABLE no (a int); $q$;
SELECT created, create_table FROM t WHERE x = E'\'; CREATE TABLE no (a int);';
GRANT
CREATE ON SCHEMA s TO joe;
SHOW CREATE TABLE no;
WITH no AS (SELECT 1), also_no (a) AS (SELECT 2) SELECT * FROM no;
CREATE USER no;
CREATE ROLE no;
CREATE POLICY no ON t USING (true);
CREATE RULE no AS ON INSERT TO t DO INSTEAD NOTHING;
CREATE OPERATOR === (LEFTARG = box);
CREATE CAST (a AS b) WITH FUNCTION f(a);
CREATE TABLE "create" ("table" int, "index" int);
--> table create
--> field create.table
--> field create.index
CREATE TABLE created (created_at timestamp, unique_id int, keys int, checked bool, primary_color text);
--> table created
--> field created.created_at
--> field created.unique_id
--> field created.keys
--> field created.checked
--> field created.primary_color
CREATE TABLE "Größe" (größe int);
--> table Größe
--> field Größe.größe col=23
DELETE FROM t WHERE a = '-- not a comment';
