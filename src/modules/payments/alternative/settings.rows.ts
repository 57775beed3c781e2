import type { Pool } from 'pg'
import { paymentBypass } from '#contracts/payments'
import type { PaymentBypass } from '#contracts/payments'

/** Nothing but the card. */
export const switchedOff: PaymentBypass = {
  enabled: false,
  airtelMoney: { name: '', number: '' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
}

/** The alternative payments as set; switched off and blank until somebody has. */
export const readPaymentBypass = async (pool: Pool): Promise<PaymentBypass> => {
  const { rows } = await pool.query<{ value: unknown }>(
    `select value from payments.settings where name = 'payment-bypass'`,
  )
  return rows[0] ? paymentBypass.parse(rows[0].value) : switchedOff
}

/** Answers the settings as they then are. */
export const writePaymentBypass = async (pool: Pool, settings: PaymentBypass): Promise<PaymentBypass> => {
  await pool.query(
    `insert into payments.settings (name, value) values ('payment-bypass', $1)
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(settings)],
  )
  return settings
}
