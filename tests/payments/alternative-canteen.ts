import { v5 } from 'uuid'
import { type CartLine, placeOrders } from '#contracts/ordering'
import { type PaymentBypass, savePaymentBypass } from '#contracts/payments'
import { verifyPending } from '#contracts/transfers'
import type { Client } from '../../src/app/demo/client'
import { openCanteen } from '../ordering/canteen'
import { superadminPassword } from '../support/school'
import { airtelFile, uploaded } from '../support/upload-statement'

/** Airtel and bank are filled in, MTN is not. */
export const airtelAndBank: PaymentBypass = {
  enabled: true,
  beside: false,
  prompt: false,
  unpaidUntil: 'never',
  airtelMoney: { name: 'Lusaka Test School', number: '0970 000 001' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: {
    bankName: 'Zanaco',
    accountName: 'Tuckshop',
    accountNumber: '0012345',
    branchName: 'Cairo Road',
    swiftCode: '',
  },
}

/** The canteen with alternative payments by Airtel and bank switched on. */
export const openAlternativeCanteen = async (
  variables: Record<string, string> = {},
  more: Parameters<typeof openCanteen>[1] = {},
) => {
  const canteen = await openCanteen(variables, more)
  const { superadminClient: superadmin } = canteen
  const set = (settings: Partial<PaymentBypass>) =>
    superadmin.call(savePaymentBypass, {
      body: { ...airtelAndBank, ...settings, currentPassword: superadminPassword },
    })
  await set({})
  /** What a job does soon after a statement. */
  const prove = () => canteen.sweepNamed('prove-transfers')
  /** With a transaction id that stands on a statement: otherwise the money would go back as credit only. */
  const verify = async (orderIds: string[], by: Client = superadmin) => {
    const transactionId = v5([...new Set(orderIds)].toSorted().join(' '), v5.URL)
    const verified = await by.call(verifyPending, { body: { orderIds, transactionId } })
    const row = `${transactionId},14/09/2026 06:39:12,0977111111,SEEN,9999.00,seen,Transaction Success`
    await uploaded(superadmin, { bytes: airtelFile(row) })
    await prove()
    return verified
  }
  return { ...canteen, set, verify, prove }
}
export type AlternativeCanteen = Awaited<ReturnType<typeof openAlternativeCanteen>>

/** Hands in a cart; answers the orders and what is to be paid. */
export const order = (client: Client, lines: CartLine[], key?: string) =>
  client.call(placeOrders, {
    body: lines,
    headers: key === undefined ? undefined : { 'idempotency-key': key },
  })
