#> file: app/checks.py
"""A file without a test name: only TestCase methods are tests."""
import unittest
#> import unittest from unittest -
from django.test import TestCase as DjangoTestCase, SimpleTestCase
#> import DjangoTestCase from django.test TestCase
#> import SimpleTestCase from django.test SimpleTestCase


def test_connection(url):
#> function test_connection vis=public cc=1
    return url


class Prober:
#> class Prober vis=public
    def test_port(self, port):
#> method Prober.test_port vis=public
        return port


class CartCase(unittest.TestCase):
#> class CartCase vis=public sig="class CartCase(unittest.TestCase)"
    def setUp(self):
#> method CartCase.setUp
        self.items = []
#> field CartCase.items

    def test_empty(self):
#> test CartCase.test_empty cc=1
        self.assertEqual(self.items, [])

    def testCamel(self):
#> test CartCase.testCamel cc=2 end=2
        for item in self.items:
            self.assertTrue(item)

    @unittest.skip("not now")
    def test_skipped(self):
#> test CartCase.test_skipped deco="unittest.skip("not now")"
        pass

    def helper(self):
#> method CartCase.helper
        return 1


class PageCase(DjangoTestCase):
#> class PageCase
    async def test_page(self):
#> test PageCase.test_page mods=async
        await self.client.get("/")


class SimpleCase(SimpleTestCase, Prober):
#> class SimpleCase
    def tests_plural(self):
#> test SimpleCase.tests_plural
        pass

    def contest(self):
#> method SimpleCase.contest
        pass
