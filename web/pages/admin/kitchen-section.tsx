import { MealsInConflict } from '../../features/conflicts/meals-in-conflict'
import { KitchenScreen } from '../../features/kitchen/kitchen-screen'

/** On a phone the dishes come before what is to be looked at later. */
export const KitchenSection = () => (
  <div className="flex flex-col print:block">
    <div className="max-sm:order-last max-sm:mt-4">
      <MealsInConflict />
    </div>
    <KitchenScreen />
  </div>
)
