import type { Knex } from 'knex'
import { paymentBypass, type PaymentBypass } from '#contracts/payments'

/** Nothing but the card. */
export const switchedOff: PaymentBypass = {
  enabled: false,
  beside: false,
  unpaidUntil: 'never',
  airtelMoney: { name: '', number: '' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
}

const name = 'payment-bypass'

/** The alternative payments as set; switched off and blank until somebody has. */
export const readPaymentBypass = async (knex: Knex): Promise<PaymentBypass> => {
  const [value] = await knex('payments.settings').where({ name }).pluck('value')
  return value === undefined ? switchedOff : paymentBypass.parse(value)
}

/** The settings, locked until the transaction ends. */
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
): Promise<void> => {
  await transaction('payments.settings')
    .where({ name })
    .update({ value: JSON.stringify(settings) })
}
