import { z } from 'zod'
import { type EventOf, eventReader, eventType } from '#kernel/event'
import { lunchOrdered, lunchReserved, orderChanged } from '#modules/ordering/published'
import { transferConfirmed } from '#modules/transfers/published'
import {
  advanced,
  commandHandler,
  handleCommand,
  ownWritesShown,
  loadStreams,
} from '#platform/event-store/command-handler'
import { WrongExpectedRevision, beginning, noStream } from '#platform/event-store/event-store'
import { type FamilyKeys, sealingEvents } from '#platform/event-store/sealed-events'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { sample } from '../audit/sample-events'
import { monday7, ordered } from '../ordering/lunches'
import { changedToStew, reserved } from '../ordering/slot-words'
import { newEvents } from '../support/recorded-events'

const added = eventType('test.added.v1', z.strictObject({ by: z.int() }))
type Added = EventOf<typeof added>

const counter = {
  streamOf: (id: string) => `counter-${id}`,
  read: eventReader(added),
  initial: 0,
  evolve: (sum: number, { data }: Added) => sum + data.by,
}

const by = { actor: 'user:1', correlationId: 'request-1' }
const at = new Date('2026-03-02T08:00:00.000Z')

const counting = () => {
  const waited: string[] = []
  const viewsInclude = async (position: string) => void waited.push(position)
  return { eventStore: memoryEventStore(), now: () => at, viewsInclude, waited }
}

test('a command appends what it decides and answers the state after it', async () => {
  const needs = counting()
  const handle = commandHandler(counter, needs)
  const first = await handle('a', by, () => [added({ by: 2 })])
  const second = await handle('a', by, (sum) => [added({ by: sum })])
  expect([first.state, second.state]).toEqual([2, 4])
  expect(second.events).toEqual([added({ by: 2 })])
  const [stored] = (await needs.eventStore.read(['counter-a'])).get('counter-a')!
  expect(stored!.metadata).toEqual({
    ...by,
    causationId: 'request-1',
    at: at.toISOString(),
    schemaVersion: 1,
  })
})

test('a command that changes nothing answers where its stream stands', async () => {
  const handle = commandHandler(counter, counting())
  expect(await handle('a', by, () => [])).toMatchObject({ state: 0, position: null })
  const { position } = await handle('a', by, () => [added({ by: 1 })])
  expect(await handle('a', by, () => [])).toMatchObject({ state: 1, position })
})

test('when somebody else appended first, it loads, decides and appends again', async () => {
  const needs = counting()
  const handle = commandHandler(counter, needs)
  let tries = 0
  const { state } = await handle('a', by, async (sum) => {
    tries += 1
    if (tries < 3) await handle('a', by, () => [added({ by: 10 })])
    return [added({ by: sum === 20 ? 1 : 1000 })]
  })
  expect([tries, state]).toEqual([3, 21])
})

test('after 24 conflicts, with waits between that grow, the conflict is thrown; any other error at once', async () => {
  const handle = commandHandler(counter, counting())
  let tries = 0
  const losing = handle('a', by, async () => {
    tries += 1
    await handle('a', by, () => [added({ by: 1 })])
    return [added({ by: 1 })]
  })
  await expect(losing).rejects.toThrow(WrongExpectedRevision)
  expect(tries).toBe(24)
  await expect(handle('b', by, () => Promise.reject(new Error('no facts')))).rejects.toThrow('no facts')
})

test('the same id seed is the same event: a repeated append is recognised', async () => {
  const needs = counting()
  const step = async () => {
    const [loaded] = await loadStreams(needs.eventStore, counter, ['a'])
    const before = { ...loaded!, revision: -1 }
    return { changes: [{ loaded: before, events: [added({ by: 1 })], idSeed: 'a/first' }] }
  }
  const first = await handleCommand(needs, by, step)
  expect(await handleCommand(needs, by, step)).toMatchObject({ position: first.position })
})

test('what is written, or found written, on behalf of somebody is noted, and shown when asked for', async () => {
  const needs = counting()
  const written = { upTo: beginning }
  const add = (count: number) => async () => {
    const [loaded] = await loadStreams(needs.eventStore, counter, ['a'])
    return { changes: [{ loaded: loaded!, events: count === 0 ? [] : [added({ by: count })] }] }
  }
  await ownWritesShown({ ...by, written }, needs)
  const { position } = await handleCommand(needs, { ...by, written }, add(1))
  expect(written.upTo).toBe(position)
  expect(needs.waited).toEqual([])
  const again = { upTo: beginning }
  await handleCommand(needs, { ...by, written: again }, add(0))
  await ownWritesShown({ ...by, written: again }, needs)
  expect(needs.waited).toEqual([position])
})

test('several streams change in one append, one of them twice', async () => {
  const needs = counting()
  const { sum } = await handleCommand(needs, by, async () => {
    const [a, b] = await loadStreams(needs.eventStore, counter, ['a', 'b'])
    const one = [added({ by: 1 })]
    const next = advanced(counter, a!, one)
    return {
      changes: [
        { loaded: a!, events: one },
        { loaded: b!, events: [added({ by: 5 })] },
        { loaded: next, events: [added({ by: 2 })] },
      ],
      sum: advanced(counter, next, [added({ by: 2 })]).state,
    }
  })
  expect(sum).toBe(3)
  const loaded = await loadStreams(needs.eventStore, counter, ['a', 'b', 'c', 'a'])
  expect(loaded.map(({ state, revision }) => [state, revision])).toEqual([
    [3, 1],
    [5, 0],
    [0, -1],
    [3, 1],
  ])
})

const keysOf = (userIds: readonly number[]) =>
  Promise.resolve(new Map(userIds.map((userId) => [userId, Buffer.alloc(32, userId)])))
const familyKeys: FamilyKeys = { of: keysOf, madeFor: keysOf, forget: () => undefined }
const personal = () => ({
  [lunchOrdered.type]: ['student.name', 'comments'],
  [orderChanged.type]: ['meal.comments', 'old.comments'],
  [transferConfirmed.type]: ['payer'],
})

test('a personal value is sealed for the family that the stream names, also where its first event names none', async () => {
  const stored = memoryEventStore()
  const sealing = sealingEvents(stored, familyKeys, personal)
  const stream = 'mealSlot-118.2026-09-15'
  const placed = [reserved(10), ordered(1, monday7)]
  await sealing.append([{ stream, expectedRevision: noStream, events: newEvents('placed', ...placed) }])
  await sealing.append([{ stream, expectedRevision: 1, events: newEvents('changed', changedToStew) }])
  const kept = JSON.stringify([...(await stored.read([stream])).values()])
  expect(kept).toContain(lunchReserved.type)
  expect(kept).not.toMatch(/no salt|Chanda/)
  const opened = (await sealing.read([stream])).get(stream)!
  expect(opened.map(({ data }) => data)).toEqual([...placed, changedToStew].map(({ data }) => data))
})

test('a stream that the caller has read is not read again to find its family', async () => {
  const stored = memoryEventStore()
  const read = jest.fn(stored.read)
  const sealing = sealingEvents({ ...stored, read }, familyKeys, personal)
  const stream = 'mealSlot-118.2026-09-15'
  const earlier = [reserved(10), ordered(1, monday7)]
  await sealing.append([{ stream, expectedRevision: noStream, events: newEvents('placed', ...earlier) }])
  const events = newEvents('changed', changedToStew)
  await sealing.append([{ stream, expectedRevision: 1, events, earlier }])
  expect(read).not.toHaveBeenCalled()
  expect(JSON.stringify([...(await stored.read([stream])).values()])).not.toMatch(/no salt/)
})

test('who paid for several families is sealed for all of them together, and is gone with any one', async () => {
  const stored = memoryEventStore()
  const sealing = sealingEvents(stored, familyKeys, personal)
  const paid = transferConfirmed(sample(transferConfirmed.type).data as never)
  const [family] = paid.data.families
  const both = { ...paid, data: { ...paid.data, families: [{ ...family, userId: 8 }, family] } }
  await sealing.append([
    { stream: 'transfer-1', expectedRevision: noStream, events: newEvents('paid', both) },
  ])
  const kept = JSON.stringify([...(await stored.read(['transfer-1'])).values()])
  expect(kept).toContain('~sealed.1.5+8.')
  expect(kept).not.toContain('Mary Banda')
  const readWithout = async (...gone: number[]) => {
    const left = async (userIds: readonly number[]) =>
      new Map([...(await keysOf(userIds))].map(([id, key]) => [id, gone.includes(id) ? null : key]))
    const reading = sealingEvents(stored, { ...familyKeys, of: left }, personal)
    return (await reading.read(['transfer-1'])).get('transfer-1')![0]!.data
  }
  expect(await readWithout()).toEqual(both.data)
  expect(await readWithout(5)).toEqual({ ...both.data, payer: '[deleted]' })
  expect(await readWithout(8)).toEqual({ ...both.data, payer: '[deleted]' })
})
