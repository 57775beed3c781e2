import {
  approvePayout,
  payOutCredit,
  withdrawPayout,
  approveRefund,
  checkCardRefund,
  completeRefund,
  completeRefunds,
  refundToCard,
  refundToCredit,
  withdrawRefund,
} from '#contracts/refunds'
import { giveCredit } from '#contracts/credit'
import { openApprovalOffice, type ApprovalOffice } from '../refunds/approval-office'
import { openCardOffice } from '../refunds/card-office'
import { of, expectOnce, newName, named, type Acts, type Asked } from './asked-once'

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
    school = await openCardOffice()
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
