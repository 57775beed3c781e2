import { paymentBypass, type PaymentBypass } from '#contracts/payments'
import { schoolMoment } from '#kernel/school-time'
import type { StoredSettings } from '#platform/settings'
import type { PaymentsNeeds } from '../ports'
import type { Lapsing } from './unpaid.decide'

export const switchedOff: PaymentBypass = {
  enabled: false,
  beside: false,
  prompt: false,
  unpaidUntil: 'never',
  airtelMoney: { name: '', number: '' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
}

const name = 'payment-bypass'

export const storedBypass: StoredSettings<PaymentBypass> = {
  read: async (at, how) => {
    const rows = at('payments.settings').where({ name })
    if (how) {
      await at('payments.settings')
        .insert({ name, value: JSON.stringify(switchedOff) })
        .onConflict('name')
        .ignore()
      rows.forUpdate()
    }
    const [value] = await rows.pluck('value')
    return value === undefined ? switchedOff : paymentBypass.parse(value)
  },

  write: (transaction, after, { at }) =>
    transaction('payments.settings')
      .where({ name })
      .update({
        value: JSON.stringify(after),
        lapsing_since:
          after.unpaidUntil === 'cutoff' ? transaction.raw('coalesce(lapsing_since, ?)', [at]) : null,
      }),
}

/** Null: unpaid meals stay. */
export const readLapsing = async ({
  database: { knex },
  now,
  zone,
  graceMinutes,
}: PaymentsNeeds): Promise<Lapsing | null> => {
  const [since] = await knex('payments.settings').where({ name }).pluck<(Date | null)[]>('lapsing_since')
  if (!since) return null
  const from = new Date(since.getTime() + graceMinutes * 60_000 + 1)
  return { since, from, today: schoolMoment(now(), zone).date }
}
