import { useMutation } from '@tanstack/react-query'
import type { ReplyOf } from '#contracts/endpoint'
import { applyPromotion, lastPromotion, previewPromotion, undoPromotion } from '#contracts/promotion'
import { endpointMutation, endpointQuery } from '../../lib/endpoint-query'

export type YearMove = ReplyOf<typeof previewPromotion>
export type UndoneMove = ReplyOf<typeof undoPromotion>
export type LastMove = NonNullable<ReplyOf<typeof lastPromotion>['promotion']>
export type AffectedLunch = YearMove['affectedOrders'][number]

/** Read again whenever it is shown: another office may have moved the school. */
export const lastQuery = { ...endpointQuery('identity', lastPromotion, {}), staleTime: 0 }

export const previewMove = endpointMutation(previewPromotion)
const applyMove = endpointMutation(applyPromotion, 'identity', 'ordering')
const undoMove = endpointMutation(undoPromotion, 'identity', 'ordering')

export const useApplying = () => useMutation(applyMove)
export const useUndoing = () => useMutation(undoMove)
