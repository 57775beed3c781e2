import { Refusal } from '#kernel/refusal'
import { dailyPayoutTotal, dailyPayouts } from '#modules/credit/payouts'
import { payoutApproved, payoutAsked, payoutAskWithdrawn, refundDue } from '#modules/refunds/refund'
import { payBackMany, withdrawAsked } from '#modules/refunds/refund.commands'
import { approvalDecider, refundDecider } from '#modules/refunds/refund.decide'
import { approveAsked } from '#modules/refunds/refunds.routes'
import { loadStream } from '#platform/event-store/command-handler'
import { type EventStore, WrongExpectedRevision } from '#platform/event-store/event-store'
import { after, mary, monday7 } from '../ordering/lunches'
import { specificationOf } from '../support/given-when-then'
import { standIn } from '../support/stand-ins'
import { silentLog } from '../support/start-postgres'
import { cardRefundBank, timeout } from './card-refund-bank'
import { by, refundOffice } from './refund-office'
import { bursar, due, orderRefund, owedForNshima, paidBack, payoutId, withdrawn } from './refund-words'

describe('approval', () => {
  const head = 6
  const now = after(monday7, 30)
  const at = now.toISOString()
  const waits = { amount: 4550, method: 'cash', reference: null, note: null, by: bursar } as const
  const asked = payoutAsked({ ...waits, refundId: orderRefund, askId: payoutId(1), toCard: false, at })
  const judged = { refundId: orderRefund, askId: payoutId(1), at }
  const approved = payoutApproved({ ...judged, by: head })
  const askWithdrawn = payoutAskWithdrawn({ ...judged, by: bursar })

  const approval = specificationOf(approvalDecider)
  const refund = specificationOf(refundDecider)
  const approve = (who: number, seenAt: string | null = at) =>
    ({ kind: 'approve', by: who, seenAt, now }) as const
  const withdraw = (who: number) => ({ kind: 'withdraw-ask', by: who, now }) as const
  const payBack = (number: number, more: { amount?: number; method?: 'cash' | 'bank' | 'credit' } = {}) =>
    ({
      kind: 'pay-back',
      payout: { ...waits, amount: null, payoutId: payoutId(number), ...more },
      now,
    }) as const

  describe('what one administrator may not let go', () => {
    test('is asked for with all that is to be paid', () =>
      approval
        .given(due)
        .when({ kind: 'ask', payout: { ...waits, payoutId: payoutId(1) }, toCard: false, now })
        .then(asked))
    test('goes back once another approves it', () =>
      approval
        .given(due, asked)
        .when(approve(head))
        .then(approved, paidBack(1, 4550, 0)))
    test('is never approved by whoever asked', () =>
      approval.given(due, asked).when(approve(bursar)).refused('approval_own'))
    test('approved by one it is not approved by another, and again by the same changes nothing', () => {
      const done = [due, asked, approved, paidBack(1, 4550, 0)] as const
      approval
        .given(...done)
        .when(approve(head))
        .nothingHappens()
      approval
        .given(...done)
        .when(approve(7))
        .refused('refund_paid_back')
    })
    test('is approved as it was shown', () =>
      approval.given(due, asked).when(approve(head, monday7.toISOString())).refused('approval_changed'))
    test('goes to the card once the provider is asked', () => {
      const toCard = payoutAsked({ ...asked.data, toCard: true })
      approval.given(due, toCard).when(approve(head)).then(approved)
    })
    test('waits while nobody asked for anything else', () => {
      refund.given(due, asked).when(payBack(1)).nothingHappens()
      refund
        .given(due, asked)
        .when(payBack(1, { method: 'bank' }))
        .refused('idempotency_key_reused')
      refund
        .given(due, asked)
        .when(payBack(2, { amount: 5 }))
        .refused('approval')
    })
    test('is withdrawn by whoever asked or by another, once, and asked for again only as something new', () => {
      approval.given(due, asked).when(withdraw(bursar)).then(askWithdrawn)
      approval
        .given(due, asked)
        .when(withdraw(head))
        .then(payoutAskWithdrawn({ ...judged, by: head }))
      approval.given(due, asked, askWithdrawn).when(withdraw(bursar)).nothingHappens()
      approval.given(due, asked, askWithdrawn).when(approve(head)).refused('no_approval')
      refund.given(due, asked, askWithdrawn).when(payBack(1)).refused('approval_withdrawn')
      refund
        .given(due, asked, askWithdrawn)
        .when(payBack(2))
        .then(paidBack(2, 4550, 0))
    })
    test('is no more once nothing is owed, or something else', () => {
      const again = refundDue({ ...owedForNshima, amount: 2275, at })
      approval.given(due, asked, withdrawn).when(approve(head)).refused('refund_withdrawn')
      approval.given(due, asked, withdrawn).when(withdraw(bursar)).refused('refund_withdrawn')
      approval.given(due, asked, withdrawn, again).when(approve(head)).refused('no_approval')
    })
    test('becomes credit all the same, and is paid back then', () => {
      const asCredit = paidBack(3, 4550, 0, { method: 'credit' })
      refund
        .given(due, asked)
        .when(payBack(3, { method: 'credit' }))
        .then(asCredit)
      approval.given(due, asked, asCredit).when(approve(head)).refused('refund_paid_back')
      approval.given(due, asked, asCredit).when(withdraw(head)).refused('refund_paid_back')
    })
    test('without a question there is nothing to say', () => {
      approval.given().when(approve(head)).refused('refund_not_found')
      approval.given(due).when(approve(head)).refused('no_approval')
      approval.given(due).when(withdraw(head)).refused('no_approval')
    })
  })

  const [first, second, third] = ['118.2026-09-15.1', '118.2026-09-15.2', '118.2026-09-15.3']
  const refusedWith = (code: string) => expect.objectContaining({ constructor: Refusal, code })

  /** Mary is owed K45.50 for each of these orders; more than this leaves her account only with a second administrator. */
  const owing = async (above: number, orders = [first, second, third]) => {
    const office = refundOffice()
    office.limit.above = above
    for (const [index, id] of orders.entries()) {
      await office.place(index)
      await office.change(id, 'cancelled')
      await office.settle(id)
    }
    const holding = new Set([bursar, head])
    const identity = {
      holdsFeature: async (userId: number) => holding.has(userId),
      tiedTo: async () => new Set<number>(),
      usernamesOf: async () => new Map(),
      peopleOf: async () => new Map(),
    }
    const noCards = { cards: null, cardRefundsOn: async () => false, wentBackOf: async () => 0 }
    const payments = { ...office.refunds.payments, cardPayments: async () => new Map() }
    const needs = { ...office.refunds, ...noCards, payments, identity, log: silentLog }
    return {
      ...office,
      holding,
      approve: (refundId: string, administrator = head) =>
        approveAsked(standIn(needs))({ refundId, administrator, seenAt: null, by }),
      withdraw: (refundId: string) => withdrawAsked(standIn(needs))({ refundId, administrator: bursar, by }),
      outflowOn: async (date: string) =>
        dailyPayoutTotal(
          (await loadStream(needs.eventStore, dailyPayouts, { userId: mary, date })).state,
          'payout',
        ),
      waits: async (id: string) => {
        const state = await office.refund(id)
        return 'asks' in state && state.asks.waiting !== null
      },
    }
  }

  describe('the sum of a family and a day', () => {
    test('goes up to the limit alone, and waits from there on', async () => {
      const office = await owing(9100)
      await office.payBack(first)
      await office.payBack(second, { amount: 4500 })
      expect(await office.payBack(second, { amount: 50 })).toMatchObject({ status: 'paid_back' })
      expect(await office.payBack(third, { amount: 1 })).toMatchObject({ status: 'due', payouts: [] })
      expect(await office.waits(third)).toBe(true)
      expect(await office.outflowOn('2026-09-14')).toBe(9100)
      expect(await office.orderOf(third)).toMatchObject({ status: 'cancelled' })
    })

    test('begins anew with the day of the school', async () => {
      const office = await owing(4550)
      office.clock.now = new Date('2026-09-14T21:59:00.000Z')
      await office.payBack(first)
      office.clock.now = new Date('2026-09-14T22:00:00.000Z')
      expect(await office.payBack(second)).toMatchObject({ status: 'paid_back' })
      await office.payBack(third)
      expect(await office.waits(third)).toBe(true)
    })

    test('of two requests at once only one slips below the limit', async () => {
      const office = await owing(5000)
      await Promise.all([first, second, third].map((id) => office.payBack(id)))
      const waiting = await Promise.all([first, second, third].map(office.waits))
      expect(waiting.filter(Boolean)).toHaveLength(2)
      expect(await office.outflowOn('2026-09-14')).toBe(4550)
    })

    test('the same request sent twice counts once, and waits once', async () => {
      const office = await owing(4550)
      await Promise.all([office.payBack(first, {}, 'key'), office.payBack(first, {}, 'key')])
      expect(await office.outflowOn('2026-09-14')).toBe(4550)
      await Promise.all([office.payBack(second, {}, 'key'), office.payBack(second, {}, 'key')])
      expect(await office.waits(second)).toBe(true)
    })

    test('what becomes credit leaves no account', async () => {
      const office = await owing(0)
      await office.turnIntoCredit(first)
      expect(await office.refund(first)).toMatchObject({ status: 'paid_back' })
      expect(await office.outflowOn('2026-09-14')).toBe(0)
    })

    test('without a limit it is counted all the same, so that one set at noon knows the morning', async () => {
      const office = await owing(0)
      office.limit.above = null
      await office.payBack(first)
      office.limit.above = 4600
      await office.payBack(second)
      expect(await office.waits(second)).toBe(true)
    })

    test('many at once are paid back up to it, and the rest is asked for', async () => {
      const office = await owing(9100)
      const payout = { method: 'cash' as const, reference: null, note: null, by: bursar }
      const many = { refundIds: [first, second, third], payout, idempotencyKey: null, by }
      const done = await payBackMany(standIn(office.refunds))(many)
      expect(done).toMatchObject({
        completed: 2,
        amount: 9100,
        skipped: [{ code: 'approval', message: 'This waits for the approval of another administrator' }],
      })
      expect(await office.waits(done.skipped[0]!.id)).toBe(true)
    })
  })

  /** Mary's first refund waits for approval. */
  const waiting = async () => {
    const office = await owing(0, [first])
    await office.payBack(first, { method: 'bank', reference: 'FNB 7' })
    return office
  }

  describe('an approval', () => {
    test('pays back what was asked for, closes the order and counts for the day', async () => {
      const office = await waiting()
      expect(await office.approve(first)).toMatchObject({
        status: 'paid_back',
        payouts: [{ amount: 4550, method: 'bank', reference: 'FNB 7', by: bursar }],
      })
      expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
      expect(await office.outflowOn('2026-09-14')).toBe(4550)
      await expect(office.approve(first, 7)).rejects.toEqual(refusedWith('refund_paid_back'))
    })

    test('by two at once pays back once', async () => {
      const office = await waiting()
      const answers = await Promise.allSettled([office.approve(first, head), office.approve(first, 7)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await office.refund(first)).toMatchObject({ payouts: [{ amount: 4550 }] })
      expect(await office.outflowOn('2026-09-14')).toBe(4550)
    })

    test('of what was asked by somebody who is no administrator any more is refused', async () => {
      const office = await waiting()
      office.holding.delete(bursar)
      await expect(office.approve(first)).rejects.toEqual(refusedWith('approval_asker_gone'))
      await office.withdraw(first)
      expect(await office.waits(first)).toBe(false)
    })

    test('of an order that is cooked after all is refused, before and after its refund knows', async () => {
      const office = await waiting()
      await office.change(first, 'pending')
      await expect(office.approve(first)).rejects.toBeInstanceOf(Refusal)
      expect(await office.refund(first)).toMatchObject({ payouts: [] })
      await office.settle(first)
      await expect(office.approve(first)).rejects.toEqual(refusedWith('refund_withdrawn'))
      expect(await office.outflowOn('2026-09-14')).toBe(0)
    })
  })
})

describe('commands on card refunds', () => {
  const first = orderRefund
  const second = '119.2026-09-15.1'
  const nextDay = after(monday7, 25 * 60)
  const refused = (code: string) => expect.objectContaining({ code })

  const backOnce = { status: 'paid_back', payouts: [{ method: 'card', amount: 4550 }] }

  describe('card refund commands', () => {
    const owing = async () => {
      const bank = cardRefundBank()
      await bank.owe(first)
      await bank.owe(second)
      return bank
    }

    describe('the provider answers', () => {
      test('success: it went back, and the order is closed for good', async () => {
        const bank = await owing()
        expect(await bank.ask(first)).toMatchObject({ state: 'done' })
        expect(await bank.refund(first)).toMatchObject(backOnce)
        expect(bank.school.closed).toEqual([first])
      })

      test.each([
        ['refused', { kind: 'refused', code: '999', explanation: 'Refund failed' }],
        ['our access refused', { kind: 'config', code: '802', explanation: 'Company token does not exist' }],
      ] as const)('%s: nothing went back, and every way is open again', async (_name, answer) => {
        const bank = await owing()
        Object.assign(bank.provider, { carryOut: null, answer })
        expect(await bank.ask(first)).toMatchObject({ state: 'failed', answer: { code: answer.code } })
        expect(bank.log.lines).toHaveLength(answer.kind === 'config' ? 1 : 0)
        expect(await bank.inCash(first)).toMatchObject({ status: 'paid_back', payouts: [{ method: 'cash' }] })
      })

      test('taken, then declined: nothing went back', async () => {
        const bank = await owing()
        bank.provider.carryOut = 'declined'
        expect(await bank.ask(first)).toMatchObject({ state: 'failed', answer: { code: '008' } })
        expect(await bank.refund(first)).toMatchObject({ status: 'due', payouts: [] })
      })

      test('manual release pending: it waits, and ends as the provider ends it', async () => {
        const bank = await owing()
        bank.provider.carryOut = 'pending'
        expect(await bank.ask(first)).toMatchObject({ state: 'pending', answer: { code: '009' } })
        await expect(bank.inCash(first)).rejects.toEqual(refused('refund_pending'))
        bank.provider.books[0]!.status = 'done'
        expect(await bank.follow(first)).toMatchObject({ state: 'done' })
        expect(await bank.refund(first)).toMatchObject(backOnce)
      })

      test.each(['timeout', 'not-xml', 'no-connection', 'http-status', 'unknown-code'])(
        'nothing that can be read (%s), though it paid: found out by asking, once',
        async (why) => {
          const bank = await owing()
          bank.provider.answer = { ...timeout, why }
          expect(await bank.ask(first)).toMatchObject({ state: 'requested' })
          await expect(bank.inCash(first)).rejects.toEqual(refused('refund_pending'))
          expect(await bank.follow(first)).toMatchObject({ state: 'done' })
          expect(await bank.follow(first)).toMatchObject({ state: 'done' })
          expect(await bank.refund(first)).toMatchObject(backOnce)
          expect(bank.provider.asked).toHaveLength(1)
        },
      )

      test.each(['done', 'failed'] as const)(
        'nothing, ever: a person says that it is %s',
        async (outcome) => {
          const bank = await owing()
          Object.assign(bank.provider, { carryOut: null, answer: timeout })
          await bank.ask(first)
          await expect(bank.say(first, outcome)).rejects.toEqual(refused('refund_not_to_be_checked'))
          bank.clock.now = nextDay
          expect(await bank.follow(first)).toMatchObject({ state: 'check' })
          await expect(bank.inCash(first)).rejects.toEqual(refused('refund_pending'))
          await expect(bank.ask(first, 2)).rejects.toEqual(refused('refund_pending'))
          await expect(bank.ask(second, 3)).rejects.toEqual(refused('refund_pending'))
          expect(await bank.say(first, outcome)).toMatchObject({ state: outcome })
          expect(await bank.refund(first)).toMatchObject(outcome === 'done' ? backOnce : { status: 'due' })
          expect(bank.provider.asked).toHaveLength(1)
          Object.assign(bank.provider, { carryOut: 'done', answer: { kind: 'accepted' } })
          expect(await bank.ask(second, 3)).toMatchObject({ state: 'done' })
        },
      )

      test('late: what comes into its list hours later is found', async () => {
        const bank = await owing()
        Object.assign(bank.provider, { carryOut: null, answer: timeout })
        await bank.ask(first)
        expect(await bank.follow(first)).toMatchObject({ state: 'requested' })
        bank.provider.books.push({ status: 'done', amount: 4550 })
        expect(await bank.follow(first)).toMatchObject({ state: 'done' })
      })

      test('late, when its list has told already: nothing is said twice', async () => {
        const bank = await owing()
        bank.provider.meanwhile = async () => void (await bank.follow(first))
        for (const answer of [{ kind: 'accepted' }, timeout] as const) bank.provider.answer = answer
        expect(await bank.ask(first)).toMatchObject({ state: 'done' })
        expect(await bank.refund(first)).toMatchObject(backOnce)
      })
    })

    describe('the provider is not asked', () => {
      test('where the school has not switched it on, or the money did not come by card', async () => {
        const bank = await owing()
        bank.school.isOn = false
        await expect(bank.ask(first)).rejects.toEqual(refused('card_refunds_off'))
        Object.assign(bank.school, { isOn: true, byCard: false })
        await expect(bank.ask(first)).rejects.toEqual(refused('not_paid_by_card'))
        await expect(bank.ask('120.2026-09-15.1')).rejects.toEqual(refused('refund_not_found'))
        expect([bank.provider.asked, bank.school.closed]).toEqual([[], []])
      })

      test('for more than is left of the payment, by our books or by its own', async () => {
        const bank = await owing()
        bank.school.wentBack = 5451
        await expect(bank.ask(first)).rejects.toEqual(refused('refund_exceeds_received'))
        bank.school.wentBack = 0
        bank.provider.books.push({ status: 'done', amount: 5451 })
        await expect(bank.ask(first)).rejects.toEqual(refused('refund_exceeds_received'))
        expect(bank.provider.asked).toEqual([])
      })

      test('while it does not answer, or has another refund of the payment', async () => {
        const bank = await owing()
        bank.provider.list = timeout
        await expect(bank.ask(first)).rejects.toEqual(refused('card_provider_silent'))
        bank.provider.list = null
        bank.provider.books.push({ status: 'pending', amount: 100 })
        await expect(bank.ask(first)).rejects.toEqual(refused('refund_pending'))
        expect(await bank.refund(first)).toMatchObject({ status: 'due', card: null })
      })

      test('twice by one request, whoever repeats it and when', async () => {
        const bank = await owing()
        const answers = await Promise.all([bank.ask(first), bank.ask(first), bank.ask(first)])
        for (const card of answers) expect(['requested', 'done']).toContain(card?.state)
        expect(await bank.ask(first)).toMatchObject({ state: 'done' })
        expect(bank.provider.asked).toEqual([{ amount: 4550, refundRef: expect.any(String) }])
        expect(await bank.refund(first)).toMatchObject(backOnce)
      })

      test('for two refunds of one payment at once', async () => {
        const bank = await owing()
        const both = await Promise.allSettled([bank.ask(first, 1), bank.ask(second, 2)])
        expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
        expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
          reason: { code: 'refund_pending' },
        })
        expect(bank.provider.asked).toHaveLength(1)
        const left = both[0].status === 'rejected' ? first : second
        expect(await bank.ask(left, 3)).toMatchObject({ state: 'done' })
        expect(bank.provider.asked).toHaveLength(2)
      })

      test('when somebody pays it back in cash at the same moment', async () => {
        const bank = await owing()
        const both = await Promise.allSettled([bank.ask(first), bank.inCash(first)])
        expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
        const refund = await bank.refund(first)
        const methods = 'payouts' in refund ? refund.payouts.map(({ method }) => method) : []
        expect(methods).toHaveLength(1)
        expect(bank.provider.asked).toHaveLength(methods[0] === 'card' ? 1 : 0)
      })
    })

    test('one that cannot tell of refunds is believed where it was never asked before, and nowhere else', async () => {
      const bank = await owing()
      bank.provider.list = { ...timeout, why: 'unknown-code' }
      expect(await bank.ask(first)).toMatchObject({ state: 'pending' })
      bank.provider.list = null
      expect(await bank.follow(first)).toMatchObject({ state: 'done' })
      bank.provider.list = { kind: 'config', code: '902', explanation: 'No refund' }
      await bank.ask(second, 2)
      bank.provider.list = null
      expect(await bank.follow(second)).toMatchObject({ state: 'pending' })
      bank.clock.now = nextDay
      expect(await bank.follow(second)).toMatchObject({ state: 'check' })
    })
  })

  describe('card refund crashes', () => {
    const owing = async (through?: (store: EventStore) => Pick<EventStore, 'read' | 'append'>) => {
      const bank = cardRefundBank(through)
      await bank.owe(first)
      await bank.owe(second)
      return bank
    }

    /** A store that appends streams one after the other, and ends before one of them as often as it is told. */
    const oneByOne =
      (lost: { before: string; times: number }, error: () => Error) => (store: EventStore) => ({
        read: store.read,
        append: async (appends: Parameters<EventStore['append']>[0]) => {
          let position = ''
          for (const one of appends) {
            if (one.stream === lost.before && lost.times > 0) {
              lost.times -= 1
              throw error()
            }
            position = await store.append([one])
          }
          return position
        },
      })

    describe('a crash', () => {
      test('after the request and before the provider is asked: never asked, and for a person', async () => {
        let dies = true
        const bank = await owing((store) => ({
          read: store.read,
          append: async (appends) => {
            const position = await store.append(appends)
            if (dies) throw new Error('crash')
            return position
          },
        }))
        await expect(bank.ask(first)).rejects.toThrow('crash')
        dies = false
        expect(await bank.ask(first)).toMatchObject({ state: 'requested' })
        expect(await bank.follow(first)).toMatchObject({ state: 'requested' })
        bank.clock.now = nextDay
        expect(await bank.follow(first)).toMatchObject({ state: 'check' })
        expect(bank.provider.asked).toEqual([])
      })

      test('between the provider and its answer: found in its list, paid back once', async () => {
        const bank = await owing()
        bank.provider.meanwhile = async () => {
          throw new Error('crash')
        }
        await expect(bank.ask(first)).rejects.toThrow('crash')
        expect(await bank.ask(first)).toMatchObject({ state: 'requested' })
        expect(await bank.follow(first)).toMatchObject({ state: 'done' })
        expect(await bank.refund(first)).toMatchObject(backOnce)
        expect(bank.provider.asked).toHaveLength(1)
      })

      test('between the claim on the payment and the request: the next refund takes the claim', async () => {
        const lost = { before: refundDecider.streamOf(first), times: 1 }
        const bank = await owing(oneByOne(lost, () => new Error('crash')))
        await expect(bank.ask(first, 1)).rejects.toThrow('crash')
        expect(await bank.ask(second, 2)).toMatchObject({ state: 'done' })
        expect(await bank.ask(first, 3)).toMatchObject({ state: 'done' })
        expect(bank.provider.asked).toHaveLength(2)
      })

      test('of another one holds up nothing: the same refund goes on with the claim that it has', async () => {
        const lost = { before: refundDecider.streamOf(first), times: 1 }
        const bank = await owing(
          oneByOne(lost, () => new WrongExpectedRevision(refundDecider.streamOf(first), 0)),
        )
        expect(await bank.ask(first, 1)).toMatchObject({ state: 'done' })
        expect(bank.provider.asked).toHaveLength(1)
      })

      test('a request that was slow between its claim and its own stream finds its claim taken', async () => {
        let meanwhile: (() => Promise<unknown>) | null = null
        const bank = await owing((store) => ({
          read: store.read,
          append: async (appends) => {
            let position = ''
            for (const one of appends) {
              const isFirst = one.stream === refundDecider.streamOf(first)
              const act = isFirst ? meanwhile : null
              if (act) meanwhile = null
              await act?.()
              position = await store.append([one])
            }
            return position
          },
        }))
        bank.provider.carryOut = 'pending'
        meanwhile = () => bank.ask(second, 2)
        await expect(bank.ask(first, 1)).rejects.toEqual(refused('refund_pending'))
        expect(await bank.refund(second)).toMatchObject({ card: { state: 'pending' } })
        expect(bank.provider.asked).toHaveLength(1)
      })
    })
  })
})
