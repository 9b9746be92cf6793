-- The shop's tables.
--
-- Copyright somebody.

\set ON_ERROR_STOP on

CREATE SCHEMA IF NOT EXISTS shop;
--> namespace shop vis=public sig="CREATE SCHEMA IF NOT EXISTS shop"
CREATE EXTENSION hstore SCHEMA shop;

-- Who buys.
-- Never deleted.
CREATE TABLE shop.customers (
--> table shop.customers doc="Who buys." sig="CREATE TABLE shop.customers" end=11 cc=0
    id bigserial PRIMARY KEY, -- the key
--> field shop.customers.id sig="id bigserial PRIMARY KEY" doc="" end=0 col=5
    -- As on the bill.
    "Full Name" varchar(20) NOT NULL DEFAULT 'a, (b' CHECK (length("Full Name") > 1),
--> field shop.customers.Full·Name doc="As on the bill." end=0
    balance numeric(10, 2)
--> field shop.customers.balance end=1 sig="balance numeric(10, 2) DEFAULT 0"
        DEFAULT 0,
    tags text[] DEFAULT ARRAY['a', 'b'],
--> field shop.customers.tags
    key text,
--> field shop.customers.key
    CONSTRAINT positive CHECK (balance >= 0),
    UNIQUE (id, key), EXCLUDE USING gist (id WITH =),
    FOREIGN KEY (id) REFERENCES other (id), LIKE template INCLUDING ALL
) WITH (fillfactor = 70);

create unlogged table "Log"();
--> table Log sig="create unlogged table "Log""
CREATE TEMP TABLE copied AS SELECT 1 AS no;
--> table copied sig="CREATE TEMP TABLE copied"
CREATE TABLE part PARTITION OF shop.customers FOR VALUES IN (1);
--> table part sig="CREATE TABLE part PARTITION OF shop.customers FOR VALUES IN"
CREATE FOREIGN TABLE far (a int OPTIONS (x 'y')) SERVER s;
--> table far
--> field far.a
CREATE FOREIGN DATA WRAPPER no;

/* Everybody.
 * With a balance. */
CREATE OR REPLACE VIEW shop.rich (id) AS
--> view shop.rich doc="Everybody." sig="CREATE OR REPLACE VIEW shop.rich (id)" end=2
    WITH no AS (SELECT 1)
    SELECT id FROM shop.customers;
CREATE MATERIALIZED VIEW totals AS SELECT sum(balance) FROM shop.customers WITH NO DATA;
--> view totals

CREATE UNIQUE INDEX CONCURRENTLY by_name ON shop.customers ("Full Name");
--> key by_name sig="CREATE UNIQUE INDEX CONCURRENTLY by_name ON shop.customers ("Full Name")"
CREATE INDEX ON shop.customers (id);
CREATE SEQUENCE shop.numbers START 100;
--> static shop.numbers
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
--> type_alias positive sig="CREATE DOMAIN positive AS int CHECK (VALUE > 0)"
CREATE TYPE pair AS (
--> struct pair end=3 sig="CREATE TYPE pair"
    a int,
--> field pair.a
    b text
--> field pair.b sig="b text"
);
CREATE TYPE mood AS ENUM ('sad', 'so so',
--> enum mood sig="CREATE TYPE mood"
--> enum_member mood.sad sig="'sad'" vis=public
--> enum_member mood.so·so
    -- Best.
    'happy');
--> enum_member mood.happy doc="Best."
CREATE TYPE span AS RANGE (subtype = float8, subtype_diff = float8mi);
--> type_alias span
CREATE TYPE shell;
--> struct shell
CREATE TYPE base (INPUT = f, OUTPUT = g);
--> struct base

CREATE FUNCTION shop.add(a int, b int DEFAULT 1) RETURNS int
--> function shop.add sig="CREATE FUNCTION shop.add(a int, b int DEFAULT 1) RETURNS int" end=1 cc=1
    AS 'MODULE_PATHNAME', 'add_and_if' LANGUAGE C STRICT;
CREATE OR REPLACE PROCEDURE shop.clean() LANGUAGE plpgsql AS $body$
--> function shop.clean end=5 sig="CREATE OR REPLACE PROCEDURE shop.clean() LANGUAGE plpgsql"
BEGIN
    CREATE TABLE no (a int);
    EXECUTE 'CREATE TABLE no (a int)';
END;
$body$;
CREATE FUNCTION atomic(x int) RETURNS int
--> function atomic end=3
BEGIN ATOMIC
    SELECT x; SELECT 2;
END;
CREATE AGGREGATE middle (float8) (SFUNC = f, STYPE = float8);
--> function middle
CREATE CONSTRAINT TRIGGER watch AFTER INSERT ON shop.customers
--> function watch end=2
    REFERENCING NEW TABLE AS n OLD TABLE AS o
    FOR EACH ROW WHEN (NEW.id > 0) EXECUTE FUNCTION f();
CREATE EVENT TRIGGER on_ddl ON ddl_command_start EXECUTE FUNCTION f();
--> function on_ddl

ALTER TABLE shop.customers ADD COLUMN no int;
COMMENT ON TABLE shop.customers IS 'CREATE TABLE no (a int)';
COPY shop.customers (id) FROM stdin;
CREATE TABLE no (a int);
it's
\.
DO $$ BEGIN CREATE TABLE no (a int); END $$;
INSERT INTO t VALUES ('

CREATE TABLE no (a int);
');
CREATE TABLE last (a int) \gexec
--> table last
--> field last.a
CREATE ROLE no;
