import type { Waiting, WaitingKind } from '#contracts/find'
import type { FeatureName } from '#contracts/identity'
import { consolePaths, paths } from '../../lib/paths'

/** `to` is null where the row has links of its own. */
type Words = { one: string; many: string; hint: string; to: string | null }

const unpaidLive = consolePaths.sectionWith('live_orders', { status: 'Not paid yet' })

const words: Record<WaitingKind, Words> = {
  payments_to_decide: {
    one: 'payment is here, but its order could not be made',
    many: 'payments are here, but their orders could not be made',
    hint: 'Retry, change the meal, or give the money back.',
    to: consolePaths.sectionWith('order_recovery', { status: 'waiting' }),
  },
  unpaid_today: {
    one: 'lunch of today is not paid',
    many: 'lunches of today are not paid',
    hint: 'Confirm the payment, or call the family.',
    to: paths.section('pending_payments'),
  },
  approvals: {
    one: 'request needs your approval',
    many: 'requests need your approval',
    hint: 'Another administrator asked to pay money out.',
    to: paths.section('refunds'),
  },
  card_refunds_to_check: {
    one: 'refund to a card is unclear',
    many: 'refunds to cards are unclear',
    hint: 'Look in the card provider’s portal and record what you see.',
    to: paths.section('refunds'),
  },
  statement_rows: {
    one: 'payment on a statement is open',
    many: 'payments on statements are open',
    hint: 'Confirm what matches, and choose meals for the rest.',
    to: consolePaths.statements,
  },
  unpaid_families: {
    one: 'family has not paid yet',
    many: 'families have not paid yet',
    hint: 'Upload a statement, or confirm what you have seen.',
    to: paths.section('pending_payments'),
  },
  unpaid_payments: {
    one: 'payment has not arrived yet',
    many: 'payments have not arrived yet',
    hint: 'Mobile money and bank transfers that families announced.',
    to: unpaidLive,
  },
  refunds_due: {
    one: 'refund is owed',
    many: 'refunds are owed',
    hint: 'Pay it back, or turn it into credit.',
    to: paths.section('refunds'),
  },
  undelivered: {
    one: 'family did not get our last message',
    many: 'families did not get our last message',
    hint: 'Check the address or phone number, or call.',
    to: null,
  },
  days_to_close: {
    one: 'day is not closed',
    many: 'days are not closed',
    hint: 'Of the last month, with money in or out.',
    to: consolePaths.dayEnd,
  },
}

export const waitingText = ({ what, count }: Waiting, held: readonly FeatureName[]) => {
  const { one, many, hint, to } = words[what]
  const isElsewhere = what === 'unpaid_today' && !held.includes('pending_payments')
  return { title: count === 1 ? one : many, hint, to: isElsewhere ? unpaidLive : to }
}
