-- MySQL dump 10.13

/*!40101 SET NAMES utf8 */;
# a comment, isn't it
DROP TABLE IF EXISTS `users`;
CREATE TABLE `users` (
--> table users sig="CREATE TABLE `users`" end=9
  `id` int(11) NOT NULL AUTO_INCREMENT,
--> field users.id sig="`id` int(11) NOT NULL AUTO_INCREMENT"
  `state` enum('a','it\'s') DEFAULT 'a' COMMENT 'of ( x',
--> field users.state
  `key` varchar(255),
--> field users.key
  name varchar(10),
--> field users.name
  PRIMARY KEY (`id`),
  UNIQUE KEY `by_name` (`name`),
  KEY by_state (`state`), INDEX other (`id`), FULLTEXT KEY `text` (`name`),
  CONSTRAINT `fk` FOREIGN KEY (`id`) REFERENCES `other` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8 COMMENT='Who; uses';

INSERT INTO `users` VALUES (1,'it\'s; CREATE TABLE no (a int)','a'),(2,'\\','b');

DELIMITER //
CREATE DEFINER=`root`@`localhost` PROCEDURE `count_users`(OUT n INT)
--> function count_users cc=4 end=9 sig="CREATE DEFINER=`root`@`localhost` PROCEDURE `count_users`(OUT n INT)"
BEGIN
  DECLARE i INT DEFAULT 0;
  WHILE i < 3 DO SET i = i + 1; END WHILE;
  IF i = 3 THEN
    SELECT COUNT(*) INTO n FROM users;
  ELSEIF i = 4 THEN
    SELECT 1;
  END IF;
END //
CREATE FUNCTION plain() RETURNS INT RETURN 1 //
--> function plain cc=1 sig="CREATE FUNCTION plain() RETURNS INT"
DELIMITER ;
DELIMITER $$
CREATE TRIGGER before_users BEFORE INSERT ON users FOR EACH ROW SET NEW.name = 'x'; $$
--> function before_users
DELIMITER ;
CREATE ALGORITHM=UNDEFINED DEFINER=root@localhost SQL SECURITY DEFINER VIEW `app`.`all_users` AS select 1;
--> view app.all_users
CREATE DATABASE IF NOT EXISTS `app` DEFAULT CHARACTER SET utf8;
--> namespace app
CREATE EVENT nightly ON SCHEDULE EVERY 1 DAY DO DELETE FROM users;
--> function nightly
source other/schema.sql
--> import * from other/schema.sql *
