import { v5 } from 'uuid'
import type { TransferMethod } from './events'

const namespace = '5e1d7a34-0c5b-4f6e-8a53-2f4b9c1d7e60'

/** A transaction id as it is compared: without regard to case and spaces. */
export const comparedTransactionId = (transactionId: string): string =>
  transactionId.replaceAll(/\s/g, '').toUpperCase()

/**
 * The one name of what pays once: the row of a statement and the transfer that it is confirmed as. `key` tells it from
 * the others of its layout.
 */
export const transferIdFrom = (layout: TransferMethod, key: string): string =>
  v5(`${layout}/${key}`, namespace)

/** The transfer with this transaction id, whether it stands on a statement or was typed by hand. */
export const transferOfTransaction = (layout: TransferMethod, transactionId: string): string =>
  transferIdFrom(layout, `id/${comparedTransactionId(transactionId)}`)
