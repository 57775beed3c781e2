import { getBooksSettings, saveBooksSettings, type BooksSettings } from '#contracts/books'
import { cancelOrder, listOrders, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { listRefunds, refundToCard } from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import { openCanteen } from '../ordering/canteen'
import { startFakeDpo } from '../payments/providers/fake-dpo'
import { eventually } from '../support/eventually'
import { superadminPassword } from '../support/school'

export type CardOffice = Awaited<ReturnType<typeof openCardOffice>>

const monday7 = '2026-09-14T07:00:00+02:00'

/** A school that pays back to cards through the provider, whose clock is the school's, and the administrators of its refunds. */
export const openCardOffice = async (more: Parameters<typeof openCanteen>[1] = {}) => {
  let instant = new Date(monday7)
  const dpo = await startFakeDpo({ now: () => instant })
  const { companyToken, serviceType, createUrl, verifyUrl, payUrl } = dpo.config
  const canteen = await openCanteen(
    {
      DPO_COMPANY_TOKEN: companyToken,
      DPO_SERVICE_TYPE: serviceType,
      DPO_CREATE_URL: createUrl,
      DPO_VERIFY_URL: verifyUrl,
      DPO_PAY_URL: payUrl,
    },
    more,
  )
  await canteen.administrator('bursar', 'refunds')
  await canteen.administrator('head', 'refunds')

  /** Each signs in again where the clock has left the session behind. */
  const office = {
    bursar: await canteen.signIn('bursar', 'admin-password'),
    head: await canteen.signIn('head', 'admin-password'),
  }
  const setClock = (to: string) => {
    instant = new Date(to)
    canteen.setClock(to)
  }
  setClock(monday7)

  const settings = async (change: Partial<BooksSettings>) => {
    const before = await canteen.superadminClient.call(getBooksSettings)
    await canteen.superadminClient.call(saveBooksSettings, {
      body: { ...before, ...change, currentPassword: superadminPassword },
    })
  }
  await settings({ cardRefunds: true })

  const listed = async (id: string) =>
    (await office.bursar.call(listRefunds, { query: { status: 'all' } })).data.find(
      (refund) => refund.id === id,
    )

  /** Cancels these orders and waits until the refund of each is listed. */
  const cancelled = async (parent: Client, orders: readonly Order[]) => {
    for (const { id } of orders) await parent.call(cancelOrder, { params: { id } })
    for (const { id } of orders) await eventually(async () => (await listed(id)) !== undefined)
  }
  const twoOrders = (parent: Client) =>
    eventually(async () => {
      const found = (await parent.call(listOrders)) as Order[]
      return found.length === 2 && found
    })

  return {
    dpo,
    canteen,
    cancelled,
    office,
    setClock,
    settings,
    listed,
    signInAgain: async () => {
      office.bursar = await canteen.signIn('bursar', 'admin-password')
      office.head = await canteen.signIn('head', 'admin-password')
    },
    toCard: (id: string, key: string, who: Client = office.bursar) =>
      who.call(refundToCard, { params: { id }, headers: { 'idempotency-key': key } }),
    /** Asks the provider what became of what is under way. */
    sweep: () => canteen.sweepNamed('follow-card-refunds'),
    /** A family's stews of Tuesday and Wednesday, paid by card in one payment under this script, and cancelled. */
    owedByCard: async (username: string, tag: string | null) => {
      const { parent, children, userId } = await canteen.payingFamily(username, '9')
      const cartItems = [2, 3].map((day) => canteen.stewFor(children[0]!, day))
      const { TransToken: token } = await parent.call(createPayment, { body: { amount: 91, cartItems } })
      await dpo.leave(token, 'pay')
      await parent.call(verifyPayment, { params: { transactionId: token } })
      const orders = await twoOrders(parent)
      await cancelled(parent, orders)
      if (tag) await dpo.script(token, tag)
      return { parent, userId, token, first: orders[0]!.id, second: orders[1]!.id }
    },
    /** The same two stews, paid by Airtel Money and not cancelled. */
    paidByPhone: async (username: string, customerPhone: string) => {
      const { parent, children } = await canteen.payingFamily(username, '9')
      const cartItems = [2, 3].map((day) => canteen.stewFor(children[0]!, day))
      const body = { amount: 91, cartItems, paymentMethod: 'airtel' as const, customerPhone }
      const { TransToken: token } = await parent.call(createPayment, { body })
      await dpo.answer(token, 'approve')
      await parent.call(verifyPayment, { params: { transactionId: token } })
      const [first, second] = await twoOrders(parent)
      return { parent, token, first: first!, second: second! }
    },
    close: async () => {
      await canteen.close()
      await dpo.close()
    },
  }
}
