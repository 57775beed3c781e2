import { MenuManagement } from '../../features/catalogue-admin/menu-management'
import { MealsInConflict } from '../../features/conflicts/meals-in-conflict'
import { sectionsOf } from '../../features/admin-shell/console-shell'
import { useUser } from '../../queries/session'

/** Menu Management, with the way to the orders of an item for who may see them, and meals that a child is allergic to. */
export const MenuSection = () => (
  <>
    <MealsInConflict />
    <MenuManagement mayListOrders={sectionsOf(useUser()).some(({ key }) => key === 'history')} />
  </>
)
