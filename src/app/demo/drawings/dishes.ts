import { primaryDrawings } from './primary-dishes'
import { secondaryDrawings } from './secondary-dishes'

/** The demonstration's dishes, each drawn for this project: SVG by the dish's name. */
export const dishDrawings: Record<string, () => string> = { ...primaryDrawings, ...secondaryDrawings }
