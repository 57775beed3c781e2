import { z } from 'zod'
import { column, type RowOf } from '#kernel/column'
import { eventReader } from '#kernel/event'
import type { UserMessage } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { loadStreams } from '#platform/event-store/command-handler'
import { job, work } from '#platform/jobs/job'
import { lettersOf } from '#platform/letters'
import type { Reactor } from '#platform/module'
import { rowView } from '#platform/projections/row-view'
import type { RefundsNeeds } from './ports'
import { refundPaidBack, type Due, type Payout } from './refund'
import { isCashOut, refundDecider } from './refund.decide'

const tellRefundPaidJob = job({
  name: 'tell-family-of-refund-paid',
  payload: z.object({ refundId: z.string(), payoutId: z.uuid() }),
  attempts: 10,
  backoffMs: 1_000,
})

const read = eventReader(refundPaidBack)

export const tellFamilyWhenRefundPaid = (queue: RefundsNeeds['queue']): Reactor => ({
  name: 'tell-family-when-refund-paid',
  types: [refundPaidBack.type],
  react: async (event) => {
    const data = read(event)?.data
    if (!data || !isCashOut(data.method)) return
    const { refundId, payoutId } = data
    await queue.enqueue(tellRefundPaidJob, { refundId, payoutId }, { id: `refund-paid-${event.id}` })
  },
})

const maxDueAtOnce = 500

export const refundLetters = ({ database, eventStore, messaging, now }: RefundsNeeds) => {
  const letters = lettersOf<Pick<LetterRow, 'id' | 'refund_id'>>({
    database,
    now,
    name: 'write-refund-letters',
    notes: 'refunds.letters_written',
    due: ({ from, until }, isUndone) =>
      database
        .knex('refunds.letters as letter')
        .whereBetween('at', [from, until])
        .whereRaw(isUndone)
        .orderBy(['at', 'id'])
        .limit(maxDueAtOnce),
    write: async (due) => {
      const refunds = await loadStreams(
        eventStore,
        refundDecider,
        due.map(({ refund_id: refundId }) => refundId),
      )
      await messaging.messageUsers(
        due.flatMap(({ id }, index) => {
          const { state } = refunds[index]!
          const payout = 'payouts' in state && state.payouts.find(({ payoutId }) => payoutId === id)
          if (!payout) return []
          const message = refundPaidLetter(state.due, payout)
          return [{ userId: state.due.userId, message, cause: `refund-paid-${id}` }]
        }),
      )
      return due
    },
  })
  const job = work(tellRefundPaidJob, ({ refundId, payoutId }) =>
    letters.writeOnce([{ id: payoutId, refund_id: refundId }]),
  )
  return { ...letters, job }
}

const ways: Partial<Record<Payout['method'], string>> = {
  cash: ' in cash',
  mobile_money: ' by mobile money',
  bank: ' by bank transfer',
  card: ' to your card',
}

export const refundPaidLetter = (
  { item, student }: Pick<Due, 'item' | 'student'>,
  { amount, stillOwed, method }: Pick<Payout, 'amount' | 'stillOwed' | 'method'>,
): UserMessage => {
  const paid = `The school has paid back K${decimalFromNgwee(amount)}${ways[method] ?? ''}`
  const rest = stillOwed > 0 ? ` K${decimalFromNgwee(stillOwed)} of it is still to be paid back.` : ''
  return {
    subject: 'Money was paid back to you',
    text: `${paid} for ${item.name} of ${student.name}.${rest}`,
    bareText: `${paid} for a meal.${rest}`,
    short: `${paid}.${rest}`,
  }
}

const letterColumns = {
  id: column<string>('uuid'),
  refund_id: column<string>('text'),
  at: column<string | Date>('timestamptz'),
}
type LetterRow = RowOf<typeof letterColumns>

/** Money only: no credit, no waivers. */
export const lettersView = rowView({
  table: 'refunds.letters',
  columns: letterColumns,
  primaryKey: 'id',
  events: [refundPaidBack],
  key: ({ data }) => data.payoutId,
  evolve: (_row: LetterRow | null, { data }): LetterRow | null =>
    isCashOut(data.method) ? { id: data.payoutId, refund_id: data.refundId, at: data.at } : null,
})
