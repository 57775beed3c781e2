import { story } from '../web/story'

story('card checkout', () => require('../web/card-checkout.web.test'))
story('cart credit', () => require('../web/cart-credit.web.test'))
story('pay by phone', () => require('../web/pay-by-phone.web.test'))
story('open payments', () => require('../web/open-payments.web.test'))
story('payment return', () => require('../web/payment-return.web.test'))
story('payment unverified', () => require('../web/payment-unverified.web.test'))
