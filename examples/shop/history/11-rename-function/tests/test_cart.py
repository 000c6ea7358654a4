import unittest

from shop.cart import price_after_voucher


class CartTest(unittest.TestCase):
    def test_counts_every_piece(self):
        self.assertEqual(price_after_voucher({"SPK-264": 32, "CHN-11": 1}), 32 * 89 + 2749)

    def test_takes_the_voucher_off_the_total(self):
        self.assertEqual(price_after_voucher({"SAD-01": 1}, voucher_percent=10), 8010)
