import type { Endpoint } from '#contracts/endpoint'
import { createPayment, verifyPayment } from '#contracts/payments'
import {
  acceptMismatch,
  liveOrders,
  retryAttempt,
  setAttemptStatus,
  waiveRemainder,
} from '#contracts/payments-console'
import { openCanteen, type Canteen } from '../ordering/canteen'
import { of, expectOnce, newName, type Act, type Acts } from './asked-once'

describe('of payments by card', () => {
  let canteen: Canteen
  beforeAll(async () => {
    canteen = await openCanteen()
  })
  afterAll(() => canteen.close())
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  const paidByCard = async (tag: string) => {
    const { parent, children } = await canteen.payingFamily(newName(), '9')
    const body = { amount: 45.5, cartItems: [canteen.stewFor(children[0]!, 4)] }
    const { TransToken: token } = await parent.call(createPayment, { body })
    if (tag !== 'OPEN') {
      await canteen.visitor().fetch(`/sandbox/pay/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'outcome=slow&card=4111111111111111',
      })
      await canteen.infrastructure.database.pool.query(
        `update payments.sandbox_transactions set state = jsonb_set(state, '{tag}', to_jsonb($2::text))
         where token = $1`,
        [token, tag],
      )
      canteen.setClock('2026-09-14T07:03:00+02:00')
    }
    await parent.call(verifyPayment, { params: { transactionId: token } })
    const { data } = await canteen.superadminClient.call(liveOrders, { query: { transactionId: token } })
    return data[0]!.id
  }
  const recovery = async (endpoint: Endpoint, body?: unknown): Promise<Act> => {
    const [one, two] = [await paidByCard('UNDER'), await paidByCard('UNDER')]
    const client = canteen.superadminClient
    return of(client, endpoint, { params: { id: one }, body }, { params: { id: two }, body })
  }
  const acts: Acts<Canteen> = [
    [
      'creating a card payment',
      async () => {
        const { parent, children } = await canteen.payingFamily(newName(), '9')
        const cart = (day: number) => ({ amount: 45.5, cartItems: [canteen.stewFor(children[0]!, day)] })
        return of(parent, createPayment, { body: cart(2) }, { body: cart(3) })
      },
    ],
    ['retrying a payment', () => recovery(retryAttempt)],
    ['accepting a payment', () => recovery(acceptMismatch, { reason: 'A fee of the bank' })],
    ['waiving a payment', () => recovery(waiveRemainder, { reason: 'School closed' })],
    [
      'giving a payment up',
      async () => {
        const [one, two] = [await paidByCard('OPEN'), await paidByCard('OPEN')]
        const body = { status: 'Payment Abandoned' }
        const client = canteen.superadminClient
        return of(
          client,
          setAttemptStatus,
          { params: { transactionId: one }, body },
          { params: { transactionId: two }, body },
        )
      },
    ],
  ]
  test.each(acts)('%s', async (_what, prepare) => expectOnce(canteen, await prepare(canteen)))
})
