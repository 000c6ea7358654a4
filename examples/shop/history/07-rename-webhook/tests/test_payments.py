import unittest

from shop.payments.notifications import handle_payment_event


class PaymentTest(unittest.TestCase):
    def test_a_message_counts_once(self):
        self.assertEqual(handle_payment_event("e1", "A-17", "captured"), "paid")
        self.assertIsNone(handle_payment_event("e1", "A-17", "captured"))
