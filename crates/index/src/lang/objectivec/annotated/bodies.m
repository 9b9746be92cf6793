int main(int argc, char **argv) {
//> function main cc=1
  @autoreleasepool { return NSApplicationMain(argc, argv); }
}

NSString *const kPrefix = @"x";
//> constant kPrefix mods=const
static dispatch_once_t once;
//> static once vis=private

@implementation Runner

- (void)decide:(id)x
//> method Runner.decide: cc=9
{
  for (NSString *key in [x allKeys]) {
    if ([key isEqual:@"a"] || !key) continue;
  }
  while (x) { break; }
  @try {
    [x run];
  } @catch (NSException *exception) {
  } @finally {
  }
  switch (self.state) {
    case 1: [self one]; break;
    default: break;
  }
  @synchronized(self) { x = self.next ?: nil; }
  IF_NO_ARC([x retain];)
  NS_DURING
    [x stop];
  NS_HANDLER
    NSLog(@"%@", localException);
  NS_ENDHANDLER
  PASS(x != nil, "it is there")
  [x reset];
  SEL selector = @selector(decide:);
  const char *encoded = @encode(int);
  NSArray *list = @[ @1, @"two", @{ @"k": MAKE(x) } ];
  NSLog(@"%"PRIuPTR" of %d", 1, 2);
  do { x = nil; } while (x);
}

- (void)blocks
//> method Runner.blocks cc=1
{
  void (^done)(BOOL) = ^(BOOL ok) { if (ok) [self stop]; };
  //> function Runner.blocks.done vis=private cc=2 sig="void (^done)(BOOL) = ^(BOOL ok)"
  [self run:^{ NSLog(@"x"); } then:^(id y) { return y ? 1 : 0; }];
  //> function Runner.blocks.<lambda1> cc=1
  //> function Runner.blocks.<lambda2> cc=2
  __weak typeof(self) weakSelf = self;
  __block int count = 0;
}

RCT_EXPORT_METHOD(open:(NSString *)url resolve:(Block)resolve)
//> function open
{
  [self open];
}
EXPORT_PROPERTY(value, float);
NOT_IMPLEMENTED(- (instancetype)init)

- (void)last {};
//> method Runner.last
@end

void (^global)(int) = ^(int x) { };
//> function global vis=public
