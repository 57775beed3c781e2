import { story } from '../support/story'

story('menu list', () => require('../catalogue/menu-list.int.test'))
story('menu', () => require('../catalogue/menu.int.test'))
story('pictures', () => require('../catalogue/pictures.int.test'))
story('upload refusals', () => require('../catalogue/upload-refusals.int.test'))
story('upload', () => require('../catalogue/upload.int.test'))
story('cutoff', () => require('../cycles/cutoff.int.test'))
story('cycles', () => require('../cycles/cycles.int.test'))
