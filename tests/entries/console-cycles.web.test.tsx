import { story } from '../web/story'

story('cycles', () => require('../web/admin/cycles.web.test'))
story('cycle wizard', () => require('../web/admin/cycle-wizard.web.test'))
story('closed days', () => require('../web/admin/closed-days.web.test'))
story('cycle history', () => require('../web/admin/cycle-history.web.test'))
story('cycle history acts', () => require('../web/admin/cycle-history-acts.web.test'))
story('settings', () => require('../web/admin/settings.web.test'))
