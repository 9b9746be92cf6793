#include "engine.h"
//> import * from engine.h *
@implementation Engine
- (int)run { return 1; }
//> method Engine.run
@end
