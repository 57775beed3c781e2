import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { orderForFamily } from '#contracts/ordering'
import { ownWritesShown } from '#platform/event-store/command-handler'
import { answeredOnce, route, withFeature, type Call, type Route } from '#platform/http/route'
import type { TransfersNeeds } from '../ports'
import { refusal } from '../refusals'
import { aloneWith, refuseUsedTransaction, verifyByHand } from './verify-by-hand.commands'

/** The counter: a family without phone, card or data. */
export const counterRoutes = (needs: TransfersNeeds): Route[] => [
  route(
    orderForFamily,
    withFeature('parents_students'),
    (call) => {
      const { received, transactionId } = call.body
      return aloneWith(needs, received ? [transactionId] : [], () => orderAtCounter(needs)(call))
    },
    {
      ...answeredOnce,
      cart: true,
    },
  ),
]

/**
 * The family's checkout, and its money where it is there. Where a crash or another use of the transaction comes between, the meals stand under
 * Pending Payments. Throws `parent_not_found`, `may_not_confirm`, `row_confirmed`, `row_on_statement` and what `placeForFamily` throws.
 */
const orderAtCounter =
  (needs: TransfersNeeds) =>
  async ({
    params,
    body,
    user,
    by,
    idempotencyKey,
  }: Call<typeof orderForFamily>): Promise<ReplyOf<typeof orderForFamily>> => {
    const person = await needs.identity.personOf(params.parentId)
    if (!person || person.role === 'admin') throw refusal('parent_not_found')
    const { received } = body
    if (received && !(await needs.identity.holdsFeature(user.userId, 'pending_payments')))
      throw refusal('may_not_confirm')
    const transactionId = received ? body.transactionId || null : null
    const placed = await needs.payments.placeForFamily({
      userId: params.parentId,
      lines: body.cartItems,
      useCredit: body.payBy === 'credit',
      payBy: body.payBy === 'credit' || body.payBy === 'other' ? null : body.payBy,
      office: {
        by: user.userId,
        received: received && body.payBy !== 'credit',
        note: body.note || null,
        late: body.late?.reason ?? null,
      },
      refuse: async () => {
        if (transactionId !== null) await refuseUsedTransaction(needs, transactionId)
      },
      body: { parentId: params.parentId, ...body },
      idempotencyKey,
      by,
    })
    const unpaid = placed.orders.flatMap((order) => (order.paymentStatus === 'pending' ? [order.id] : []))
    if (!received) return placed
    const { note } = body
    if (unpaid.length > 0)
      await verifyByHand(needs)(
        { orderIds: unpaid, method: methodOf(body), transactionId, note },
        { administrator: user.userId, idempotencyKey, by },
        true,
      )
    const ids = placed.orders.map(({ id }) => id)
    // Their receipt was numbered just now.
    await ownWritesShown(by, needs)
    return { orders: await needs.ordering.orderReplies({ ids }, needs.now()), payment: null }
  }

/** With `credit` nothing is left to pay. */
const methodOf = ({ payBy }: BodyOf<typeof orderForFamily>) => (payBy === 'credit' ? 'other' : payBy)
