import { story } from '../support/story'

story('outbox', () => require('../messaging/outbox.int.test'))
story('sms spending', () => require('../messaging/sms-spending.int.test'))
story('sms', () => require('../messaging/sms.int.test'))
