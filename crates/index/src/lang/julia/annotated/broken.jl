# Definitions around errors are found.
before(x) = x
#> function before

function unclosed(x
    y = 1
end

struct After
#> struct After
    field::Int
#> field After.field
end

after(x) = x
#> function after
const NEXT = ]

function last_one(x)
#> function last_one
    x
end
