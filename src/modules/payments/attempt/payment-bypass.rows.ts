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
    return bypassOf(await rows)
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

type Stored = { value: unknown }

const bypassOf = ([stored]: readonly Stored[]): PaymentBypass =>
  stored ? paymentBypass.parse(stored.value) : switchedOff

export const readBypass = async ({
  database: { reads },
}: Pick<PaymentsNeeds, 'database'>): Promise<PaymentBypass> => {
  const text = `select value from payments.settings where name = '${name}'`
  return bypassOf((await reads.query<Stored>({ name: 'payments-bypass', text })).rows)
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
