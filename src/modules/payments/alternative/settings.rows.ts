import type { Knex } from 'knex'
import { paymentBypass, type PaymentBypass } from '#contracts/payments'

/** Nothing but the card. */
export const switchedOff: PaymentBypass = {
  enabled: false,
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

/** Answers the settings as they then are. */
export const writePaymentBypass = async (knex: Knex, settings: PaymentBypass): Promise<PaymentBypass> => {
  await knex('payments.settings')
    .insert({ name, value: JSON.stringify(settings) })
    .onConflict('name')
    .merge()
  return settings
}
