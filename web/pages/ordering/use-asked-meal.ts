import { useCallback, useState } from 'react'
import type { DayActs, DayChoice } from '../../features/menu/day-card'
import type { Eater } from '../../features/menu/day-content'
import { markOf } from '#contracts/mark-words'
import type { Ordering } from './use-ordering'

type Asked = { eater: Eater; meal: DayChoice; words: string }

/**
 * Puts a meal into the cart; one that the child is allergic to only after a question, where the school's rule is to warn,
 * and not at all where it is to refuse.
 */
export const useAskedMeal = ({ add, marks }: Ordering) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const addOrAsk: DayActs['onAdd'] = useCallback(
    (eater, meals) => {
      const [meal] = meals
      if (!meal) return
      const { allergy, rule } = markOf(marks, eater, meal.item)
      if (rule === 'warn' && allergy) setAsked({ eater, meal, words: allergy })
      else if (rule === null) add(eater, [meal])
    },
    [add, marks],
  )
  return {
    add: addOrAsk,
    asked,
    yes: () => {
      if (asked) add(asked.eater, [{ ...asked.meal, acknowledged: true }])
      setAsked(null)
    },
    no: () => setAsked(null),
  }
}
