#import <Foundation/Foundation.h>
//> import * from Foundation/Foundation.h *
#import "Shape.h"
//> import * from Shape.h *
#include <math.h>
//> import * from math.h *
@import UIKit;
//> import * from UIKit *
@import CoreData.Store;
//> import * from CoreData.Store *
@class Other, Another;

NS_ASSUME_NONNULL_BEGIN

/** A person. */
API_AVAILABLE(ios(9))
@interface Person : NSObject <NSCopying, NSCoding>
//> class Person vis=public end=14 sig="@interface Person : NSObject <NSCopying, NSCoding>" doc="A person." deco="API_AVAILABLE(ios(9))"
{
  int _age; // in years
  //> field Person._age vis=protected sig="int _age" doc="in years"
@private
  NSString *_secret, *_other;
  //> field Person._secret vis=private
  //> field Person._other vis=private
@public
  id<NSCopying> copier;
  //> field Person.copier vis=public
}
/// What they are called.
@property (nonatomic, copy, nullable) NSString *name;
//> field Person.name vis=public mods=- sig="@property (nonatomic, copy, nullable) NSString *name" doc="What they are called."
@property (class, readonly) NSArray<Person *> *all;
//> field Person.all mods=static,readonly
@property (copy) void (^handler)(int code);
//> field Person.handler
+ (instancetype)personWithName:(NSString *)name;
//> method Person.personWithName: mods=static,declare sig="+ (instancetype)personWithName:(NSString *)name"
- (instancetype)initWithName:(NSString *)name age:(NSInteger)age NS_DESIGNATED_INITIALIZER;
//> constructor Person.initWithName:age: mods=declare col=17
@end

@interface Person (Greeting)
- (void)greet;
//> method Person.greet vis=public mods=declare
@end

@interface Person ()
@property (nonatomic) BOOL hidden;
//> field Person.hidden vis=private
- (void)hide;
//> method Person.hide vis=private mods=declare
@end

/* Where it is. */
@implementation Person
{
  int _count;
  //> field Person._count vis=protected
}
@synthesize name = _name;
@dynamic hidden;

+ (instancetype)personWithName:(NSString *)name { return [[self alloc] initWithName:name age:0]; }
//> method Person.personWithName:#2 mods=static cc=1

/// Makes one.
- (instancetype)initWithName:(NSString *)name
//> constructor Person.initWithName:age:#2 cc=4 end=7 doc="Makes one." mods=- sig="- (instancetype)initWithName:(NSString *)name age:(NSInteger)age"
                         age:(NSInteger)age
{
  if ((self = [super init]) && age > 0) {
    _age = age > 150 ? 150 : age;
  }
  return self;
}

static int helper(int x) { return x; }
//> function helper vis=private mods=static

- (NSString *) description { return [@"Person " stringByAppendingString: _name]; }
//> method Person.description
- plain { return self; }
//> method Person.plain sig="- plain"
- (void) add: (int)x : (int)y to: (id)z, ... {}
//> method Person.add::to:
- (NSURL *) URL { return nil; }
//> method Person.URL
@end

@implementation Person (Greeting)
- (void)greet { NSLog(@"Hello %@", self.name); }
//> method Person.greet#2
@end

NS_ASSUME_NONNULL_END
