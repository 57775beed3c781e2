import { rowView } from '#platform/projections/row-view'
import type { CreditKind } from '#contracts/credit'
import type { Ngwee } from '#kernel/money'
import {
  creditCharged,
  creditEventTypes,
  creditGiven,
  creditHeld,
  creditPaidOut,
  creditReleased,
  creditSpent,
  creditTakenBack,
  type CreditEvent,
} from './family-credit'

export type AccountRow = { user_id: number; balance: Ngwee; held: Ngwee }

export const creditAccountsView = rowView({
  table: 'credit.accounts',
  columns: { user_id: 'integer', balance: 'integer', held: 'integer' },
  primaryKey: 'user_id',
  events: creditEventTypes,
  key: ({ data }) => String(data.userId),
  evolve: (row: AccountRow | null, { type, data }: CreditEvent): AccountRow => {
    const { balance, held } = row ?? { balance: 0, held: 0 }
    const user_id = data.userId
    switch (type) {
      case creditHeld.type:
        return { user_id, balance: data.balanceAfter, held: held + data.amount }
      case creditSpent.type:
        return { user_id, balance, held: held - data.amount }
      case creditReleased.type:
        return { user_id, balance: data.balanceAfter, held: held - data.amount }
      default:
        return { user_id, balance: data.balanceAfter, held }
    }
  },
})

/** `amount` in ngwee, negative for decreases. */
export type EntryRow = {
  id: string
  user_id: number
  position: string
  at: string | Date
  kind: CreditKind
  amount: number
  balance_after: Ngwee
  order_id: string | null
  reference: string | null
  text: string
}

const entryEvents = [
  creditGiven,
  creditHeld,
  creditReleased,
  creditCharged,
  creditTakenBack,
  creditPaidOut,
] as const

export const creditEntriesView = rowView({
  table: 'credit.entries',
  columns: {
    id: 'uuid',
    user_id: 'integer',
    position: 'text',
    at: 'timestamptz',
    kind: 'text',
    amount: 'integer',
    balance_after: 'integer',
    order_id: 'text',
    reference: 'text',
    text: 'text',
  },
  primaryKey: 'id',
  events: entryEvents,
  key: ({ id }) => id,
  /** Held credit shows as spent until released. */
  evolve: (_row: EntryRow | null, event): EntryRow => {
    const { id, position, type, data } = event
    const { userId, balanceAfter, at } = data
    const common = { id, position, user_id: userId, at, balance_after: balanceAfter }
    if (type === creditPaidOut.type) {
      const { amount, method, reference } = data
      const text = method === 'given_up' ? 'Given up' : `Paid out (${method.replaceAll('_', ' ')})`
      return { ...common, kind: 'paidOut', amount: -amount, order_id: null, reference, text }
    }
    const { about, text } = data
    const told = { ...common, order_id: about.orderId, reference: about.reference, text }
    switch (type) {
      case creditGiven.type:
        return { ...told, kind: data.kind, amount: data.amount }
      case creditReleased.type:
        return { ...told, kind: 'released', amount: data.amount }
      case creditTakenBack.type:
        return { ...told, kind: 'takenBack', amount: -data.amount }
      case creditHeld.type:
      case creditCharged.type:
        return { ...told, kind: 'spent', amount: -data.amount }
    }
  },
})

export type GivenRow = {
  id: string
  user_id: number
  order_id: string | null
  kind: CreditKind
  amount: Ngwee
  stands: boolean
}

export const creditGivenView = rowView({
  table: 'credit.given',
  columns: {
    id: 'text',
    user_id: 'integer',
    order_id: 'text',
    kind: 'text',
    amount: 'integer',
    stands: 'boolean',
  },
  primaryKey: 'id',
  events: [creditGiven, creditTakenBack],
  key: ({ data }) => data.entryId,
  evolve: (row: GivenRow | null, { type, data }): GivenRow | null => {
    if (type === creditTakenBack.type) return row && { ...row, stands: false }
    const { entryId: id, userId: user_id, about, kind, amount } = data
    return { id, user_id, order_id: about.orderId, kind, amount, stands: true }
  },
})

export type CheckoutRow = { attempt_id: string; user_id: number; held: Ngwee; spent: Ngwee }

export const creditCheckoutsView = rowView({
  table: 'credit.checkouts',
  columns: { attempt_id: 'uuid', user_id: 'integer', held: 'integer', spent: 'integer' },
  primaryKey: 'attempt_id',
  events: [creditHeld, creditSpent, creditReleased],
  key: ({ data }) => data.attemptId,
  evolve: (row: CheckoutRow | null, { type, data }): CheckoutRow => {
    const before = row ?? { attempt_id: data.attemptId, user_id: data.userId, held: 0, spent: 0 }
    if (type === creditHeld.type) return { ...before, held: before.held + data.amount }
    const spent = type === creditSpent.type ? before.spent + data.amount : before.spent
    return { ...before, held: before.held - data.amount, spent }
  },
})

export const creditViews = [creditAccountsView, creditEntriesView, creditGivenView, creditCheckoutsView]
