#import <Foundation/Foundation.h>
//> import * from Foundation/Foundation.h *

@protocol Later;

/// Who can greet.
@protocol Greeter <NSObject>
//> interface Greeter end=7 sig="@protocol Greeter <NSObject>" doc="Who can greet."
@property (readonly) NSString *title;
//> field Greeter.title mods=readonly
- (void)greet:(NSString *)name DEPRECATED;
//> method Greeter.greet: mods=-
@optional
+ (BOOL)canGreet;
//> method Greeter.canGreet mods=static,optional
@required
- (void)leave;
//> method Greeter.leave mods=-
@end

/** How it went. */
typedef NS_ENUM(NSInteger, Outcome) {
//> enum Outcome sig="typedef NS_ENUM(NSInteger, Outcome)" doc="How it went." col=28
  OutcomeGood,
  //> enum_member Outcome.OutcomeGood
  OutcomeBad NS_SWIFT_NAME(bad) = 2,
  //> enum_member Outcome.OutcomeBad
};
typedef NS_OPTIONS(NSUInteger, Flags) { FlagOne = 1 << 0, FlagTwo = 1 << 1 };
//> enum Flags
//> enum_member Flags.FlagOne
//> enum_member Flags.FlagTwo
typedef void (^Completion)(NSError *_Nullable error);
//> type_alias Completion
typedef NSDictionary<NSString *, id> Record;
//> type_alias Record
struct Pair { __unsafe_unretained NSString *key; id<Greeter> value; };
//> struct Pair
//> field Pair.key
//> field Pair.value
extern NSString *const kName;
//> constant kName mods=const,extern
FOUNDATION_EXPORT void Reset(NSArray<NSString *> *names, id<Greeter> greeter);
//> function Reset mods=declare sig="FOUNDATION_EXPORT void Reset(NSArray<NSString *> *names, id<Greeter> greeter)"
#define LIMIT 10
//> constant LIMIT
#define WEAK(x) __weak typeof(x) weak = x
//> macro WEAK

@interface GENERIC_CLASS(Box, __covariant T) : NSObject
//> class Box
#if PLATFORM
- (void)open;
//> method Box.open
#else
- (void)close;
//> method Box.close
#endif
@end
