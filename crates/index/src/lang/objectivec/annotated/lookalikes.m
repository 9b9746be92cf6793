// @interface Commented : NSObject
/* - (void)commented; */
static NSString *text = @"@interface Quoted : NSObject - (void)quoted; @end";
//> static text
static char quote = '"';
//> static quote
int interface, property, protocol, end;
//> static interface
//> static property
//> static protocol
//> static end
@interface Odd : NSObject
//> class Odd
- (void)if:(int)x else:(int)y;
//> method Odd.if:else:
- (Class)class;
//> method Odd.class
- (void)setID:(id)ID;
//> method Odd.setID:
@end
int minus(int a, int b) { return a
//> function minus end=1
  - b; }
