#> file: test/runtests.jl
using Test
#> import * from Test *

helper(x) = x
#> function helper vis=public

@testset "arithmetic" begin
#> test arithmetic vis=private cc=1 end=6 sig="@testset "arithmetic""
    @test 1 + 1 == 2
    local_helper(x) = x
#> function arithmetic.local_helper vis=private
    value = 1
    @testset "of $T" for T in (Int, Float64)
#> test arithmetic.of·$T cc=2 end=1 sig="@testset "of $T""
        @test one(T) == 1 end
end
@testset "verbose" verbose = true begin end
#> test verbose
Test.@testset CustomSet "custom" begin end
#> test custom
@testset begin end
#> test <test1>
@testitem "item" setup = [Helpers] begin end
#> test item
