import { decimalFromNgwee, type Ngwee } from '#kernel/money'
import { longDay, timeText, type SchoolDate } from '#kernel/school-time'
import { mealsInShort, type UserMessage } from '#kernel/user-message'

export type LapsingOrder = {
  id: string
  attemptId: string
  userId: number
  date: SchoolDate
  student: string
  item: string
  toPay: Ngwee
  credit: Ngwee
  placedAt: Date
  lapsesAt: Date
  state: 'unpaid' | 'lapsed' | 'over'
}

type InWords = (order: LapsingOrder) => string

const wholeMeal: InWords = ({ item, student, date }) => `${item} for ${student} on ${longDay(date)}`
/** Without typed text. */
const bareMeal: InWords = ({ date }) => `A meal on ${longDay(date)}`

const letter = (
  subject: string,
  start: string,
  orders: readonly LapsingOrder[],
  more: (order: LapsingOrder) => string,
  end: string,
  short: (meals: string) => string,
): UserMessage => {
  const text = (inWords: InWords) =>
    `${start}\n${orders.map((order) => `- ${inWords(order)}: ${more(order)}`).join('\n')}\n\n${end}`
  const meals = mealsInShort(orders.map(({ date }) => date))
  return { subject, text: text(wholeMeal), bareText: text(bareMeal), short: short(meals) }
}

export const lapseWarning = (
  orders: readonly LapsingOrder[],
  references: ReadonlyMap<string, string>,
  zone: string,
): UserMessage =>
  letter(
    'Meals of yours are not paid for yet',
    'we have not seen the payment for these meals. What is not paid for in time is cancelled:',
    orders,
    ({ toPay, attemptId, lapsesAt }) =>
      `K${decimalFromNgwee(toPay)}, reference ${references.get(attemptId)}, until ${timeText(lapsesAt, zone)}`,
    'If you have paid already, you need not pay again: we shall see it soon.',
    (meals) => {
      const toPay = orders.reduce((sum, order) => sum + order.toPay, 0)
      const first = new Date(Math.min(...orders.map(({ lapsesAt }) => lapsesAt.getTime())))
      const named = [...new Set(orders.map(({ attemptId }) => references.get(attemptId)))].join(', ')
      return `Not paid yet: ${meals}, K${decimalFromNgwee(toPay)}, reference ${named}. Cancelled from ${timeText(first, zone)}.`
    },
  )

export const lapsedLetter = (orders: readonly LapsingOrder[]): UserMessage =>
  letter(
    'Meals of yours were cancelled: they were not paid for',
    'these meals were not paid for in time and are cancelled:',
    orders,
    ({ credit }) =>
      credit > 0
        ? `you owe nothing, and K${decimalFromNgwee(credit)} goes back to your credit`
        : 'you owe nothing',
    'If you have paid, please tell the school your reference.',
    (meals) => `Cancelled, not paid for: ${meals}. If you have paid, please tell the school your reference.`,
  )
