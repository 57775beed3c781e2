import { story } from '../support/story'

story('bulk actions', () => require('../ordering/bulk-actions.int.test'))
story('change order', () => require('../ordering/change-order.int.test'))
story('conflicts', () => require('../ordering/conflicts.int.test'))
story('cycle orders', () => require('../ordering/cycle-orders.int.test'))
story('discount codes', () => require('../ordering/discount-codes.int.test'))
story('kitchen prints', () => require('../ordering/kitchen-prints.int.test'))
story('kitchen', () => require('../ordering/kitchen.int.test'))
story('own orders', () => require('../ordering/own-orders.int.test'))
story('portions', () => require('../ordering/portions.int.test'))
story('serving', () => require('../ordering/serving.int.test'))
story('sponsors', () => require('../ordering/sponsors.int.test'))
story('no lunch', () => require('../ordering/no-lunch.int.test'))
