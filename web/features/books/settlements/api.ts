import { mutationOptions } from '@tanstack/react-query'
import {
  settlementOf,
  settlements,
  uploadSettlement,
  type SettlementState,
  type SettlementType,
} from '#contracts/settlements'
import { call } from '../../../lib/call'
import { endpointQuery, listQuery, refreshes } from '../../../lib/endpoint-query'
import { type MappedFile, uploadForm } from '../../../lib/files'

export const settlementsQuery = listQuery('payments', settlements, {})
export const settlementQuery = (id: number) => endpointQuery('payments', settlementOf, { params: { id } })

export const upload = mutationOptions({
  mutationFn: (file: MappedFile) => call(uploadSettlement, { form: uploadForm(file) }),
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
