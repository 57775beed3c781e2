import { story } from '../support/story'

story('books settings', () => require('../books/books-settings.int.test'))
story('day end', () => require('../books/day-end.int.test'))
story('month', () => require('../books/month.int.test'))
story('receipts', () => require('../books/receipts.int.test'))
story('settlements', () => require('../books/settlements.int.test'))
story('sponsored', () => require('../books/sponsored.int.test'))
