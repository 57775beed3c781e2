import { mutationOptions } from '@tanstack/react-query'
import {
  settlementOf,
  settlements,
  uploadSettlement,
  type SettlementMapping,
  type SettlementState,
  type SettlementType,
} from '#contracts/settlements'
import { call } from '../../../lib/call'
import { endpointQuery, listQuery, refreshes } from '../../../lib/endpoint-query'

export const settlementsQuery = listQuery('payments', settlements, {})
export const settlementQuery = (id: number) => endpointQuery('payments', settlementOf, { params: { id } })

type Upload = { file: File; mapping: SettlementMapping | null }

/** `mapping` is for an unknown layout. */
export const upload = mutationOptions({
  mutationFn: ({ file, mapping }: Upload) => {
    const form = new FormData()
    if (mapping) form.set('mapping', JSON.stringify(mapping))
    form.set('file', file)
    return call(uploadSettlement, { form })
  },
  onSettled: refreshes('payments'),
})

export const stateNames: Record<SettlementState, string> = {
  matched: 'Matched',
  amount_differs: 'Amount differs',
  missing_here: 'Missing here',
  missing_there: 'Missing there',
}

export const typeNames: Record<SettlementType, string> = {
  payment: 'Payment',
  refund: 'Refund',
  chargeback: 'Chargeback',
}
