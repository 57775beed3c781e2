import { story } from '../web/story'

story('approvals', () => require('../web/admin/approvals.web.test'))
story('card refunds', () => require('../web/admin/card-refunds.web.test'))
story('refunds', () => require('../web/admin/refunds.web.test'))
story('settlements', () => require('../web/admin/settlements.web.test'))
story('day end', () => require('../web/admin/day-end.web.test'))
story('month', () => require('../web/admin/month.web.test'))
story('family credit', () => require('../web/admin/family-credit.web.test'))
story('claim letters', () => require('../web/admin/claim-letters.web.test'))
