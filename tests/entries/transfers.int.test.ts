import { story } from '../support/story'

story('counter', () => require('../transfers/counter.int.test'))
story('lapsing', () => require('../transfers/lapsing.int.test'))
story('left out rows', () => require('../transfers/statements/left-out.int.test'))
story('pending list', () => require('../transfers/pending-list.int.test'))
story('proof', () => require('../transfers/proof.int.test'))
story('statements', () => require('../transfers/statements/statements.int.test'))
story('verified by hand', () => require('../transfers/verified-by-hand.int.test'))
