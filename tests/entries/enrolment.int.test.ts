import { story } from '../support/story'

story('roll import', () => require('../enrolment/roll-import.int.test'))
story('roll', () => require('../enrolment/roll.int.test'))
story('bursaries', () => require('../enrolment/bursaries.int.test'))
