USE [Shop]
GO
IF NOT EXISTS (SELECT * FROM sys.tables WHERE name = 'Orders')
CREATE TABLE [dbo].[Orders] (
--> table dbo.Orders end=4 sig="CREATE TABLE [dbo].[Orders]"
    [Order Id] INT IDENTITY(1,1) NOT NULL,
--> field dbo.Orders.Order·Id
    [Total] DECIMAL(10, 2) NOT NULL CONSTRAINT [DF_Total] DEFAULT ((0)),
--> field dbo.Orders.Total
    CONSTRAINT [PK_Orders] PRIMARY KEY CLUSTERED ([Order Id] ASC)
) ON [PRIMARY]
CREATE NONCLUSTERED INDEX [IX_Total] ON [dbo].[Orders] ([Total])
--> key IX_Total
GO
-- Counts.
CREATE OR ALTER PROCEDURE [dbo].[Count_Orders]
--> function dbo.Count_Orders doc="Counts." cc=4 end=14
    @from AS DATETIME = NULL, @to DATETIME
WITH EXECUTE AS OWNER
AS
SET NOCOUNT ON;
CREATE TABLE #no (a INT);
IF @from IS NULL AND 1 = 1
BEGIN
    SELECT 1;
END
BEGIN TRY
    BEGIN TRANSACTION; COMMIT;
END TRY
BEGIN CATCH
END CATCH
GO
CREATE FUNCTION dbo.Twice (@x INT) RETURNS INT AS BEGIN RETURN @x * 2; END
--> function dbo.Twice end=0 sig="CREATE FUNCTION dbo.Twice (@x INT) RETURNS INT"
GO
CREATE VIEW dbo.Big AS SELECT * FROM dbo.Orders WHERE Total > 5
--> view dbo.Big
GO
CREATE TYPE dbo.Name FROM NVARCHAR(50) NOT NULL;
--> type_alias dbo.Name
CREATE TYPE dbo.Ids AS TABLE (Id INT, INDEX ix (Id));
--> struct dbo.Ids
--> field dbo.Ids.Id
CREATE TABLE Shop..Far (a INT)
--> table Shop.Far
--> field Shop.Far.a
CREATE TRIGGER dbo.OnOrder ON dbo.Orders AFTER INSERT AS
--> function dbo.OnOrder end=2
SELECT 1;
SELECT 2;
GO
