import { refundDecider } from '#modules/refunds/refund.decide'
import { type EventStore, WrongExpectedRevision } from '#platform/event-store/event-store'
import { after, monday7 } from '../ordering/lunches'
import { cardRefundBank, timeout } from './card-refund-bank'
import { orderRefund } from './refund-words'

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

    test.each(['done', 'failed'] as const)('nothing, ever: a person says that it is %s', async (outcome) => {
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
    })

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
  const oneByOne = (lost: { before: string; times: number }, error: () => Error) => (store: EventStore) => ({
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
