import { sectionsOf } from '../../features/admin-shell/console-shell'
import { MenuManagement } from '../../features/catalogue-admin/menu-management'
import { MealsInConflict } from '../../features/conflicts/meals-in-conflict'
import { useUser } from '../../queries/session'

/** Links to orders need their feature. */
export const MenuSection = () => (
  <>
    <MealsInConflict />
    <MenuManagement mayListOrders={sectionsOf(useUser()).some(({ key }) => key === 'history')} />
  </>
)
