import { refundDecider } from '#modules/refunds/refund.decide'
import { WrongExpectedRevision, type EventStore } from '#platform/event-store/event-store'
import { after, monday7 } from '../ordering/lunches'
import { cardRefundBank } from './card-refund-bank'
import { orderRefund } from './refund-words'

const first = orderRefund
const second = '119.2026-09-15.1'
const nextDay = after(monday7, 25 * 60)
const refused = (code: string) => expect.objectContaining({ code })

const owing = async (through?: (store: EventStore) => Pick<EventStore, 'read' | 'append'>) => {
  const bank = cardRefundBank(through)
  await bank.owe(first)
  await bank.owe(second)
  return bank
}

const backOnce = { status: 'paid_back', payouts: [{ method: 'card', amount: 4550 }] }

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
