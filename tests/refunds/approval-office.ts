import { saveBooksSettings } from '#contracts/books'
import { cancelOrder } from '#contracts/ordering'
import { listRefunds } from '#contracts/refunds'
import { openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { superadminPassword } from '../support/school'

export type ApprovalOffice = Awaited<ReturnType<typeof openApprovalOffice>>

/** Two administrators who pay back; more than K50 a day leaves an account only with both. */
export const openApprovalOffice = async () => {
  const canteen = await openAlternativeCanteen()
  const bursar = await canteen.administrator('bursar', 'refunds')
  const head = await canteen.administrator('head', 'refunds')
  canteen.setClock('2026-09-14T07:00:00+02:00')

  const limit = (refundApprovalAbove: number | null) =>
    canteen.superadminClient.call(saveBooksSettings, {
      body: {
        tpin: '',
        address: '',
        vatPercent: null,
        refundApprovalAbove,
        cardRefunds: false,
        currentPassword: superadminPassword,
      },
    })
  await limit(50)

  /** A family that is owed K45.50 for each of these days of the week. */
  const owed = async (username: string, ...days: number[]) => {
    const { parent, children, userId } = await canteen.family(username, '9')
    const { orders } = await order(
      parent,
      days.map((day) => canteen.stewFor(children[0]!, day)),
    )
    const ids = orders.map(({ id }) => id)
    await canteen.verify(ids)
    for (const id of ids) await parent.call(cancelOrder, { params: { id } })
    await eventually(async () => {
      const listed = (await bursar.call(listRefunds, { query: {} })).data.map(({ id }) => id)
      return ids.every((id) => listed.includes(id))
    }, 20_000)
    return { parent, ids, userId }
  }

  return { canteen, bursar, head, limit, owed }
}
