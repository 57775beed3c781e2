import { story } from '../support/story'

story('append changes', () => require('../audit/append-changes.int.test'))
story('audit', () => require('../audit/audit.int.test'))
story('chain', () => require('../audit/chain.int.test'))
story('changes', () => require('../audit/changes.int.test'))
story('daily audit', () => require('../audit/daily-audit.int.test'))
story('entries sorted', () => require('../audit/entries-sorted.int.test'))
story('export', () => require('../audit/export.int.test'))
story('history', () => require('../audit/history.int.test'))
story('view sums', () => require('../audit/view-sums.int.test'))
