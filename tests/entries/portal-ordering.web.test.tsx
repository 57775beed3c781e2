import { story } from '../web/story'

story('menu', () => require('../web/menu.web.test'))
story('family week', () => require('../web/family-week.web.test'))
story('meal marks', () => require('../web/meal-marks.web.test'))
story('week plan', () => require('../web/week-plan.web.test'))
story('control names', () => require('../web/control-names.web.test'))
story('family plan', () => require('../web/family-plan.web.test'))
story('cart', () => require('../web/cart.web.test'))
story('cart lines', () => require('../web/cart-lines.web.test'))
story('students', () => require('../web/students.web.test'))
story('students at once', () => require('../web/students-at-once.web.test'))
story('teacher', () => require('../web/teacher.web.test'))
