import type { Knex } from 'knex'
import { paymentBypass, type PaymentBypass } from '#contracts/payments'
import { schoolMoment } from '#kernel/school-time'
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

export const readPaymentBypass = async (knex: Knex): Promise<PaymentBypass> => {
  const [value] = await knex('payments.settings').where({ name }).pluck('value')
  return value === undefined ? switchedOff : paymentBypass.parse(value)
}

export const lockPaymentBypass = async (transaction: Knex.Transaction): Promise<PaymentBypass> => {
  await transaction('payments.settings')
    .insert({ name, value: JSON.stringify(switchedOff) })
    .onConflict('name')
    .ignore()
  const [value] = await transaction('payments.settings').where({ name }).forUpdate().pluck('value')
  return paymentBypass.parse(value)
}

export const writePaymentBypass = async (
  transaction: Knex.Transaction,
  settings: PaymentBypass,
  at: Date,
): Promise<void> => {
  await transaction('payments.settings')
    .where({ name })
    .update({
      value: JSON.stringify(settings),
      lapsing_since:
        settings.unpaidUntil === 'cutoff' ? transaction.raw('coalesce(lapsing_since, ?)', [at]) : null,
    })
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
