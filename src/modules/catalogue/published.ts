/** A menu item as it is now. */
export type { MenuItem } from './menu-item.decide'
