function branches(x, y)
#> function branches cc=7 end=9
    if x > 1 && y > 1 || x == y
        1
    elseif x < 0
        2
    else
        x ? 1 : y == 0 ? 2 : 3
    end
    x .+ y
end

function loops(xs)
#> function loops cc=8 end=12
    for x in xs, y in xs
        continue
    end
    while true
        break
    end
    try
        [x for x in xs if x > 1 for y in xs]
    catch e
    end
    sum(x for x in xs)
end

short(x) = x > 1 ? x : -x
#> function short cc=2
outer(xs) = map(x -> x ? 1 : 2, xs)
#> function outer cc=1
#> function outer.<lambda1> cc=2

function with_block(xs)
#> function with_block cc=1
    foreach(xs) do x
#> function with_block.<lambda1> cc=2
        x || return
    end
end
