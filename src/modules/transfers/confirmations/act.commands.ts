import { v5, v7 } from 'uuid'
import type { By } from '#platform/event-store/command-handler'
import type { Act } from './transfers.commands'

export type Acting = { administrator: number; idempotencyKey: string | null; by: By }

const namespace = '2f7a9d16-8b3c-4e05-9a41-c6d0e7b85f32'

/** The same request names the same act; without a key a new one. */
export const actOf = ({ administrator, idempotencyKey, by }: Acting, what: readonly string[]): Act => ({
  administrator,
  by,
  confirmationId:
    idempotencyKey === null
      ? v7()
      : v5(`${administrator}/${idempotencyKey}/${what.toSorted().join('/')}`, namespace),
})
