import { childrenInShort, type UserMessage } from '#kernel/meal-line'
import { decimalFromNgwee, type Ngwee } from '#kernel/money'
import { clockTime, dayAndMonth, longDay, schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { PlannedWeek } from '#modules/ordering/published'

export const planLink = (publicUrl: string): string => `${publicUrl.replace(/\/$/, '')}/?tab=students`

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const mealsOf = ({ lines }: PlannedWeek): string => (lines.length === 1 ? '1 meal' : `${lines.length} meals`)

type Announced = {
  planned: PlannedWeek
  toPay: Ngwee
  names: readonly string[]
  /** Masked. */
  phone: string
  askedAt: Date
  zone: string
  link: string
}

export const announcement = ({
  planned,
  toPay,
  names,
  phone,
  askedAt,
  zone,
  link,
}: Announced): UserMessage => {
  const moment = schoolMoment(askedAt, zone)
  const lunches = planned.week === moment.date ? "This week's lunches" : "Next week's lunches"
  const sum = `${mealsOf(planned)}, K${decimalFromNgwee(toPay)}`
  const asked = `At ${clockTime(moment)} your phone ${phone} asks for your PIN.`
  const change = `Change or skip: ${link}`
  return {
    subject: `${lunches} for ${childrenInShort(names)}: ${sum}`,
    bareSubject: `${lunches}: ${sum}`,
    text: `${lunches} for ${listed(names)}: ${sum}. ${asked} ${change}`,
    bareText: `${lunches}: ${sum}. ${asked} ${change}`,
    short: `${lunches}: ${sum}. ${asked} ${change}`,
  }
}

const same = (subject: string, text: string): UserMessage => ({ subject, text, bareText: text, short: text })

/** `why` is a sentence. */
export const failedWeek = (week: SchoolDate, why: string, link: string): UserMessage =>
  same(
    `Your plan could not order lunch: week of ${dayAndMonth(week)}`,
    `Your plan did not order the lunches of the week of ${longDay(week)}: ${why} Nothing was taken. Order them: ${link}`,
  )

export const pausedPlan = (link: string): UserMessage =>
  same(
    'Your plan is paused',
    `Three weeks in a row were not paid, so your plan is paused and orders nothing. Let it go on: ${link}`,
  )
