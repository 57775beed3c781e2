import { story } from '../web/story'

story('admin users', () => require('../web/admin/admin-users.web.test'))
story('parents', () => require('../web/admin/parents.web.test'))
story('roll', () => require('../web/admin/roll.web.test'))
story('roll import', () => require('../web/admin/roll-import.web.test'))
story('year move', () => require('../web/admin/year-move.web.test'))
