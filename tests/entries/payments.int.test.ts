import { story } from '../support/story'

story('alternative checkout', () => require('../payments/alternative-checkout.int.test'))
story('card payments', () => require('../payments/card-payments.int.test'))
story('chosen way', () => require('../payments/chosen-way.int.test'))
story('console', () => require('../payments/console.int.test'))
story('free checkout', () => require('../payments/free-checkout.int.test'))
story('limited portions', () => require('../payments/limited-portions.int.test'))
story('phone payments', () => require('../payments/phone-payments.int.test'))
story('plans', () => require('../payments/plans.int.test'))
story('plans once', () => require('../payments/plans-once.int.test'))
story('dpo', () => require('../payments/providers/dpo.int.test'))
story('prompt budgets', () => require('../payments/prompt-budgets.int.test'))
story('recovery list', () => require('../payments/recovery-list.int.test'))
