import { story } from '../web/story'

story('console', () => require('../web/admin/console.web.test'))
story('today', () => require('../web/admin/today.web.test'))
story('find', () => require('../web/admin/find.web.test'))
story('live orders', () => require('../web/admin/live-orders.web.test'))
story('live order rows', () => require('../web/admin/live-order-rows.web.test'))
story('order for family', () => require('../web/admin/order-for-family.web.test'))
story('order recovery', () => require('../web/admin/order-recovery.web.test'))
story('pending payments', () => require('../web/admin/pending-payments.web.test'))
story('statements', () => require('../web/admin/statements.web.test'))
story('take back marks', () => require('../web/admin/take-back-marks.web.test'))
