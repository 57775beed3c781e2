import { Refusal } from '#kernel/refusal'
import { type FamilyCredit, type FamilyCreditEvent, creditGiven } from '#modules/credit/family-credit'
import {
  giftOf,
  payoutApproval,
  familyCredit,
  type CreditCommand,
} from '#modules/credit/family-credit.decide'
import {
  creditGiftAsked,
  creditPayoutApproved,
  creditPayoutAsked,
  creditPayoutWithdrawn,
} from '#modules/credit/payouts'
import { refundDecider } from '#modules/refunds/refund.decide'
import { settleCredit } from '#modules/refunds/settle-credit.reactor'
import type { EventStore } from '#platform/event-store/event-store'
import { mary, monday7 } from '../ordering/lunches'
import { refundOffice } from '../refunds/refund-office'
import { specificationOf } from '../support/given-when-then'
import { standIn } from '../support/stand-ins'
import { given, paidOut, payOut } from './credit-words'

const first = '118.2026-09-15.1'
const refused = (code: string) => expect.objectContaining({ constructor: Refusal, code })

const cancelledWithCredit = async (through?: (store: EventStore) => Pick<EventStore, 'read' | 'append'>) => {
  const office = refundOffice(through)
  await office.place(0)
  await office.cancel(first, 'credit')
  await office.settleCredit(first)
  return office
}

const owing = async (through?: (store: EventStore) => Pick<EventStore, 'read' | 'append'>) => {
  const office = refundOffice(through)
  await office.place(0)
  await office.change(first, 'cancelled')
  await office.settle(first)
  return office
}

const owingThatMayDie = async () => {
  const crash = { after: 0 }
  const office = await owing((store) => ({
    read: store.read,
    append: async (appends) => {
      if (crash.after === 0) return store.append(appends)
      await store.append(appends.slice(0, crash.after))
      throw new Error('crash')
    },
  }))
  return { office, crash }
}

const sweep = (
  office: ReturnType<typeof refundOffice>,
  lists: Partial<Record<'owing' | 'given' | 'absent' | 'givenAbsent' | 'refunds', string[]>>,
) => {
  const { owing = [], given = [], absent = [], givenAbsent = [], refunds = [] } = lists
  return settleCredit(
    standIn({
      ...office.refunds,
      ordering: {
        ...office.refunds.ordering,
        orderIdsWhere: async ({ state }) =>
          state === 'paid-absent' ? absent : state === 'ended-as-credit' ? owing : [],
      },
      credit: {
        ...office.refunds.credit,
        ordersGivenCredit: async (reason: 'order' | 'absence') => (reason === 'order' ? given : givenAbsent),
      },
      ordersWithUnsettledChanges: async () => [],
      refundsNotGiven: async () => refunds,
    }),
  ).sweep
}

describe('an order and the credit for it', () => {
  test('an order cancelled with credit gives its price once, and owes no money', async () => {
    const office = await cancelledWithCredit()
    await office.settle(first)
    await office.settleCredit(first)
    expect(await office.credit()).toMatchObject({ balance: 4550 })
    expect(await office.refund(first)).toEqual({ status: 'none' })
    const [entry] = [...(await office.credit()).given.values()]
    expect(entry).toMatchObject({
      kind: 'cancelled',
      about: { orderId: first, reference: null },
      text: 'Nshima with relish for Chanda: cancelled',
    })
  })

  test('one cancelled for a closure is told as closed', async () => {
    const office = refundOffice()
    await office.place(0)
    await office.cancel(first, 'credit', '0199c0de-0000-7000-8000-0000000000c1')
    await office.settleCredit(first)
    expect([...(await office.credit()).given.values()]).toMatchObject([{ kind: 'closed' }])
  })

  test('never more than was received', async () => {
    const office = refundOffice()
    office.received.set(0, 4000)
    await office.place(0)
    await office.cancel(first, 'credit')
    await office.settleCredit(first)
    expect(await office.credit()).toMatchObject({ balance: 4000 })
  })

  test('one that was never paid for, or is cancelled with a refund, gives none', async () => {
    const office = refundOffice()
    await office.place(0, 'pending')
    await office.cancel(first, 'credit')
    await office.settleCredit(first)
    await office.settleCredit('118.2026-09-15.9')
    expect(await office.credit()).toMatchObject({ balance: 0 })
    await office.place(1)
    await office.change('118.2026-09-15.2', 'cancelled')
    await office.settleCredit('118.2026-09-15.2')
    expect(await office.credit()).toMatchObject({ balance: 0 })
  })

  test('what credit paid of its price comes back as credit, the rest as the remedy says', async () => {
    const office = refundOffice()
    office.received.set(0, 3000)
    await office.place(0, 'confirmed', 4550, 1550)
    await office.change(first, 'cancelled')
    await office.settle(first)
    await office.settleCredit(first)
    expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 3000 } })
    expect(await office.credit()).toMatchObject({ balance: 1550 })
  })

  test('an order that is placed again takes it back, and cancelled again it gives it again', async () => {
    const office = await cancelledWithCredit()
    expect(await office.change(first, 'pending')).toEqual([])
    expect(await office.credit()).toMatchObject({ balance: 0 })
    await office.settleCredit(first)
    expect(await office.credit()).toMatchObject({ balance: 0 })
    await office.cancel(first, 'credit')
    await office.settleCredit(first)
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })

  test('an order whose credit was spent is not placed again', async () => {
    const office = await cancelledWithCredit()
    await office.payOutCredit(1)
    expect(await office.change(first, 'pending')).toEqual(['credit_spent'])
    expect(await office.orderOf(first)).toMatchObject({ status: 'cancelled' })
    expect(await office.credit()).toMatchObject({ balance: 4549 })
  })

  test('a crash after it was taken back gives it again', async () => {
    let dies = false
    const office = await cancelledWithCredit((store) => ({
      read: store.read,
      append: async (appends) => {
        if (!dies) return store.append(appends)
        await store.append(appends.slice(0, 1))
        throw new Error('crash')
      },
    }))
    dies = true
    await expect(office.change(first, 'pending')).rejects.toThrow('crash')
    expect(await office.credit()).toMatchObject({ balance: 0 })
    dies = false
    await office.settleCredit(first)
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })
})

describe('a refund becomes credit', () => {
  test('once, and counts as paid back by credit', async () => {
    const office = await owing()
    await office.turnIntoCredit(first, 'key-1')
    await office.turnIntoCredit(first, 'key-1')
    await office.turnIntoCredit(first, 'key-2')
    await office.settleRefundAsCredit(first)
    await office.settleCredit(first)
    expect(await office.refund(first)).toMatchObject({
      status: 'paid_back',
      payouts: [{ amount: 4550, method: 'credit' }],
    })
    expect(await office.credit()).toMatchObject({ balance: 4550 })
    expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
  })

  test('what is left of it when a part went back as money', async () => {
    const office = await owing()
    await office.payBack(first, { amount: 1000 })
    await office.turnIntoCredit(first)
    expect(await office.refund(first)).toMatchObject({ status: 'paid_back' })
    expect(await office.credit()).toMatchObject({ balance: 3550 })
  })

  test('two administrators at once turn it once', async () => {
    const office = await owing()
    await Promise.all([
      office.turnIntoCredit(first),
      office.turnIntoCredit(first),
      office.turnIntoCredit(first),
    ])
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })

  test('not what is not owed', async () => {
    const office = refundOffice()
    await expect(office.turnIntoCredit(first)).rejects.toEqual(refused('refund_not_found'))
  })

  test('a crash between the refund and the credit is made good', async () => {
    const { office, crash } = await owingThatMayDie()
    crash.after = 2
    await expect(office.turnIntoCredit(first, 'key-1')).rejects.toThrow('crash')
    expect(await office.refund(first)).toMatchObject({ status: 'paid_back' })
    expect(await office.credit()).toMatchObject({ balance: 0 })
    crash.after = 0
    await office.settleRefundAsCredit(first)
    await office.settleRefundAsCredit(first)
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })

  test('a crash between the order and the refund leaves it owed, and the next who asks turns it once', async () => {
    const { office, crash } = await owingThatMayDie()
    crash.after = 1
    await expect(office.turnIntoCredit(first, 'key-1')).rejects.toThrow('crash')
    expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
    expect(await office.refund(first)).toMatchObject({ status: 'due' })
    crash.after = 0
    await office.settle(first)
    await office.settleRefundAsCredit(first)
    expect(await office.credit()).toMatchObject({ balance: 0 })
    await office.turnIntoCredit(first, 'key-1')
    await office.turnIntoCredit(first, 'key-1')
    expect(await office.refund(first)).toMatchObject({ status: 'paid_back' })
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })
})

describe('the sweep', () => {
  test('gives what an absence owes, and takes back what one that was taken back gave', async () => {
    const office = refundOffice()
    await office.place(0)
    await office.absent(first, true)
    await sweep(office, { absent: [first] }).run()
    expect(await office.credit()).toMatchObject({ balance: 2275 })
    await office.absent(first, false)
    await sweep(office, { givenAbsent: [first] }).run()
    expect(await office.credit()).toMatchObject({ balance: 0 })
  })

  test('gives what is owed, and takes back what is not', async () => {
    const office = refundOffice()
    await office.place(0)
    await office.cancel(first, 'credit')
    await sweep(office, { owing: [first] }).run()
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })

  test('finds what a lost job left of an order that it has looked at before', async () => {
    const office = refundOffice()
    await office.place(0)
    const sweeping = sweep(office, { owing: [first] })
    await sweeping.run()
    expect(await office.credit()).toMatchObject({ balance: 0 })
    await office.absent(first, true)
    await sweeping.run()
    expect(await office.credit()).toMatchObject({ balance: 2275 })
    await office.cancel(first, 'credit')
    await sweeping.run()
    expect(await office.credit()).toMatchObject({ balance: 4550 })
  })

  test('goes on after one that fails, and tells of it', async () => {
    const office = await cancelledWithCredit()
    const { refunds } = office
    const { read } = refunds.eventStore
    const failing = {
      ...office,
      refunds: {
        ...refunds,
        eventStore: {
          ...refunds.eventStore,
          read: async (streams: string[]) => {
            if (streams.includes(refundDecider.streamOf('x'))) throw new Error('database away')
            return read(streams)
          },
        },
      },
    }
    await expect(sweep(failing, { refunds: ['x'], given: [first] }).run()).rejects.toThrow('1 of 2 failed')
    expect((await office.credit()).given.size).toBe(1)
  })
})

const [bursar, head] = [5, 6]
const payoutId = '0199c0de-0000-7000-8000-000000000201'
const judged = { userId: mary, payoutId, at: monday7.toISOString() }
const payout = {
  userId: mary,
  payoutId,
  amount: 4000,
  method: 'cash' as const,
  reference: null,
  by: bursar,
}
const asked = creditPayoutAsked({ ...payout, at: judged.at })
const approved = creditPayoutApproved({ ...judged, kind: 'payout', by: head })
const withdrawn = creditPayoutWithdrawn({ ...judged, kind: 'payout', by: head })

const approval = specificationOf(payoutApproval)
const credit = specificationOf<FamilyCredit, CreditCommand, FamilyCreditEvent>(familyCredit)
const gift = given('gift/1', 'gift', 5000, 5000)
const judge = (kind: 'approve' | 'withdraw', by: number) => ({ kind, payoutId, by, now: monday7 }) as const

describe('a payout of credit that one administrator may not let go', () => {
  test('is asked for', () => approval.given(gift).when({ kind: 'ask', payout, now: monday7 }).then(asked))
  test('is paid out once another approves it', () =>
    approval
      .given(gift, asked)
      .when(judge('approve', head))
      .then(approved, paidOut(1, 4000, 1000)))
  test('is never approved by whoever asked', () =>
    approval.given(gift, asked).when(judge('approve', bursar)).refused('approval_own'))
  test('is approved once', () => {
    const done = [gift, asked, approved, paidOut(1, 4000, 1000)] as const
    approval
      .given(...done)
      .when(judge('approve', head))
      .nothingHappens()
    approval
      .given(...done)
      .when(judge('approve', 7))
      .refused('no_approval')
    approval
      .given(...done)
      .when(judge('withdraw', head))
      .refused('no_approval')
  })
  test('is at most the balance that is then there', () =>
    approval
      .given(gift, asked, paidOut(2, 2000, 3000))
      .when(judge('approve', head))
      .refused('payout_exceeds_balance'))
  test('is withdrawn by whoever asked or by another, once', () => {
    approval.given(gift, asked).when(judge('withdraw', head)).then(withdrawn)
    approval.given(gift, asked, withdrawn).when(judge('withdraw', bursar)).nothingHappens()
    approval.given(gift, asked, withdrawn).when(judge('approve', head)).refused('no_approval')
  })
  test('is withdrawn with everything else when the family gives its credit up', () => {
    const all = { kind: 'withdraw-all', by: head, now: monday7 } as const
    approval.given(gift, asked).when(all).then(withdrawn)
    approval.given(gift, asked, withdrawn).when(all).nothingHappens()
  })
  test('sent again waits, and is nothing else', () => {
    credit.given(gift, asked).when(payOut(1, 4000)).nothingHappens()
    credit.given(gift, asked).when(payOut(1, 3000)).refused('idempotency_key_reused')
    credit.given(gift, asked, withdrawn).when(payOut(1, 4000)).refused('approval_withdrawn')
  })
  test('that nobody asked for cannot be approved', () =>
    approval.given(gift).when(judge('approve', head)).refused('payout_not_found'))
})

describe('a gift of more credit than one administrator may give', () => {
  const present = { userId: mary, payoutId, amount: 6000, text: 'Fête', by: bursar }
  const giftAsked = creditGiftAsked({ ...present, at: judged.at })
  const give = (amount: number) =>
    ({ kind: 'give', entry: giftOf({ ...present, amount }), now: monday7 }) as const
  const done = { ...judged, kind: 'gift' as const, by: head }
  const is = creditGiven({ ...giftOf(present), balanceAfter: 6000, at: judged.at })

  test('is asked for', () =>
    approval.given().when({ kind: 'ask-gift', gift: present, now: monday7 }).then(giftAsked))
  test('is given once another approves it, and once', () => {
    approval.given(giftAsked).when(judge('approve', head)).then(creditPayoutApproved(done), is)
    approval.given(giftAsked, creditPayoutApproved(done), is).when(judge('approve', head)).nothingHappens()
    approval.given(giftAsked).when(judge('approve', bursar)).refused('approval_own')
  })
  test('sent again waits, and is nothing else', () => {
    credit.given(giftAsked).when(give(6000)).nothingHappens()
    credit.given(giftAsked).when(give(5000)).refused('idempotency_key_reused')
    credit.given(giftAsked, creditPayoutWithdrawn(done)).when(give(6000)).refused('approval_withdrawn')
  })
})
