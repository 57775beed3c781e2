import { updateParent } from '#contracts/accounts'
import { placeOrders } from '#contracts/ordering'
import { payByCard } from '../../src/app/demo/ordering'
import { openAlternativeCanteen } from '../payments/alternative-canteen'

export type FindingSchool = Awaited<ReturnType<typeof openFindingSchool>>

/** Mutinta Chisenga owes two stews by Airtel since Monday at seven; Grace pays one by card a minute later. */
export const openFindingSchool = async () => {
  const canteen = await openAlternativeCanteen()
  await canteen.set({ enabled: false, beside: true })
  const moyo = await canteen.payingFamily('mutinta.moyo', '9', '3')
  await canteen.superadminClient.call(updateParent, {
    params: { id: moyo.userId },
    body: {
      username: 'mutinta.moyo',
      name: 'Mutinta Chisenga',
      email: 'mutinta@example.org',
      phone: '+260 97 712 3456',
    },
  })
  const cartItems = [2, 3].map((day) => canteen.stewFor(moyo.children[0]!, day))
  const { orders, payment } = await moyo.parent.call(placeOrders, { body: { cartItems, payBy: 'airtel' } })
  const mutinta = { id: moyo.userId, reference: payment!.reference, orders: orders.map(({ id }) => id) }
  canteen.setClock('2026-09-14T07:01:00+02:00')
  const banda = await canteen.payingFamily('grace', '9')
  await payByCard(banda.parent, [canteen.stewFor(banda.children[0]!, 4)], 'pay')
  const { rows } = await canteen.infrastructure.database.pool.query<{
    token: string
    ref: string
    reference: string
  }>(`select token, attempt->'token'->>'ref' as ref, reference from payments.attempts where kind = 'card'`)
  const grace = {
    id: banda.userId,
    token: rows[0]!.token,
    providerReference: rows[0]!.ref,
    reference: rows[0]!.reference,
  }
  return { ...canteen, mutinta, grace }
}
