module Reexported (module Reexported, module Other) where
import Other
--> import * from Other *
visible = 1
--> constant visible vis=public
