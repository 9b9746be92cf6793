@interface First : NSObject
//> class First
- (void)one;
//> method First.one
@end

int @@ 3 ( ;

@implementation First
- (void)one { [self two; }
//> method First.one#2
- (void)three { return; }
//> method First.three
@end

int last(void) { return 1; }
//> function last
