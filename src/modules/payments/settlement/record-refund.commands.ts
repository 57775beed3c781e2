import type { Ngwee } from '#kernel/money'
import { commandHandler, type By } from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import type { OwedPart } from '../attempt/events'
import { paymentAttempt } from '../attempt/fold'
import { decideSettlement } from '../attempt/settlement.decide'

/** In ngwee. */
export type PartPayout = { attemptId: string; part: OwedPart; payoutId: string; amount: Ngwee }

export const recordRefund = (ports: Ports) => {
  const handle = commandHandler(paymentAttempt, ports)
  return async ({ attemptId, ...refund }: PartPayout, by: By): Promise<void> => {
    const record = { kind: 'record-refund', ...refund } as const
    const idSeed = `${refund.payoutId}/recorded`
    await handle(attemptId, by, (attempt, at) => decideSettlement({ ...record, now: at }, attempt), idSeed)
  }
}
