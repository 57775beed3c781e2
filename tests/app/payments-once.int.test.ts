import { giveCredit } from '#contracts/credit'
import type { Endpoint } from '#contracts/endpoint'
import { createPayment, verifyPayment } from '#contracts/payments'
import {
  acceptMismatch,
  liveOrders,
  retryAttempt,
  setAttemptStatus,
  waiveRemainder,
} from '#contracts/payments-console'
import {
  approveRefund,
  approvePayout,
  payOutCredit,
  withdrawPayout,
  checkCardRefund,
  completeRefund,
  completeRefunds,
  refundToCard,
  refundToCredit,
  withdrawRefund,
} from '#contracts/refunds'
import {
  undoVerified,
  verifyPending,
  confirmStatement,
  ignoreStatementRow,
  statementRows,
  undoStatementRow,
  unignoreStatementRow,
} from '#contracts/transfers'
import { type Canteen, openCanteen, refused } from '../ordering/canteen'
import { order } from '../payments/alternative-canteen'
import { type ApprovalOffice, openApprovalOffice } from '../refunds/approval-office'
import { openCardOffice } from '../refunds/card-office'
import { sweeping } from '../support/school'
import { airtelFile, uploaded } from '../support/upload-statement'
import { type Act, type Acts, type Asked, of, expectOnce, newName, named } from './asked-once'

describe('of payments by card', () => {
  let canteen: Canteen
  beforeAll(async () => {
    canteen = await openCanteen({}, sweeping)
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

const line = (id: string) => `${id},14/09/2026 06:39:12,0977111111,X,45.50,lunch,Transaction Success`
const unpaid = async ({ canteen }: ApprovalOffice) => {
  const { parent, children } = await canteen.family(newName(), '9')
  const lines = [4, 5].map((day) => canteen.stewFor(children[0]!, day, { weekNumber: 3 }))
  const { orders } = await order(parent, lines)
  return orders.map(({ id }) => id) as [string, string]
}
const statement = async (school: ApprovalOffice) => {
  const client = school.canteen.superadminClient
  const ids = await unpaid(school)
  const bytes = airtelFile(line(`TX${newName()}`), line(`TX${newName()}`))
  const { id } = await uploaded(client, { bytes })
  const { data } = await client.call(statementRows, { params: { id }, query: {} })
  const [one, two] = data.map((row, index) => ({ rowId: row.id, orderIds: [ids[index]!] }))
  return { params: { id }, one: one!, two: two! }
}

describe('of what was paid outside of the card provider', () => {
  let office: ApprovalOffice
  beforeAll(async () => {
    office = await openApprovalOffice()
  })
  afterAll(() => office.canteen.close())

  const acts: Acts<ApprovalOffice> = [
    [
      'verifying payments',
      async (school) => {
        const [one, two] = await unpaid(school)
        const client = school.canteen.superadminClient
        return of(client, verifyPending, { body: { orderIds: [one] } }, { body: { orderIds: [two] } })
      },
    ],
    [
      'undoing what was verified',
      async (school) => {
        const ids = await unpaid(school)
        await school.canteen.verify(ids)
        const [one, two] = ids
        const client = school.canteen.superadminClient
        return of(client, undoVerified, { body: { orderIds: [one] } }, { body: { orderIds: [two] } })
      },
    ],
    [
      'confirming rows of a statement',
      async (school) => {
        const { params, one, two } = await statement(school)
        const client = school.canteen.superadminClient
        return of(
          client,
          confirmStatement,
          { params, body: { rows: [one] } },
          { params, body: { rows: [two] } },
        )
      },
    ],
    [
      'undoing a row of a statement',
      async (school) => {
        const { params, one, two } = await statement(school)
        const client = school.canteen.superadminClient
        await client.call(confirmStatement, { params, body: { rows: [one, two] } })
        return of(client, undoStatementRow, { params: { id: one.rowId } }, { params: { id: two.rowId } })
      },
    ],
    [
      'ignoring a row of a statement',
      async (school) => {
        const { one, two } = await statement(school)
        const client = school.canteen.superadminClient
        return of(client, ignoreStatementRow, { params: { id: one.rowId } }, { params: { id: two.rowId } })
      },
    ],
    [
      'opening an ignored row again',
      async (school) => {
        const { one, two } = await statement(school)
        const client = school.canteen.superadminClient
        for (const { rowId: id } of [one, two]) await client.call(ignoreStatementRow, { params: { id } })
        return of(client, unignoreStatementRow, { params: { id: one.rowId } }, { params: { id: two.rowId } })
      },
    ],
  ]
  test.each(acts)('%s', async (_what, prepare) => expectOnce(office.canteen, await prepare(office)))

  test('a call that was refused leaves its key free', async () => {
    const [one] = await unpaid(office)
    const { superadminClient: client } = office.canteen
    const verify = (orderIds: string[], more = {}) =>
      client.call(verifyPending, {
        body: { orderIds, ...more },
        headers: { 'idempotency-key': 'corrected' },
      })
    expect(
      (
        await refused(
          client.call(approveRefund, {
            params: { id: '1.2020-01-06.1' },
            headers: { 'idempotency-key': 'corrected' },
          }),
        )
      ).status,
    ).toBe(404)
    expect(await verify([one])).toMatchObject({ updated: 1 })
  })
})

const waiting = async (school: ApprovalOffice) => {
  const { ids } = await school.owed(newName(), 2, 3)
  await school.limit(0)
  for (const id of ids) await school.bursar.call(completeRefund, { params: { id } })
  await school.limit(null)
  const [one, two] = ids.map((id) => ({ params: { id } }))
  return [one!, two!] as const
}
const rich = async ({ canteen, bursar }: ApprovalOffice, amount = 40) => {
  const { userId } = await canteen.family(newName(), '9')
  await bursar.call(giveCredit, { params: { id: userId }, body: { amount, reason: 'Fête' } })
  return userId
}
const waitingPayouts = async (school: ApprovalOffice) => {
  const asked: Asked[] = []
  for (const id of [await rich(school), await rich(school)]) {
    await school.limit(0)
    const body = { amount: 10, method: 'cash' as const }
    const reply = await school.bursar.call(payOutCredit, { params: { id }, body })
    await school.limit(null)
    asked.push({ params: { id: 'id' in reply ? reply.id : '' } })
  }
  return asked as [Asked, Asked]
}

describe('of refunds and credit', () => {
  let office: ApprovalOffice
  beforeAll(async () => {
    office = await openApprovalOffice()
  })
  afterAll(() => office.canteen.close())

  const acts: Acts<ApprovalOffice> = [
    [
      'paying a refund back',
      async (school) => {
        const { ids } = await school.owed(newName(), 2, 3)
        const body = { amount: 10, method: 'cash' }
        return of(
          school.bursar,
          completeRefund,
          { params: { id: ids[0]! }, body },
          { params: { id: ids[1]! }, body },
        )
      },
    ],
    [
      'paying refunds back in one act',
      async (school) => {
        const { ids } = await school.owed(newName(), 2, 3)
        return of(
          school.bursar,
          completeRefunds,
          { body: { ids: [ids[0]!], method: 'cash' } },
          { body: { ids, method: 'cash' } },
        )
      },
    ],
    [
      'turning a refund into credit',
      async (school) => {
        const { ids } = await school.owed(newName(), 2, 3)
        return of(school.bursar, refundToCredit, { params: { id: ids[0]! } }, { params: { id: ids[1]! } })
      },
    ],
    ['approving a refund', async (school) => of(school.head, approveRefund, ...(await waiting(school)))],
    ['withdrawing a refund', async (school) => of(school.head, withdrawRefund, ...(await waiting(school)))],
    [
      'giving credit',
      async (school) => {
        const body = { amount: 5, reason: 'Fête' }
        return of(
          school.bursar,
          giveCredit,
          { params: { id: await rich(school) }, body },
          { params: { id: await rich(school) }, body },
        )
      },
    ],
    [
      'paying credit out',
      async (school) => {
        const body = { amount: 5, method: 'cash' }
        return of(
          school.bursar,
          payOutCredit,
          { params: { id: await rich(school) }, body },
          { params: { id: await rich(school) }, body },
        )
      },
    ],
    [
      'approving a payout',
      async (school) => of(school.head, approvePayout, ...(await waitingPayouts(school))),
    ],
    [
      'withdrawing a payout',
      async (school) => of(school.head, withdrawPayout, ...(await waitingPayouts(school))),
    ],
  ]
  test.each(acts)('%s', async (_what, prepare) => expectOnce(office.canteen, await prepare(office)))
})

describe('of refunds to cards', () => {
  let school: Awaited<ReturnType<typeof openCardOffice>>
  beforeAll(async () => {
    school = await openCardOffice(sweeping)
  })
  afterAll(() => school.close())

  test('paying a refund back to the card', async () => {
    const { first, second } = await school.owedByCard(newName(), null)
    await expectOnce(school.canteen, of(school.office.bursar, refundToCard, named(first), named(second)))
  })

  test('saying what became of one', async () => {
    const { first, second } = await school.owedByCard(newName(), 'REFUNDLOST')
    await school.toCard(first, 'lost')
    school.setClock('2026-09-15T07:30:00+02:00')
    await school.signInAgain()
    await school.sweep()
    const body = { outcome: 'failed' }
    await expectOnce(
      school.canteen,
      of(
        school.office.bursar,
        checkCardRefund,
        { params: { id: first }, body },
        { params: { id: second }, body },
      ),
    )
  })
})
