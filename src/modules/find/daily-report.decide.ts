import { decimalFromNgwee, type Ngwee } from '#kernel/money'
import { instantAt, longDay, schoolMoment, timeText, weekdayOf, type SchoolDate } from '#kernel/school-time'

type Clock = { now: Date; zone: string }

const reportAt = { hour: 6, minute: 30 }
const monday = 1

/** The day of the school whose report is due, from 06:30 on; null before. */
export const reportDay = ({ now, zone }: Clock): SchoolDate | null => {
  const { date } = schoolMoment(now, zone)
  return now >= instantAt(date, reportAt.hour, reportAt.minute, zone) ? date : null
}

/** As the alert of ops/prometheus/alerts.yml. */
const backupOldAfterHours = 36

type Facts = {
  lastBackup: Date | null
  /** Parts that fail while the rest goes on, as `/readyz` names them. */
  failing: readonly { what: string; name: string; reason: string }[]
  unpaid: { families: number; amount: Ngwee; today: number; amountToday: Ngwee }
  paidWithoutOrder: number
  refunds: { due: number; owed: Ngwee; toCheck: number; askedBy: readonly unknown[] }
  payoutsAsked: number
  /** Families whom no message reached. */
  unreached: number
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`
const money = (ngwee: Ngwee) => `K${decimalFromNgwee(ngwee)}`

const maxFailing = 10

/** One line for each thing that needs somebody; without names, since nobody has proved the addresses. */
export const needingSomebody = (facts: Facts, clock: Clock): string[] => {
  const { unpaid, refunds } = facts
  const approvals = refunds.askedBy.length + facts.payoutsAsked
  const unpaidToday =
    unpaid.today > 0 ? `, of it ${counted(unpaid.today, 'meal')} of today (${money(unpaid.amountToday)})` : ''
  return [
    ...backupLine(facts.lastBackup, clock),
    ...facts.failing
      .slice(0, maxFailing)
      .map(({ what, name, reason }) => `Service: ${what} ${name} fails: ${reason}`),
    ...(unpaid.families > 0
      ? [
          `Unpaid: ${counted(unpaid.families, 'family owes', 'families owe')} ${money(unpaid.amount)}${unpaidToday}`,
        ]
      : []),
    ...(facts.paidWithoutOrder > 0
      ? [`Paid without an order: ${counted(facts.paidWithoutOrder, 'payment')} to decide in Order Recovery`]
      : []),
    ...(refunds.due > 0 ? [`Refunds: ${counted(refunds.due, 'refund')} of ${money(refunds.owed)} wait`] : []),
    ...(refunds.toCheck > 0
      ? [`Refunds: ${counted(refunds.toCheck, 'refund')} through the provider to check`]
      : []),
    ...(approvals > 0 ? [`Approvals: ${approvals} wait for a second administrator`] : []),
    ...(facts.unreached > 0
      ? [`Messages: ${counted(facts.unreached, 'family', 'families')} not reached in the last three days`]
      : []),
  ]
}

const backupLine = (lastBackup: Date | null, { now, zone }: Clock): string[] => {
  if (lastBackup === null) return ['Backup: none was made yet']
  const hours = Math.floor((now.getTime() - lastBackup.getTime()) / 3_600_000)
  if (hours < backupOldAfterHours) return []
  return [`Backup: the last one is ${hours} hours old (${timeText(lastBackup, zone)})`]
}

/** Null: nothing needs anybody, and it is not Monday. */
export const reportLetter = (
  lines: readonly string[],
  day: SchoolDate,
): { subject: string; paragraphs: string[] } | null => {
  if (lines.length > 0)
    return {
      subject: `${counted(lines.length, 'thing')} to look at today`,
      paragraphs: ['this needs somebody:', lines.map((line) => `- ${line}`).join('\n')],
    }
  if (weekdayOf(day) !== monday) return null
  return { subject: 'All is well', paragraphs: [`all is well on ${longDay(day)}: nothing needs anybody.`] }
}
