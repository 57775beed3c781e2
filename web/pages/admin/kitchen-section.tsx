import { MealsInConflict } from '../../features/conflicts/meals-in-conflict'
import { KitchenScreen } from '../../features/kitchen/kitchen-screen'

export const KitchenSection = () => (
  <>
    <MealsInConflict />
    <KitchenScreen />
  </>
)
