import { story } from '../support/story'

story('closed for some', () => require('../closures/closed-for-some.int.test'))
story('closures', () => require('../closures/closures.int.test'))
