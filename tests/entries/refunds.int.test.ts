import { story } from '../support/story'

story('credit', () => require('../credit/credit.int.test'))
story('credit balances', () => require('../credit/balances.int.test'))
story('approval', () => require('../refunds/approval.int.test'))
story('card refunds', () => require('../refunds/card-refunds.int.test'))
story('mobile refunds', () => require('../refunds/mobile-refunds.int.test'))
story('paid from', () => require('../refunds/paid-from.int.test'))
story('refunds', () => require('../refunds/refunds.int.test'))
