import unhomoglyph from 'unhomoglyph'
import { v5 } from 'uuid'
import type { TransferMethod } from './events'

const namespace = '5e1d7a34-0c5b-4f6e-8a53-2f4b9c1d7e60'

/**
 * Normalized for comparison: letters and digits, lookalikes of other alphabets as Latin, O as 0, I and L as 1, no leading zeros or `.0`. ''
 * for no id, as `0` and `-`.
 */
export const comparedTransactionId = (transactionId: string): string => {
  const visible = transactionId
    .normalize('NFKC')
    .replaceAll(/[\p{C}\s]/gu, '')
    .replace(/^([\d,]+)\.0+$/, '$1')
  const signs = visible.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return unhomoglyph(signs).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1').replace(/^0+/, '')
}

/** Stable id of a row's transfer; `key` is unique in its layout. */
export const transferIdFrom = (layout: TransferMethod, key: string): string =>
  v5(`${layout}/${key}`, namespace)

export const typedTransferId = (transactionId: string): string =>
  v5(`typed/${comparedTransactionId(transactionId)}`, namespace)
