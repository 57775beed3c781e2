import { v4 } from 'uuid'
import type { Order } from '#contracts/ordering'
import { sendMarks, serving, type MarkResult, type SentMark, type Serving } from '#contracts/serving'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, place } from './canteen'

/** What the answer to a mark says that stands. */
export const kept: Omit<MarkResult, 'markId'> = { result: 'kept', code: null, other: null }

/** The canteen, with two devices at its hatch. */
export const openHatch = async (more: Parameters<typeof openCanteen>[1] = {}) => {
  const canteen = await openCanteen({}, more)
  const tablet = await canteen.administrator('tablet', 'kitchen')
  const phone = await canteen.administrator('phone', 'kitchen')

  return {
    ...canteen,
    tablet,
    phone,
    /** A family of which each child has ordered porridge on a day of week 1. */
    lunches: async (username: string, dayOfWeek: number, ...grades: ('1' | '2' | '3')[]) => {
      const { parent, children } = await canteen.family(username, ...grades)
      const orders = await place(
        parent,
        children.map((child) => canteen.porridgeFor(child, dayOfWeek, { comments: 'warm' })),
      )
      return { parent, orders: orders as [Order, Order, ...Order[]] }
    },
    /** A mark that a device makes now. */
    mark: (order: Pick<Order, 'id'>, kind: SentMark['kind'], more: Partial<SentMark> = {}): SentMark => ({
      markId: v4(),
      orderId: order.id,
      kind,
      at: canteen.now().toISOString(),
      ...more,
    }),
    send: async (by: Client, ...marks: SentMark[]) => (await by.call(sendMarks, { body: { marks } })).results,
    listOf: async (date: string): Promise<Serving['lunches']> =>
      (await tablet.call(serving, { query: { date } })).lunches,
  }
}
export type Hatch = Awaited<ReturnType<typeof openHatch>>
