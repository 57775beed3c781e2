import { story } from '../support/story'

story('daily report', () => require('../find/daily-report.int.test'))
story('head report', () => require('../find/head-report.int.test'))
story('family data', () => require('../find/family-data.int.test'))
story('find', () => require('../find/find.int.test'))
story('today', () => require('../find/today.int.test'))
