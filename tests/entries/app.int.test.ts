import { story } from '../support/story'

story('access', () => require('../app/access.int.test'))
story('created once', () => require('../app/created-once.int.test'))
story('deleting a family', () => require('../app/deleting-a-family.int.test'))
story('dev mail', () => require('../app/dev-mail.int.test'))
story('family order', () => require('../app/family-order.int.test'))
story('health stays', () => require('../app/health-stays.int.test'))
story('metrics', () => require('../app/metrics.int.test'))
story('orders once', () => require('../app/orders-once.int.test'))
story('second guardian', () => require('../app/second-guardian.int.test'))
story('versions', () => require('../app/versions.int.test'))
