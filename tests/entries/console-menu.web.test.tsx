import { story } from '../web/story'

story('menu acts', () => require('../web/admin/menu-acts.web.test'))
story('menu form', () => require('../web/admin/menu-form.web.test'))
story('menu list', () => require('../web/admin/menu-list.web.test'))
story('menu upload', () => require('../web/admin/menu-upload.web.test'))
story('unsaved', () => require('../web/admin/unsaved.web.test'))
