CREATE FUNCTION ways(a int, b text) RETURNS int LANGUAGE plpgsql AS $$
--> function ways cc=14
DECLARE
    x int; -- if this and that
BEGIN
    IF a > 1 AND b IS NOT NULL THEN
        FOR x IN 1..2 LOOP NULL; END LOOP;
    ELSIF a BETWEEN 1 AND 2 OR b = 'if or and' THEN
        WHILE true LOOP EXIT WHEN x > 1; END LOOP;
    END IF;
    LOOP EXIT; END LOOP;
    FOREACH x IN ARRAY ARRAY[1] LOOP CONTINUE; END LOOP;
    CASE a WHEN 1 THEN NULL; WHEN 2 THEN NULL; ELSE NULL; END CASE;
    DROP TABLE IF EXISTS t;
    CREATE TABLE IF NOT EXISTS t (a int);
EXCEPTION
    WHEN division_by_zero THEN RETURN 0;
    WHEN others THEN RETURN 1;
END
$$;
CREATE FUNCTION old_style(a int) RETURNS int AS '
--> function old_style cc=3
BEGIN
    IF a = 1 OR a = 2 THEN RETURN 1; END IF;
END' LANGUAGE 'plpgsql';
CREATE FUNCTION python() RETURNS int LANGUAGE plpython3u AS $$
--> function python cc=1
if a and b or c: pass
$$;
CREATE FUNCTION simple() RETURNS int LANGUAGE sql AS $$ SELECT CASE WHEN true THEN 1 END $$;
--> function simple cc=2
CREATE FUNCTION asks() RETURNS bool AS $$
--> function asks cc=2
BEGIN
    IF EXISTS (SELECT 1) THEN RETURN true; END IF;
END $$ LANGUAGE plpgsql;
