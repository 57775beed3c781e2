import { startSchool } from '../support/school'
import { familyOrderSuite } from './family-order'

familyOrderSuite(() => startSchool({ at: '2026-09-14T05:00:00+02:00' }))
