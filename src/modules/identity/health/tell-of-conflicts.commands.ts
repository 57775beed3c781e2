import { longDay } from '#kernel/school-time'
import type { IdentityNeeds } from '../needs'
import type { WithMail } from '../mail/mail.job'
import { postMessage } from '../messages/message-user.commands'
import { guardiansOf } from '../students/guardians.rows'
import { userRows } from '../accounts/users.rows'
import { takeUntold, type AllergensOfMeal } from './meal-conflicts.rows'

/** An ordered meal that the child is allergic to, in the words of its order. */
type MealInConflict = AllergensOfMeal & { orderId: string; student: string; item: string }

type TellNeeds = Pick<IdentityNeeds, 'publicUrl' | 'schoolName' | 'now' | 'zone'> & { withMail: WithMail }

// One transaction tells of this many meals.
const atOnce = 500

/**
 * Tells the guardians of the children of these meals that they need a look, once of each order and
 * allergen, one message to each for all that is new. It is told in the transaction that notes it, so neither twice nor never.
 */
export const tellOfConflicts =
  (needs: TellNeeds) =>
  async (meals: readonly MealInConflict[]): Promise<void> => {
    for (let from = 0; from < meals.length; from += atOnce)
      await tellOf(needs, meals.slice(from, from + atOnce))
  }

const tellOf = (needs: TellNeeds, meals: readonly MealInConflict[]) =>
  needs.withMail(async (transaction, post) => {
    const untold = await takeUntold(transaction, meals)
    if (untold.length === 0) return
    const guardians = await guardiansOf(
      transaction,
      untold.map(({ studentId }) => studentId),
    )
    const mealsOf = new Map<number, MealInConflict[]>()
    for (const meal of untold)
      for (const userId of guardians.get(meal.studentId) ?? [])
        mealsOf.set(userId, [...(mealsOf.get(userId) ?? []), meal])
    for (const [userId, own] of mealsOf) {
      const recipient = await userRows(transaction).byId(userId)
      if (recipient) await postMessage(needs, transaction, post)(recipient, lookMail(own))
    }
  })

/** What it is about is for the family alone to read, on its home page. */
const lookMail = (meals: readonly MealInConflict[]) => {
  const [it, needs] = meals.length === 1 ? ['A meal', 'needs'] : [`${meals.length} meals`, 'need']
  const end = 'Please sign in: what to look at stands on your home page.'
  const lines = (inWords: (meal: MealInConflict) => string) =>
    meals.map((meal) => `- ${inWords(meal)}`).join('\n')
  return {
    subject: `${it} of yours ${needs} a look`,
    text: `Please look at what is ordered:\n${lines(({ item, student, date }) => `${item} for ${student} on ${longDay(date)}`)}\n${end}`,
    bareText: `Please look at what is ordered:\n${lines(({ date }) => `A meal on ${longDay(date)}`)}\n${end}`,
  }
}
