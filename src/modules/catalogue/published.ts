export type { MenuItem } from './menu-item.decide'
