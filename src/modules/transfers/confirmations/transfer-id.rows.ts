import unhomoglyph from 'unhomoglyph'
import { v5 } from 'uuid'
import type { TransferMethod } from './events'

const namespace = '5e1d7a34-0c5b-4f6e-8a53-2f4b9c1d7e60'

/**
 * A transaction id as it is compared: its letters and digits alone, letters of other alphabets as the Latin ones that they
 * look like, O as 0, I and L as 1, without leading zeros and the `.0` of a spreadsheet's number. '' for what is no id, as
 * `0` and `-` are.
 */
export const comparedTransactionId = (transactionId: string): string => {
  const visible = transactionId
    .normalize('NFKC')
    .replaceAll(/[\p{C}\s]/gu, '')
    .replace(/^([\d,]+)\.0+$/, '$1')
  const signs = visible.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return unhomoglyph(signs).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1').replace(/^0+/, '')
}

/**
 * The one name of what pays once: the row of a statement and the transfer that it is confirmed as. `key` tells it from
 * the others of its layout.
 */
export const transferIdFrom = (layout: TransferMethod, key: string): string =>
  v5(`${layout}/${key}`, namespace)

/** The transfer of a transaction id that was typed by hand: one of all layouts, for nobody says whose id it is. */
export const typedTransferId = (transactionId: string): string =>
  v5(`typed/${comparedTransactionId(transactionId)}`, namespace)
