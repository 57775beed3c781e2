import { eventReader, userIdOf, type EventOf } from '#kernel/event'
import { parseOrderId } from '#kernel/id'
import { mealSubject, mealsInShort, type UserMessage } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { longDay, type SchoolDate } from '#kernel/school-time'
import type { Reactor } from '#platform/module'
import type { OrderingNeeds } from '../ports'
import { absenceMarked, absenceTakenBack, orderCancelled, orderChanged } from '../slot/events'
import { moneyBackText, type MoneyBack } from '../slot/money-back.decide'
import type { OrderFacts } from '../slot/order-facts'
import { moneyBackOf } from './money-back.commands'
import { ordersNow } from './orders.commands'

const types = [orderCancelled, orderChanged, absenceMarked, absenceTakenBack] as const
const read = eventReader(...types)
type Act = EventOf<(typeof types)[number]>

/** Writes the message itself: its checkpoint prevents loss, the event id duplicates. */
export const tellPayerWhenGuardianActs = (needs: OrderingNeeds): Reactor => ({
  name: 'tell-payer-when-guardian-acts',
  types: types.map(({ type }) => type),
  react: async (stored) => {
    const act = read(stored)
    if (!act || ('by' in act.data && act.data.by !== 'parent' && !isOfficeMove(act))) return
    const lunch = parseOrderId(act.data.orderId)?.lunch
    const actor = userIdOf(stored.metadata.actor)
    const [order] = lunch ? await ordersNow(needs)([act.data.orderId]) : []
    if (!lunch || !order || order.userId === actor) return
    // The hatch and the office also take absences back.
    const guardians = (await needs.identity.guardiansOf([lunch.studentId])).get(lunch.studentId)
    if (act.type === absenceTakenBack.type && (actor === null || !guardians?.includes(actor))) return
    const back = act.type === orderCancelled.type ? await moneyBackOf(needs)([order.id]) : null
    const message = letterOf(act, { ...order, back: back?.get(order.id) }, dateOf(act, order))
    await needs.messaging.messageUser(order.userId, message, `guardian-acted-${stored.id}`)
  },
})

const isOfficeMove = (act: Act): boolean =>
  act.type === orderChanged.type && act.data.moved !== undefined && act.data.by === 'administrator'

/** Of the lunch that was acted on. */
const dateOf = (act: Act, { mealDate }: OrderFacts): SchoolDate =>
  (act.type === orderChanged.type && act.data.moved?.from) || mealDate

type Words = { what: string; start: string; did: (meal: string) => string; money: string }

type ActedOn = OrderFacts & { back: MoneyBack | undefined }

export const letterOf = (act: Act, order: ActedOn, date: SchoolDate): UserMessage => {
  const { what, start, did, money } = wordsOf(act, order)
  const on = longDay(date)
  const [who, bareWho] = isOfficeMove(act)
    ? ['The school', 'The school']
    : [`Another guardian of ${order.student.name}`, 'Another guardian of the child']
  return {
    ...mealSubject({ what, meals: [{ student: order.student, mealDate: date }] }),
    text: `${who} ${did(`${mealOf(act, order)} on ${on}`)}, which you had ordered. ${money}`,
    bareText: `${bareWho} ${did(`a meal on ${on}`)}, which you had ordered. ${money}`,
    short: `${start}: ${mealsInShort([date])}. ${money}`,
  }
}

const mealOf = (act: Act, { item }: OrderFacts): string =>
  act.type === orderChanged.type ? act.data.old.item.name : item.name

const wordsOf = (act: Act, order: ActedOn): Words => {
  switch (act.type) {
    case orderCancelled.type:
      return {
        what: 'Cancelled by another guardian',
        start: 'A meal of yours was cancelled',
        did: (meal) => `has cancelled ${meal}`,
        money: moneyOfCancelled(order),
      }
    case orderChanged.type: {
      const { moved, old, meal } = act.data
      const money = moneyOfChanged(old.price - meal.price, order)
      if (moved)
        return {
          what: isOfficeMove(act) ? 'Moved by the school' : 'Moved by another guardian',
          start: 'A meal of yours was moved',
          did: movedTo(moved.mealDate),
          money,
        }
      return {
        what: 'Changed by another guardian',
        start: 'A meal of yours was changed',
        did: (meal) => `has chosen another meal instead of ${meal}`,
        money,
      }
    }
    case absenceMarked.type:
      return {
        what: 'Ill, so no lunch',
        start: 'A child is ill and does not eat your meal',
        did: (meal) => `says that the child is ill and does not eat ${meal}`,
        money:
          order.paymentStatus === 'confirmed' && act.data.credit > 0
            ? `${kwacha(act.data.credit)} goes to your credit.`
            : 'No money goes back for it.',
      }
    case absenceTakenBack.type:
      return {
        what: 'Lunch after all',
        start: 'A child eats your meal after all',
        did: (meal) => `says that the child eats ${meal} after all`,
        money: 'Credit that was given for it is taken back.',
      }
  }
}

const movedTo = (date: SchoolDate) => (meal: string) => `has moved ${meal} to ${longDay(date)}`

const kwacha = (amount: number) => `K${decimalFromNgwee(amount)}`

const moneyOfCancelled = ({ back }: ActedOn): string =>
  `${(back && moneyBackText(back, 'goes back to you')) ?? 'Nothing is to be paid back'}.`

const moneyOfChanged = (less: number, { paymentStatus, price }: OrderFacts): string => {
  if (less <= 0) return 'It costs the same.'
  return paymentStatus === 'confirmed'
    ? `${kwacha(less)} goes to your credit.`
    : `${kwacha(price)} is to be paid for it.`
}
