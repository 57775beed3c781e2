import { MenuManagement } from '../../features/catalogue-admin/menu-management'
import { sectionsOf } from '../../features/admin-shell/sections'
import { useUser } from '../../features/session/current-user'

/** Menu Management, with the way to the orders of an item for who may see them. */
export const MenuSection = () => (
  <MenuManagement mayListOrders={sectionsOf(useUser()).some(({ key }) => key === 'history')} />
)
