import { MealsInConflict } from '../../features/conflicts/meals-in-conflict'
import { Today } from '../../features/today/today'
import { useUser } from '../../queries/session'

/** Meals in conflict are for whoever may change them. */
export const TodaySection = () => {
  const { allowedFeatures } = useUser()
  const mayChangeMeals = allowedFeatures.includes('kitchen') || allowedFeatures.includes('menu')
  return (
    <>
      {mayChangeMeals ? <MealsInConflict /> : null}
      <Today held={allowedFeatures} />
    </>
  )
}
