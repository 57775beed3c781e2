import { story } from '../support/story'

story('api', () => require('../sandbox/api.int.test'))
story('mobile money', () => require('../sandbox/mobile-money.int.test'))
story('page', () => require('../sandbox/page.int.test'))
story('phone', () => require('../sandbox/phone.int.test'))
story('prompt scripts', () => require('../sandbox/prompt-scripts.int.test'))
