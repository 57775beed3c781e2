import { story } from '../web/story'

story('kitchen', () => require('../web/admin/kitchen.web.test'))
story('kitchen meals', () => require('../web/admin/kitchen-meals.web.test'))
story('class lists', () => require('../web/admin/class-lists.web.test'))
story('kitchen papers', () => require('../web/admin/kitchen-papers.web.test'))
story('hatch device', () => require('../web/admin/hatch-device.web.test'))
story('sponsors', () => require('../web/admin/sponsors.web.test'))
