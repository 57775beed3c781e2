import * as credit from '#modules/credit/published'
import { rowView } from '#platform/projections/row-view'
import type { CreditLineSpent, LedgerCreditAccount, LedgerCreditGiven, LedgerCreditSpent } from './ledger'

export const ledgerCreditAccountsView = rowView({
  table: 'audit.ledger_credit_accounts',
  columns: {
    user_id: 'integer',
    given: 'bigint',
    taken_back: 'bigint',
    spent: 'bigint',
    paid_out: 'bigint',
    held: 'bigint',
    balance: 'bigint',
  },
  primaryKey: 'user_id',
  events: [
    credit.creditGiven,
    credit.creditHeld,
    credit.creditSpent,
    credit.creditReleased,
    credit.creditCharged,
    credit.creditTakenBack,
    credit.creditPaidOut,
  ],
  key: ({ data }) => String(data.userId),
  evolve: (row: LedgerCreditAccount | null, { type, data }): LedgerCreditAccount => {
    const before = row ?? { ...nothing, user_id: data.userId }
    const { amount } = data
    const account = 'balanceAfter' in data ? { ...before, balance: data.balanceAfter } : before
    switch (type) {
      case credit.creditGiven.type:
        return { ...account, given: account.given + amount }
      case credit.creditTakenBack.type:
        return { ...account, taken_back: account.taken_back + amount }
      case credit.creditHeld.type:
        return { ...account, held: account.held + amount }
      case credit.creditReleased.type:
        return { ...account, held: account.held - amount }
      case credit.creditSpent.type:
        return { ...account, held: account.held - amount, spent: account.spent + amount }
      case credit.creditCharged.type:
        return { ...account, spent: account.spent + amount }
      case credit.creditPaidOut.type:
        return { ...account, paid_out: account.paid_out + amount }
    }
  },
})

const nothing = { given: 0, taken_back: 0, spent: 0, paid_out: 0, held: 0, balance: 0 }

export const ledgerCreditGivenView = rowView({
  table: 'audit.ledger_credit_given',
  columns: {
    id: 'text',
    attempt_id: 'uuid',
    order_id: 'text',
    kind: 'text',
    amount: 'bigint',
    stands: 'boolean',
  },
  primaryKey: 'id',
  events: [credit.creditGiven, credit.creditTakenBack],
  key: ({ data }) => data.entryId,
  evolve: (row: LedgerCreditGiven | null, { type, data }): LedgerCreditGiven | null => {
    if (type === credit.creditTakenBack.type) return row && { ...row, stands: false }
    const { entryId: id, attemptId: attempt_id, about, kind, amount } = data
    return { id, attempt_id, order_id: about.orderId, kind, amount, stands: true }
  },
})

export const ledgerCreditSpentView = rowView({
  table: 'audit.ledger_credit_spent',
  columns: { id: 'text', attempt_id: 'uuid', order_id: 'text', lines: 'jsonb' },
  primaryKey: 'id',
  events: [credit.creditHeld, credit.creditSpent, credit.creditReleased, credit.creditCharged],
  key: ({ data }) => ('entryId' in data ? data.entryId : data.attemptId),
  evolve: (row: LedgerCreditSpent | null, { type, data }): LedgerCreditSpent => {
    const { attemptId: attempt_id } = data
    if (type === credit.creditCharged.type) {
      const lines = [{ index: 0, amount: data.amount, status: 'spent' as const }]
      return { id: data.entryId, attempt_id, order_id: data.about.orderId, lines }
    }
    const changed = new Map(row?.lines.map((line) => [line.index, line]))
    for (const line of data.lines) changed.set(line.index, { ...line, status: statuses[type] })
    return { id: attempt_id, attempt_id, order_id: null, lines: [...changed.values()] }
  },
})

const statuses = {
  [credit.creditHeld.type]: 'held',
  [credit.creditSpent.type]: 'spent',
  [credit.creditReleased.type]: 'released',
} as const satisfies Record<string, CreditLineSpent['status']>
