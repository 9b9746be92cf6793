<?php
//> file: tests/Feature/login.php
beforeEach(function () { $this->x = 1; });

test('it logs in', function () {
//> test it·logs·in cc=2 sig="test('it logs in'" vis=private
    if (true) {}
});
it("logs out", fn () => expect(1)->toBe(1))->group('a');
//> test logs·out
describe('admin', function () {
//> namespace admin
    it('works', function () {});
//> test admin\works
});
