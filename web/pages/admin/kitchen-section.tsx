import { MealsInConflict } from '../../features/conflicts/meals-in-conflict'
import { KitchenScreen } from '../../features/kitchen/kitchen-screen'

/** The kitchen, with the meals above it that a child is allergic to. */
export const KitchenSection = () => (
  <>
    <MealsInConflict />
    <KitchenScreen />
  </>
)
