import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { setOrderStatus } from '#contracts/kitchen'
import { completeRefund, listRefunds } from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import type { Acknowledged } from './acknowledged'
import { untilAnswered, type Shift } from './asking'
import type { Random } from './random'

const breathMs = 20

/** The kitchen completes what was ordered, also what a family is about to cancel; the office pays back what is due. */
export const workInOffice =
  (office: Client, acknowledged: Acknowledged, random: Random) =>
  async (shift: Shift): Promise<void> => {
    while (!shift.over()) {
      await (random.chance(0.6) ? complete : payBack)(office, acknowledged, random)
      await pause(breathMs)
    }
  }

const complete = async (office: Client, acknowledged: Acknowledged, random: Random): Promise<void> => {
  const { placed, cancelled, completed } = acknowledged
  const open = [...placed.keys()].filter((id) => !cancelled.has(id) && !completed.has(id))
  const orderIds = [...new Set(Array.from({ length: Math.min(open.length, 4) }, () => random.pick(open)))]
  if (orderIds.length === 0) return
  const body = { orderIds, status: 'completed' as const }
  const done = await untilAnswered(acknowledged, () => office.call(setOrderStatus, { body }))
  const skipped = new Set(done?.skipped.map(({ id }) => id))
  if (done) for (const id of orderIds) if (!skipped.has(id)) completed.add(id)
}

const payBack = async (office: Client, acknowledged: Acknowledged, random: Random): Promise<void> => {
  const due = await untilAnswered(acknowledged, () => office.call(listRefunds))
  if (!due || due.data.length === 0) return
  const { id } = random.pick(due.data)
  const body = { method: 'cash' as const, note: 'Paid at the counter' }
  const headers = { 'idempotency-key': randomUUID() }
  const paid = await untilAnswered(acknowledged, () =>
    office.call(completeRefund, { params: { id }, body, headers }),
  )
  if (paid) acknowledged.refunded.add(id)
}
