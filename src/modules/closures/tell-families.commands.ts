import { decimalFromNgwee } from '#kernel/money'
import { longDay } from '#kernel/school-time'
import { mealsInShort } from '#kernel/user-message'
import { noteMails, noteTold, unsentMails } from './closed-orders.rows'
import { closureNow, lockedClosure } from './closures.rows'
import type { Closure } from './closure'
import type { ClosuresNeeds, Meal } from './needs'

type TellNeeds = Pick<ClosuresNeeds, 'database' | 'ordering' | 'identity'>

/**
 * Tells each family of each meal once: what was cancelled and, where the days were opened again, what it gets back after
 * all; not before all orders were looked at. What slips in later is told by a further mail that names nothing else. Safe
 * to repeat: a mail has its id from closure, family and number.
 */
export const tellFamilies =
  (needs: TellNeeds) =>
  async (closureId: string): Promise<void> => {
    const closure = await closureNow(needs.database.knex, closureId)
    if (!closure || closure.done < closure.total) return
    await tellAbout(needs, closure, 'closing')
    await tellAbout(needs, closure, 'undoing')
  }

const tellAbout = async (
  { database: { knex }, ordering, identity }: TellNeeds,
  closure: Closure,
  about: 'closing' | 'undoing',
): Promise<void> => {
  await knex.transaction(async (transaction) => {
    await lockedClosure(transaction, closure.id)
    await noteMails(transaction, closure.id, about)
  })
  for (const { userId, mail, orderIds } of await unsentMails(knex, closure.id, about)) {
    const meals = await ordering.mealsOfOrders(orderIds)
    const message = (about === 'closing' ? closedMail : openedMail)(closure, meals, mail > 1)
    const id = `closure-${closure.id}-${about}-${userId}${mail > 1 ? `-${mail}` : ''}`
    const hasAddress = await identity.messageUser(userId, message, id)
    await noteTold(knex, { closureId: closure.id, userId, about, mail, hasAddress })
  }
}

type InWords = (meal: Meal) => string

const wholeMeal: InWords = ({ item, student, date }) => `${item} for ${student} on ${longDay(date)}`
/** Without a text that anybody typed. */
const bareMeal: InWords = ({ date }) => `A meal on ${longDay(date)}`

const closedMail = ({ reason, remedy }: Closure, meals: readonly Meal[], isFurther: boolean) => {
  const lines = (inWords: InWords) =>
    meals.map((meal) => `- ${inWords(meal)}: ${moneyInWords(meal, remedy)}`).join('\n')
  const cancelled = `These meals are cancelled${isFurther ? ' as well' : ''}`
  return {
    subject: `${isFurther ? 'More of your meals' : 'Your meals'} are cancelled: there is no lunch on these days`,
    text: `There is no lunch at school (${reason}). ${cancelled}:\n${lines(wholeMeal)}`,
    bareText: `There is no lunch at school. ${cancelled}:\n${lines(bareMeal)}`,
    short: `There is no lunch at school. Cancelled: ${inShort(meals)}.${owedInShort(meals, remedy)}`,
  }
}

const inShort = (meals: readonly Meal[]) => mealsInShort(meals.map(({ date }) => date))

const owedInShort = (meals: readonly Meal[], remedy: Closure['remedy']): string => {
  const owed = meals.reduce((sum, { isPaid, price }) => sum + (isPaid ? price : 0), 0)
  if (owed === 0) return ''
  return ` K${decimalFromNgwee(owed)} ${remedy === 'credit' ? 'goes to your credit' : 'will be refunded'}.`
}

const moneyInWords = ({ isPaid, price }: Meal, remedy: Closure['remedy']): string => {
  if (price === 0) return 'it was free, nothing is to be paid back'
  if (!isPaid) return 'it was not paid for, you owe nothing'
  return remedy === 'credit'
    ? `K${decimalFromNgwee(price)} goes to your credit`
    : `K${decimalFromNgwee(price)} will be refunded`
}

const openedMail = ({ remedy }: Closure, meals: readonly Meal[], isFurther: boolean) => {
  const lines = (inWords: InWords) =>
    meals.map((meal) => `- ${inWords(meal)}: ${moneyBackInWords(meal, remedy)}`).join('\n')
  const start = `There is lunch at school after all. These meals are ordered again${isFurther ? ' as well' : ''}:`
  return {
    subject: `${isFurther ? 'More of your meals' : 'Your meals'} are ordered again`,
    text: `${start}\n${lines(wholeMeal)}`,
    bareText: `${start}\n${lines(bareMeal)}`,
    short: `There is lunch at school after all. Ordered again: ${inShort(meals)}.`,
  }
}

const moneyBackInWords = ({ isPaid, price }: Meal, remedy: Closure['remedy']): string => {
  if (price === 0) return 'it is free'
  if (!isPaid) return `K${decimalFromNgwee(price)} is still to be paid`
  return remedy === 'credit'
    ? `K${decimalFromNgwee(price)} was taken from your credit again`
    : `K${decimalFromNgwee(price)} is paid and will not be refunded`
}
